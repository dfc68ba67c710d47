#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/automation.hpp"
#include "core/board.hpp"
#include "core/error.hpp"
#include "core/event.hpp"
#include "core/run.hpp"
#include "core/task.hpp"
#include "core/wip.hpp"
#include "core/worker.hpp"
#include "store/query.hpp"

namespace andon::store {

using core::BoardId;

enum class Side { before, after };

/// One unit of work. All reads see one state; on a write transaction they see its own changes. Objects
/// returned by pointer live until the unit ends or the object is put again. Not thread-safe; used on the
/// thread that runs it. Trouble of the world (I/O, corruption) is thrown as `StoreError`.
class Tx {
 public:
  virtual ~Tx() = default;

  // Boards
  virtual core::Board const* board(std::string_view name_or_id) = 0;  ///< archived ones too; null if unknown
  virtual core::Board const* board(BoardId id) = 0;
  virtual std::vector<core::Board const*> boards() = 0;  ///< by id, archived ones too
  /// With a `directory` the board is attached: its tasks, columns and names are read from the files there.
  virtual BoardId add(core::Board board) = 0;
  /// Replaces a board by id. Derived columns of its tasks (pick order, column loads) follow.
  virtual void put(core::Board const& board) = 0;
  /// Removes a board that has no tasks, or detaches one with all of its tasks; its files stay.
  virtual void remove_board(BoardId id) = 0;
  /// Tasks per column and unfinished tasks per class, kept with every write.
  virtual core::Load load(BoardId board) = 0;

  // Tasks
  virtual std::optional<core::Task> task(core::TaskId id) = 0;   ///< without its body
  virtual std::optional<std::string> body(core::TaskId id) = 0;  ///< nothing if the task is unknown
  virtual std::optional<core::TaskId> task_with_key(
      std::string_view key) = 0;  ///< `WQ-42`, prefix without regard to case
  /// Gives the task a key and, when it has none, an id and a rank; stores it with its body. The stage follows
  /// from the board's column. On an attached board the number in the key is the one in the files.
  virtual core::Task add(core::Task task) = 0;
  /// Stores a changed task; the body is stored only when `with_body`. The caller has raised `rev`; the stage
  /// follows from the board's column, `children` is not kept.
  virtual void put(core::Task const& task, bool with_body = false) = 0;
  virtual std::vector<core::TaskId> dependents(core::TaskId id) = 0;
  virtual std::vector<core::TaskId> children(core::TaskId id) = 0;
  /// Live claims of `holder` on tasks in ready, claimed or active, over all boards.
  virtual std::vector<core::TaskId> claims_of(std::string_view holder, core::Instant now) = 0;
  /// Tasks that are claimed or active on the board and name files they touch.
  virtual std::vector<core::Task> touching(BoardId board) = 0;
  /// Tasks whose claim ended at or before `now`, by (claim_expires, id), after that pair.
  virtual std::vector<core::Task> expired(core::Instant now, std::pair<core::Instant, core::TaskId> after,
                                          std::size_t limit) = 0;

  /// Offers pickable tasks in pick order until `take` returns true. Cost: one index probe per lane,
  /// column and tag, and one step per task offered; the number of tasks on the board does not matter. `take`
  /// must not write.
  virtual void candidates(PickScope const& scope, core::Instant now,
                          std::function<bool(core::Task const&)> const& take) = 0;
  /// Offers approved tasks of the backlog stage that nothing of their own holds back, in pick order, until
  /// `take` returns true. `take` must not write.
  virtual void waiting_for_room(BoardId board, std::function<bool(core::Task const&)> const& take) = 0;
  /// Ready tasks waiting in a lane, over all boards; for the lights of workers. Counts at most `most`.
  virtual std::int64_t waiting(std::string_view lane, std::int64_t most) = 0;
  /// How many tasks of the asked columns cannot be picked, by reason: blocked, dependency, claimed,
  /// not_before, role: pickable for others, or tag: pickable but without the asked tags. Says why nothing was
  /// picked; counts at most `most` of each.
  virtual std::vector<std::pair<std::string, std::int64_t>> held_back(PickScope const& scope,
                                                                      core::Instant now,
                                                                      std::int64_t most) = 0;

  /// The rank next to `neighbour` in its column, on that side, among tasks of the same class, due date and
  /// priority; `but` is passed over. Empty at the end.
  virtual std::string rank_beside(core::Task const& neighbour, core::TaskId but, Side side) = 0;

  /// Refuses a cursor it did not make.
  virtual core::Result<TaskPage> list(TaskFilter const& filter, Page const& page) = 0;
  virtual std::int64_t count(TaskFilter const& filter) = 0;
  /// Counts the tasks of these columns by column and facets, in one pass that loads no task. A task with
  /// several tags counts under each.
  virtual std::vector<Tally> tally(BoardId board, std::vector<std::string> const& columns,
                                   std::vector<Facet> const& by, core::Date today) = 0;
  /// Finds tasks by words and conditions; names in conditions are those of the board, `board` values and
  /// parents are numbers. A word in the title counts more than one in the body, that more than one in a note;
  /// equals stand by id. Archived tasks are found only when a condition asks for them.
  virtual SearchPage search(core::SearchQuery const& query, core::Instant now, std::size_t limit,
                            std::size_t skip) = 0;
  /// Unfinished tasks of the board with what they wait for, by task; at most `limit` pairs.
  virtual std::vector<std::pair<core::TaskId, core::TaskId>> open_dependencies(BoardId board,
                                                                               std::size_t limit) = 0;

  // Numbers; each read costs what it answers
  /// Tasks finished at or after `since`, in the order they were finished.
  virtual std::vector<Finished> finished(BoardId board, core::Instant since) = 0;
  /// Events of the board at or after `since` that brought tasks into columns, in order.
  virtual std::vector<ColumnMove> moves(std::string_view board, core::Instant since) = 0;
  /// All moves of these tasks, by task and in order.
  virtual std::vector<ColumnMove> moves_of(std::vector<core::TaskId> const& tasks) = 0;
  /// The columns of the board that were renamed, removed or given another stage at or after `since`, in
  /// order.
  virtual std::vector<FormerColumn> former_columns(std::string_view board, core::Instant since) = 0;
  /// Tasks that were started and are not finished, the longest started first.
  virtual std::vector<core::Task> longest_started(BoardId board, std::size_t limit) = 0;
  /// Runs that ended at or after `since`, in the order they ended.
  virtual void runs_ended(core::Instant since, std::function<void(core::Run const&)> const& visit) = 0;

  // Workers
  virtual core::Worker const* worker(std::string_view name) = 0;
  virtual std::vector<core::Worker> workers() = 0;   ///< by name
  virtual void put(core::Worker const& worker) = 0;  ///< adds or replaces
  virtual void remove_worker(std::string_view name) = 0;

  // Runs
  virtual std::optional<core::Run> run(core::RunId id) = 0;
  virtual core::RunId add(core::Run run) = 0;
  virtual void put(core::Run const& run) = 0;
  virtual std::vector<core::Run> runs_of(core::TaskId task) = 0;      ///< by id
  virtual std::vector<core::Run> live_runs() = 0;                     ///< not ended, by id
  virtual std::vector<core::Run> recent_runs(std::size_t limit) = 0;  ///< newest first

  // Automations; those of a board go with it
  virtual std::optional<core::Automation> automation(core::AutomationId id) = 0;
  virtual std::vector<core::Automation> automations() = 0;  ///< by id
  virtual core::AutomationId add(core::Automation automation) = 0;
  virtual void put(core::Automation const& automation) = 0;
  virtual void remove_automation(core::AutomationId id) = 0;

  // History
  /// Numbers the event (gap-free over the store) and keeps it.
  virtual std::int64_t append(core::Event event) = 0;
  virtual std::vector<core::Event> events(EventFilter const& filter) = 0;
  virtual std::int64_t last_seq() = 0;
  /// When a task of the board last came into or left one of those columns; nothing when none ever did.
  virtual std::optional<core::Instant> last_touched(core::Board const& board,
                                                    std::vector<std::string> const& columns) = 0;

  // Credentials, answers to retried requests, settings
  virtual std::optional<Token> token(std::string_view hash) = 0;
  virtual std::vector<Token> tokens() = 0;
  virtual std::vector<Token> tokens_of_run(core::RunId run) = 0;
  virtual std::int64_t add(Token token) = 0;
  virtual void put(Token const& token) = 0;
  virtual void remove_tokens_ended_before(core::Instant at) = 0;
  virtual std::optional<Remembered> remembered(std::string_view key) = 0;
  virtual void remember(std::string_view key, Remembered const& answer) = 0;
  virtual void forget_before(core::Instant at) = 0;
  virtual std::optional<std::string> setting(std::string_view name) = 0;
  virtual void set_setting(std::string_view name, std::string_view value) = 0;
  virtual std::vector<std::pair<std::string, std::string>> settings() = 0;  ///< by name
};

/// What a unit of work wants done with its changes.
enum class Verdict {
  keep,     ///< part of the commit
  discard,  ///< as if it had not run
  again,    ///< discard now and run again when the board has changed or a time has come; for waiting picks
};

/// Trouble of the world. `retry` says whether the same call may work later.
class StoreError : public std::exception {
 public:
  enum class Kind {
    busy,
    no_space,
    read_only,
    damaged,
    newer_schema,
    unusable,     ///< a board's own configuration; the text is for the person who wrote it
    refused,      ///< what was asked for cannot be; the text is for whoever asked
    unreachable,  ///< the files of an attached board; everything else goes on
    other
  };
  StoreError(Kind kind, std::string text) : kind_(kind), text_(std::move(text)) {}
  Kind kind() const { return kind_; }
  char const* what() const noexcept override { return text_.c_str(); }

 private:
  Kind kind_;
  std::string text_;
};

/// May run more than once: what it brings out of the store it assigns anew each time.
using Work = std::move_only_function<Verdict(Tx&)>;
/// Called once, after the changes are on disk (or were discarded); `trouble` is set when they could not be
/// made.
using Done = std::move_only_function<void(std::exception_ptr trouble)>;
using Milliseconds = std::chrono::milliseconds;

/// Remembers boards, tasks, runs and history. Thread-safe. Writers run one after another; a unit is all or
/// nothing; events are in commit order without gaps; `done` is called only when the change is durable.
class Store {
 public:
  virtual ~Store() = default;

  /// Queues a unit of work for the writer. Refuses by calling `done` with StoreError{busy} when the queue is
  /// full. Work that says `again` is run again after later units changed something, until `patience` has
  /// passed (judged by the store's own timer); then it runs a last time, with `again` taken as `discard`. A
  /// unit that looked for candidates is run again only after changes that may concern its columns, lanes and
  /// holders, and when time makes something pickable: it has to ask for the time anew.
  virtual void submit(Work work, Done done, Milliseconds patience = {}) = 0;

  /// Runs a reading unit and returns when it is through; throws what the unit throws.
  virtual void read(std::function<void(Tx&)> const& work) = 0;

  /// Called on a thread of the store after each commit that appended events, with the last seq.
  virtual void on_commit(std::function<void(std::int64_t last_seq)> listener) = 0;

  /// Changes when the data was restored from elsewhere: cursors of the old data mean nothing in the new.
  virtual std::string incarnation() = 0;

  /// Finishes queued work and closes; later calls are refused.
  virtual void close() = 0;
};

/// Runs a unit of work and waits for it; for commands and tests. Rethrows trouble.
void write(Store& store, std::function<Verdict(Tx&)> work);

}  // namespace andon::store
