#pragma once

#include <memory>
#include <string>
#include <vector>

#include "store/engine/buffer/buffered_files.hpp"
#include "store/engine/buffer/known_answers.hpp"
#include "store/engine/buffer/pending_writes.hpp"
#include "store/engine/driver.hpp"

namespace andon::store::engine {

/// Says whether others change the database too.
enum class Sharing {
  alone,             ///< nobody, so answers stay right from one transaction to the next
  between_its_turns  ///< others, while it has no transaction
};

/// The session that writes, with a buffer before it. Changes of tasks and events wait in memory until a read
/// needs them, or until the transaction is committed. Known answers are given from memory.
class BufferedSession final : public Session {
 public:
  BufferedSession(std::unique_ptr<Session> inner, Sharing sharing);

  void begin(Rights rights) override;
  void commit() override;
  void rollback() override;
  void set_mark() override;
  void undo_to_mark() override;
  void start_unit(ReadLimit const& limit) override { inner_->start_unit(limit); }
  SessionState state() const override { return inner_->state(); }

  std::optional<Registry> registry(std::int64_t known) override { return inner_->registry(known); }
  std::vector<TaskRow> tasks(TasksQuery const& query) override;
  std::vector<TaskRow> tasks_in(TaskSet const& set) override;
  std::vector<Links> links(LinksQuery const& query) override;
  std::vector<core::Run> runs(RunsQuery const& query) override;
  Records records(RecordsQuery const& query) override { return inner_->records(query); }
  std::vector<Candidate> candidates(CandidatesQuery const& query) override;
  QueueFacts queues(QueueQuestion const& question) override { return flushed().queues(question); }
  core::Result<ListRows> list(ListRequest const& request) override { return flushed().list(request); }
  SearchRows search(SearchRequest const& request) override { return flushed().search(request); }
  bool index_texts(std::int64_t least) override;
  Statistics statistics(StatisticsQuestion const& question) override {
    return flushed().statistics(question);
  }
  std::vector<core::Event> events(EventFilter const& filter) override { return flushed().events(filter); }
  Removed remove(Removal const& removal) override;
  Uncounted uncounted(UncountedRequest const& request) override { return flushed().uncounted(request); }
  void write(Writes const& writes) override;
  FileTable& files() override { return files_; }
  /// Writes all that waits. When this fails and there is no mark, or changes from before it waited, the
  /// transaction is rolled back.
  void store_all() { flush(); }

 private:
  enum class Mark { none, in_buffer, in_database };
  std::vector<TaskRow> const& claims_of(std::string const& holder);
  std::vector<Candidate> due(CandidatesQuery const& query);
  void read_ahead(std::vector<Candidate> const& page);
  /// The session behind, which has all changes.
  Session& flushed();
  void flush();
  /// Stores all that waits, and lets the next write be undone with the unit.
  void flush_for_write();
  void move_mark_to_database();

  std::unique_ptr<Session> inner_;
  Sharing sharing_;
  PendingWrites pending_;
  Mark mark_ = Mark::none;
  KnownAnswers known_;
  BufferedFiles files_;
  bool has_changed_ = false;  ///< the transaction changed something, which known answers may tell of
};

}  // namespace andon::store::engine
