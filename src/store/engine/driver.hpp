#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/model/run.hpp"
#include "store/contract/query.hpp"
#include "store/engine/counts.hpp"
#include "store/engine/file_table.hpp"
#include "store/engine/history.hpp"
#include "store/engine/listing.hpp"
#include "store/engine/queries.hpp"
#include "store/engine/search.hpp"
#include "store/engine/statistics.hpp"
#include "store/engine/writes.hpp"

namespace andon::store {
class AttachmentFiles;
class Servers;
}  // namespace andon::store

namespace andon::store::engine {

enum class Rights { read, write };

/// When the reads of a unit of work give up, as StoreError{overlong}.
struct ReadLimit {
  std::optional<std::chrono::milliseconds> most{};
  std::shared_ptr<std::atomic<bool> const> abandoned{};  ///< true: at once; may be null
};

/// The state of a session after its last calls.
struct SessionState {
  bool in_transaction = false;
  bool has_failed = false;           ///< a call has thrown since the last `start_unit`
  bool is_unsound = false;           ///< after the last failure it is unknown which changes reached the disk
  std::int64_t rows = 0;             ///< written since the session was opened
  std::int64_t steps = 0;            ///< work of the database since then, in thousands of its own steps
  bool has_foreign_changes = false;  ///< another server has committed since this session's last transaction
};

/// One connection to a database. Its calls take and return sets, so that each costs one round trip. Used by
/// one thread at a time. Failures are thrown as StoreError. A transaction that reads sees one state; outside
/// of transactions each read sees the last commit.
class Session {
 public:
  virtual ~Session() = default;

  // The life of a transaction
  virtual void begin(Rights rights) = 0;
  virtual void commit() = 0;
  /// Does nothing outside a transaction.
  virtual void rollback() = 0;
  /// Moves the mark of the transaction here.
  virtual void set_mark() = 0;
  /// Undoes what was written since the mark, and removes the mark.
  virtual void undo_to_mark() = 0;
  /// Forgets failures; reads give up as the limit says.
  virtual void start_unit(ReadLimit const& limit) = 0;
  virtual SessionState state() const = 0;

  // Boards, tasks and records
  /// Nothing when the number of the registry is still `known`.
  virtual std::optional<Registry> registry(std::int64_t known) = 0;
  /// The tasks that are there, in the order of the ids.
  virtual std::vector<TaskRow> tasks(TasksQuery const& query) = 0;
  virtual std::vector<TaskRow> tasks_in(TaskSet const& set) = 0;
  /// As many as the query has tasks, in the same order.
  virtual std::vector<Links> links(LinksQuery const& query) = 0;
  virtual std::vector<core::Run> runs(RunsQuery const& query) = 0;
  virtual Records records(RecordsQuery const& query) = 0;

  // Queues
  /// In pick order, or by the time of those that are due.
  virtual std::vector<Candidate> candidates(CandidatesQuery const& query) = 0;
  virtual QueueFacts queues(QueueQuestion const& question) = 0;

  // Lists and search
  /// One page of tasks. Refuses a cursor that the session did not make.
  virtual core::Result<ListRows> list(ListRequest const& request) = 0;
  virtual SearchRows search(SearchRequest const& request) = 0;
  /// Brings stale texts into the full-text index when at least `least` wait. True when there may be more. One
  /// call takes about 20 ms at most. Does nothing in a database whose searches see all texts at once.
  virtual bool index_texts(std::int64_t least) = 0;
  virtual Statistics statistics(StatisticsQuestion const& question) = 0;

  // History
  virtual std::vector<core::Event> events(EventFilter const& filter) = 0;
  virtual Removed remove(Removal const& removal) = 0;
  /// The changes since the last counting. The session lists each task whose row changed, with the row as it
  /// was counted. It may list tasks that count as before.
  virtual Uncounted uncounted(UncountedRequest const& request) = 0;

  virtual void write(Writes const& writes) = 0;
  /// The tables of boards that are kept in files.
  virtual FileTable& files() = 0;
};

/// The reason for which the writer lets a driver tidy up.
enum class Occasion {
  batch_ended,
  disk_full,  ///< a commit found no room, which tidying may make
  data_gone,  ///< `DriverState` has trouble: saves what only a removed file holds
  left_as_is  ///< what the end of the writing session would tidy up is left to the next process
};

/// The result of tidying up.
struct Tidied {
  bool has_worked = false;
  std::exception_ptr trouble{};  ///< set when nothing may be written any more
};

/// The state of a database besides its data.
struct DriverState {
  /// Says that the database was removed or replaced while it was open. Trouble that was found once stays.
  std::optional<std::string> trouble{};
  bool is_watched = false;        ///< `trouble` is worth a look now and then
  bool has_much_to_tidy = false;  ///< closing the last session would take long
};

/// One database. Calls come on the thread of the writing session, unless they say otherwise. Failures are
/// thrown as StoreError.
class Driver {
 public:
  virtual ~Driver() = default;
  /// The session that writes is opened once. Sessions that read are opened on any thread; a database with a
  /// newer schema is refused. No session outlives the driver.
  virtual std::unique_ptr<Session> open(Rights rights) = 0;
  /// Waits until every finished commit is on the disk. Throws UnknownResult. After one with `Disk::works`
  /// writing goes on. The first call comes on the thread of the writing session after its first commit, later
  /// calls on any thread.
  virtual void sync() = 0;
  /// From now on `look` is called, on any thread, when others may have changed the database. It is called
  /// again only after `begun` was called. Never called after `end_watch`. These do nothing where only this
  /// process writes.
  using Look = std::function<void(std::function<void()> begun)>;
  virtual void watch(Look) {}
  virtual void end_watch() {}
  /// The contents of attachments, thread-safe; null for a database in memory.
  virtual AttachmentFiles* attachment_files() { return nullptr; }
  /// Null where only this process writes.
  virtual Servers* servers() { return nullptr; }
  /// Does between two batches what keeps the database quick, when enough of it waits.
  virtual Tidied tidy(Occasion occasion) = 0;
  /// Called on any thread.
  virtual DriverState state() const = 0;
};

}  // namespace andon::store::engine
