#pragma once

#include <memory>
#include <vector>

#include "os/processes/mutex.hpp"
#include "store/engine/driver.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::store::engine {

/// Lends sessions that read to reading threads: at most eight at once, each opened when first needed. Where
/// the database allows no more, threads wait for those that are open.
class Readers {
 public:
  /// `places` is not owned and may be null.
  explicit Readers(std::shared_ptr<Driver> driver, Places* places = nullptr)
      : driver_(std::move(driver)), places_(places) {}

  /// Runs the unit on one snapshot. A unit may search while the full-text index is behind. Then
  /// `update_index` brings the index up to date and the unit is run again; without `update_index`
  /// SearchBehind is thrown.
  void run(std::function<void(Unit&)> const& work, std::function<void()> const& update_index = {});
  /// Waits for running units and closes the connections; later units are refused.
  void close();

 private:
  struct Reader {
    Reader(Driver& driver, Places* places)
        : session(driver.open(Rights::read)), tx(*session, Rights::read, places) {}
    std::unique_ptr<Session> session;
    Unit tx;
  };
  void run_once(std::function<void(Unit&)> const& work);
  std::unique_ptr<Reader> borrow();
  /// Null when the reader is to be opened first.
  std::unique_ptr<Reader> borrow_idle();
  std::unique_ptr<Reader> await_idle();
  void give_back(std::unique_ptr<Reader> reader);

  std::shared_ptr<Driver> const driver_;
  Places* const places_;
  os::Mutex mutex_;
  os::Condition returned_;
  std::vector<std::unique_ptr<Reader>> idle_ GUARDED_BY(mutex_);
  int lent_ GUARDED_BY(mutex_) = 0;
  bool closed_ GUARDED_BY(mutex_) = false;
};

/// Brings the full-text index of the store up to date by a series of short units of work.
void update_search_index(Store& store);

}  // namespace andon::store::engine
