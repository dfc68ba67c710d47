#pragma once

#include "store/engine/driver.hpp"
#include "store/sql/database/connection.hpp"
#include "store/sql/session/file_table.hpp"

namespace andon::store::sql {

/// The session of the engine over one connection to an SQL database. Search is left to the session
/// of the database.
class SqlSession : public engine::Session {
 public:
  /// The connection is not owned. It must outlive all calls.
  explicit SqlSession(Connection& db) : db_(db) {}

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

  // Lists
  core::Result<engine::ListRows> list(engine::ListRequest const& request) override;
  engine::Statistics statistics(engine::StatisticsQuestion const& question) override;

  // History
  std::vector<core::Event> events(EventFilter const& filter) override;
  engine::Removed remove(engine::Removal const& removal) override;
  engine::Uncounted uncounted(engine::UncountedRequest const& request) override;

  void write(engine::Writes const& writes) override;
  engine::FileTable& files() override { return files_; }

 protected:
  /// Called before the text of a task is changed or removed.
  virtual void note_text_outdated(core::TaskId task) = 0;
  /// Called after the text of a task was written that is new or that `note_text_outdated` has named.
  virtual void note_text_new(engine::TaskChange const& change) = 0;
  /// Called after the note of an event was written.
  virtual void note_text_new(engine::AppendedEvent const& appended) = 0;

 private:
  void write(engine::TaskChange const& change);
  void write_derived(engine::TaskChange const& change);
  void erase(core::Task const& task);
  void write(engine::ClaimsChange const& change);
  void write(engine::Records const& records);
  void write_boards(engine::Writes const& writes);
  void append(engine::AppendedEvent const& appended);
  void write(engine::CountChanges const& changes);

  Connection& db_;
  bool has_mark_ = false;
  SqlFileTable files_{db_};
};

}  // namespace andon::store::sql
