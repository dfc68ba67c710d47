#pragma once

#include <memory>
#include <optional>
#include <string>

#include "store/engine/writer/readers.hpp"
#include "store/engine/writer/writer.hpp"
#include "store/sqlite/database/owner_lock.hpp"

namespace andon::store::sqlite {

/// A store in one SQLite file, owned by this process while the object lives, or in memory.
class SqliteStore final : public Store {
 public:
  /// An empty path means a store in memory. The mirror serves the boards that keep their tasks in files.
  SqliteStore(std::string const& path, engine::OnFatal on_fatal,
              std::unique_ptr<engine::ExternalSource> mirror, core::Instant now = {});
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
  std::unique_ptr<engine::ExternalSource> mirror_;
  std::string incarnation_;
  WriterTimes times_;
  std::unique_ptr<engine::Writer> writer_;
  std::unique_ptr<engine::Readers>
      readers_;  ///< null for a store in memory, whose only connection is the writer's
};

}  // namespace andon::store::sqlite
