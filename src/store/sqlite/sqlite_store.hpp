#pragma once

#include <memory>
#include <optional>
#include <string>

#include "store/sqlite/database/owner_lock.hpp"
#include "store/sqlite/units/readers.hpp"
#include "store/sqlite/units/writer.hpp"

namespace andon::store::sqlite {

/// A store in one SQLite file, owned by this process while the object lives, or in memory.
class SqliteStore final : public Store {
 public:
  /// An empty path means a store in memory. The mirror serves the boards that keep their tasks in files.
  SqliteStore(std::string const& path, OnFatal on_fatal, std::unique_ptr<Mirror> mirror,
              core::Instant now = {});
  ~SqliteStore() override;

  void submit(Work work, Done done, Milliseconds patience, UnitKind kind) override;
  void read(std::function<void(Tx&)> const& work) override;
  void on_commit(std::function<void(core::EventSeq last_seq)> listener) override;
  std::string incarnation() override { return incarnation_; }
  WriterTimes& writer_times() override { return times_; }
  void close() override;

 private:
  void read_on_full_disk(std::function<void(Tx&)> const& work);
  void look();
  void look_first();

  std::optional<OwnerLock> lock_;
  std::unique_ptr<Mirror> mirror_;
  std::string incarnation_;
  WriterTimes times_;
  std::unique_ptr<Writer> writer_;
  std::unique_ptr<Readers> readers_;  ///< null for a store in memory, whose only connection is the writer's
};

}  // namespace andon::store::sqlite
