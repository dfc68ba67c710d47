#pragma once

#include <memory>
#include <string>

#include "store/engine/driver.hpp"
#include "store/sqlite/database/connection.hpp"
#include "store/sqlite/session/file_table.hpp"

namespace andon::store::sqlite {

/// The session of the engine over one SQLite connection.
class SqliteSession final : public engine::Session {
 public:
  explicit SqliteSession(std::unique_ptr<Connection> db) : owned_(std::move(db)), db_(*owned_) {}
  /// Over a connection of the caller.
  explicit SqliteSession(Connection& db) : db_(db) {}
  Connection& connection() { return db_; }

  // The life of a transaction
  void begin(engine::Rights rights) override;
  void commit() override;
  void rollback() override;
  void set_mark() override;
  void undo_to_mark() override;
  void start_unit(engine::ReadLimit const& limit) override;
  engine::SessionState state() const override;

  // Boards, tasks and records
  std::optional<engine::Registry> registry(std::int64_t known) override;
  std::vector<engine::TaskRow> tasks(engine::TasksQuery const& query) override;
  std::vector<engine::TaskRow> tasks_in(engine::TaskSet const& set) override;
  std::vector<engine::Links> links(engine::LinksQuery const& query) override;
  std::vector<core::Run> runs(engine::RunsQuery const& query) override;
  engine::Records records(engine::RecordsQuery const& query) override;

  // Queues
  std::vector<engine::Candidate> candidates(engine::CandidatesQuery const& query) override;
  engine::QueueFacts queues(engine::QueueQuestion const& question) override;

  // Lists and search
  core::Result<engine::ListRows> list(engine::ListRequest const& request) override;
  engine::SearchRows search(engine::SearchRequest const& request) override;
  bool index_texts(std::int64_t least) override;
  engine::Statistics statistics(engine::StatisticsQuestion const& question) override;

  // History
  std::vector<core::Event> events(EventFilter const& filter) override;
  engine::Removed remove(engine::Removal const& removal) override;
  engine::Uncounted uncounted(engine::UncountedRequest const& request) override;

  void write(engine::Writes const& writes) override;
  engine::FileTable& files() override { return files_; }

 private:
  void write(engine::TaskChange const& change);
  void write_derived(engine::TaskChange const& change);
  void erase(core::Task const& task);
  void write(engine::ClaimsChange const& change);
  void write(engine::Records const& records);
  void write_boards(engine::Writes const& writes);
  void append(engine::AppendedEvent const& appended);
  void write(engine::CountChanges const& changes);

  std::unique_ptr<Connection> owned_;
  Connection& db_;
  bool has_mark_ = false;
  SqliteFileTable files_{db_};
};

}  // namespace andon::store::sqlite
