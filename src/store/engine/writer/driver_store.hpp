#pragma once

#include <memory>
#include <string>

#include "store/engine/writer/readers.hpp"
#include "store/engine/writer/writer.hpp"

namespace andon::store::engine {

/// The sessions of units that only read. A database in memory has none: they run in the session that writes.
enum class ReadingSessions { none, many };

/// A store in one database, which no other process writes.
class DriverStore final : public Store {
 public:
  /// The source serves the boards that keep their tasks in files; it may be null.
  DriverStore(std::shared_ptr<Driver> driver, std::unique_ptr<ExternalSource> source, OnFatal on_fatal,
              ReadingSessions reading);
  ~DriverStore() override;

  /// Waits for the first look at the files of attached boards. The first unit of work reports a failure of
  /// it.
  void look_first();

  void submit(Work work, Done done, Milliseconds patience, UnitKind kind) override;
  void read(std::function<void(Tx&)> const& work) override;
  void on_commit(std::function<void(core::EventSeq last_seq)> listener) override;
  std::string incarnation() override;
  Servers* servers() override { return driver_->servers(); }
  AttachmentFiles* attachment_files() override { return driver_->attachment_files(); }
  WriterTimes& writer_times() override { return times_; }
  void close() override;

 private:
  void read_on_full_disk(std::function<void(Tx&)> const& work);
  void look();

  std::shared_ptr<Driver> const driver_;  ///< goes last, with its right to write
  std::unique_ptr<ExternalSource> const source_;
  WriterTimes times_;
  std::unique_ptr<Writer> writer_;
  std::unique_ptr<Readers> readers_;  ///< null when the writer's session is the only one
};

}  // namespace andon::store::engine
