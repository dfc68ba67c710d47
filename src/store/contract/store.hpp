#pragma once

#include <atomic>
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

#include "core/boards/wip.hpp"
#include "core/error.hpp"
#include "core/model/automation.hpp"
#include "core/model/board.hpp"
#include "core/model/event.hpp"
#include "core/model/run.hpp"
#include "core/model/task.hpp"
#include "core/model/work_place.hpp"
#include "core/model/worker.hpp"
#include "store/contract/query.hpp"
#include "store/contract/writer_times.hpp"

namespace andon::store {

using core::BoardId;

/// The most tasks that the unit of work that changes a board may change with it.
inline constexpr std::int64_t kMostAtOnce = 100;

enum class Side { before, after };

/// The answer of a pick to a task that the store offers.
enum class PickAnswer {
  take,
  pass,
  held,  ///< passed over, because another task holds files that it touches
};

/// One unit of work. All reads see one state; a write transaction also sees its own changes. Objects returned
/// by pointer live until the unit ends or the object is put again. Not thread-safe; only the thread that runs
/// the unit uses it. I/O errors and corruption are thrown as `StoreError`.
class Tx {
 public:
  virtual ~Tx() = default;

  // Boards
  virtual core::Board const* board(std::string_view name_or_id) = 0;  ///< archived ones too; null if unknown
  virtual core::Board const* board(BoardId id) = 0;
  virtual std::vector<core::Board const*> boards() = 0;  ///< by id, archived ones too
  /// Adds a board. A board with a `directory` is attached: its tasks, columns and names are read from the
  /// files there.
  virtual BoardId add(core::Board board) = 0;
  /// Replaces a board by id. The store derives the pick order and the column counts of its tasks again. At
  /// most `kMostAtOnce` tasks are derived at once. For more tasks the store sets `settling` on the board, and
  /// each task is derived by a later call of `settle`. A caller that sets `settling` itself causes all tasks
  /// to be settled again.
  virtual void put(core::Board const& board) = 0;
  /// The next tasks of a settling board, by id; none when all are settled.
  virtual std::vector<core::Task> unsettled(BoardId board, std::size_t limit) = 0;
  /// Derives the task again and marks it and all tasks before it as settled. A task becomes finished or
  /// unfinished only by `put`: the caller puts such a task before it settles it.
  virtual void settle(core::TaskId id) = 0;
  /// The approximate number of tasks that are not settled yet.
  virtual std::int64_t left_to_settle(BoardId board) = 0;
  /// Removes a board that has no tasks, or detaches an attached board with all of its tasks. The files stay.
  virtual void remove_board(BoardId id) = 0;
  /// Removes at most `most` tasks of a board that is to be removed. True when the board has no tasks left.
  virtual bool forget_tasks(BoardId board, std::size_t most) = 0;
  /// Tasks per column and unfinished tasks per class. Every write updates these counts.
  virtual core::Load load(BoardId board) = 0;

  // Tasks
  virtual std::optional<core::Task> task(core::TaskId id) = 0;   ///< without its body
  virtual std::optional<std::string> body(core::TaskId id) = 0;  ///< nothing if the task is unknown
  virtual std::optional<core::TaskId> task_with_key(
      std::string_view key) = 0;  ///< `WQ-42`, prefix without regard to case
  /// Gives the task a key and, when it has none, an id and a rank; stores it with its body. The stage follows
  /// from the board's column. On an attached board the number in the key is the number in the files.
  virtual core::Task add(core::Task task) = 0;
  /// Stores a changed task; the body is stored only when `with_body`. The caller has raised `rev`. The stage
  /// follows from the board's column. `children` is not stored.
  virtual void put(core::Task const& task, bool with_body = false) = 0;
  virtual std::vector<core::TaskId> dependents(core::TaskId id) = 0;
  virtual std::vector<core::TaskId> children(core::TaskId id) = 0;
  /// The number of sub-tasks of a task and how many of them are finished; nothing when it has none. Every
  /// write updates these counts, so a read costs one index probe.
  virtual std::optional<core::Progress> progress(core::TaskId parent) = 0;
  /// The number of levels of sub-tasks below a task; counts at most `most`.
  virtual int levels_below(core::TaskId id, int most) = 0;
  /// The newest unfinished task that reviews the given task.
  virtual std::optional<core::TaskId> open_review_of(core::TaskId id) = 0;
  /// Live claims of `holder` on tasks in ready, claimed or active, over all boards.
  virtual std::vector<core::TaskId> claims_of(std::string_view holder, core::Instant now) = 0;
  /// The claimed or active tasks of the board that name the files they touch.
  virtual std::vector<core::Task> touching(BoardId board) = 0;
  /// Tasks whose claim ended at or before `now` and is not settled, ordered by (claim_expires, id). The list
  /// begins after the pair `after`.
  virtual std::vector<core::Task> expired(core::Instant now, std::pair<core::Instant, core::TaskId> after,
                                          std::size_t limit) = 0;

  /// Tasks whose claim ends after `at`, ordered by that end; at most `limit`.
  virtual std::vector<core::Task> claims_after(core::Instant at, std::size_t limit) = 0;
  /// Moves the end of every claim that ends after `at` by `by`. On attached boards only claims of runs are
  /// moved, because the other claims are kept in the files.
  virtual void move_claims_after(core::Instant at, core::Duration by) = 0;
  /// Lets every claim that ends after `at` live at least until `until`. Without a board these are the claims
  /// of runs, with a board the self-reported claims on that board.
  virtual void extend_claims_after(core::Instant at, core::Instant until, std::optional<BoardId> board) = 0;
  /// Tasks whose next attempt waits for a time after `at`.
  virtual std::vector<core::Task> retries_after(core::Instant at) = 0;

  /// Records that the ended claim of a task needs no action. The record is dropped when the task is put, its
  /// holder becomes a worker, its board becomes strict, or the board's files can be reached again.
  virtual void settle_claim(core::TaskId id) = 0;

  /// Offers pickable tasks in pick order until `judge` takes one; `judge` must not write. The cost is one
  /// index probe per lane, column and tag and one step per offered task, whatever the size of the board. The
  /// writer remembers how far a queue begins with held tasks only. It offers these tasks again when files of
  /// the board may be free. A unit that may write is offered at most 1,000 held tasks; false means that there
  /// are more. Such a unit returns `retry` and is soon run again, for some seconds even without patience. A
  /// later unit goes on where it ended.
  virtual bool offer(PickScope const& scope, core::Instant now,
                     std::function<PickAnswer(core::Task const&)> const& judge) = 0;
  /// Offers tasks until `take` returns true.
  bool candidates(PickScope const& scope, core::Instant now,
                  std::function<bool(core::Task const&)> const& take) {
    return offer(scope, now,
                 [&](core::Task const& task) { return take(task) ? PickAnswer::take : PickAnswer::pass; });
  }
  /// Whether the store would run the unit again if it returned `retry` now. Then the caller need not explain
  /// yet why it found nothing.
  virtual bool may_wait() = 0;
  /// Offers approved tasks of the backlog stage that wait only for room, in pick order, until `take` returns
  /// true. `take` must not write.
  virtual void waiting_for_room(BoardId board, std::function<bool(core::Task const&)> const& take) = 0;
  /// The names of all assignees of tasks, finished or not. Cost: one index probe per name.
  virtual std::vector<std::string> assignees() = 0;
  /// Whether the store is a single board of Markdown files.
  virtual bool is_directory() const = 0;
  /// The number of ready tasks in a lane over all boards, for the worker status. Counts at most `most`.
  virtual std::int64_t waiting(std::string_view queue_key, std::int64_t most) = 0;
  /// How many tasks of the asked columns cannot be picked, by reason, so that a pick can explain an empty
  /// result. The reasons are: blocked, dependency, claimed, not_before, approval (pickable once a person has
  /// read the task), role (pickable for others), tag (pickable but without the asked tags), and touches
  /// (found held before). Counts at most `most` of each and looks at `most` tasks that their own fields hold
  /// back, so the cost does not grow with the board.
  virtual std::vector<std::pair<std::string, std::int64_t>> held_back(PickScope const& scope,
                                                                      core::Instant now,
                                                                      std::int64_t most) = 0;

  /// The rank of the task directly beside `neighbour` in its column, on the given side. Only tasks of its
  /// class, due date and priority count; `but` is passed over. Empty when no task is on that side.
  virtual std::string rank_beside(core::Task const& neighbour, core::TaskId but, Side side) = 0;

  /// Refuses a cursor that the store did not make.
  virtual core::Result<TaskPage> list(TaskFilter const& filter, Page const& page) = 0;
  virtual std::int64_t count(TaskFilter const& filter) = 0;
  /// Counts the tasks of these columns by column and facet value; every write updates these counts. A task
  /// with several tags counts under each tag. Returns at most the first `most` values, parents ordered by
  /// number and other values as text.
  virtual std::vector<Tally> tally(BoardId board, std::vector<std::string> const& columns, Facet by,
                                   core::Date today,
                                   std::size_t most = std::numeric_limits<std::size_t>::max()) = 0;
  /// Finds tasks by words and conditions. Names in conditions are those of the board; `board` values and
  /// parents are numbers. A word in the title weighs more than one in the body, and one in the body more than
  /// one in a note. Hits of equal weight are ordered by id. Words that very many texts have do not affect the
  /// ranking. A search with only such words may end early. Archived tasks are found only when a condition
  /// asks for them.
  virtual SearchPage search(core::SearchQuery const& query, core::Instant now, std::size_t limit,
                            std::size_t skip, core::TaskId after = 0) = 0;
  /// Pairs of an unfinished task of the board and a task it waits for, by task; at most `limit` pairs.
  virtual std::vector<std::pair<core::TaskId, core::TaskId>> open_dependencies(BoardId board,
                                                                               std::size_t limit) = 0;

  // Statistics; the cost of each read grows with its answer only
  static constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max() / 2;
  /// Tasks finished at or after `since`, in the order of completion. Tasks archived unfinished do not count.
  virtual std::vector<Finished> finished(BoardId board, core::Instant since,
                                         std::size_t most = kUnlimited) = 0;
  /// The tasks finished last at or after `since`, newest first.
  virtual std::vector<Finished> finished_last(BoardId board, core::Instant since, std::size_t most) = 0;
  /// The events of the board that brought tasks into columns, as totals per quarter of an hour, which remain
  /// when the history is trimmed. The first total is that of the quarter of an hour that contains `since`.
  virtual std::vector<MoveTotal> move_totals(BoardId board, core::Instant since) = 0;
  virtual std::vector<FinishedTotal> finished_totals(BoardId board, core::Instant since) = 0;
  /// The lead and cycle times from the day (UTC) of `since` on.
  virtual TimeSpreads time_spreads(BoardId board, core::Instant since) = 0;
  /// Totals per worker of the runs on the board that ended in the quarter of an hour of `since` or later.
  virtual std::vector<RunTotal> run_totals(std::string_view board, core::Instant since) = 0;
  /// The tasks of each board, finished last, whose moves remain when the history is trimmed.
  static constexpr std::size_t kMostTraced = 1'000;
  /// All moves of the given tasks, ordered by task and time.
  virtual std::vector<ColumnMove> moves_of(std::vector<core::TaskId> const& tasks) = 0;
  /// The columns of the board that were renamed, removed or given another stage at or after `since`, in
  /// order.
  virtual std::vector<FormerColumn> former_columns(std::string_view board, core::Instant since) = 0;
  /// Started and unfinished tasks, the longest started first.
  virtual std::vector<core::Task> longest_started(BoardId board, std::size_t limit) = 0;

  // Workers
  virtual core::Worker const* worker(std::string_view name) = 0;
  virtual std::vector<core::Worker> workers() = 0;   ///< by name
  virtual void put(core::Worker const& worker) = 0;  ///< adds or replaces
  virtual void remove_worker(std::string_view name) = 0;

  // Runs
  virtual std::optional<core::Run> run(core::RunId id) = 0;
  virtual core::RunId add(core::Run run) = 0;
  virtual void put(core::Run const& run) = 0;
  virtual std::optional<core::RunGuard> guard(core::RunId run) = 0;
  virtual void put(core::RunId run,
                   core::RunGuard const& guard) = 0;              ///< adds or replaces; removed with its run
  virtual std::vector<core::Run> runs_of(core::TaskId task) = 0;  ///< by id
  virtual std::vector<core::Run> live_runs() = 0;                 ///< not ended, by id
  virtual std::vector<core::Run> recent_runs(std::size_t limit) = 0;  ///< newest first
  /// Removes at most `most` runs that ended before `at`; returns how many. The last run of each task stays.
  virtual std::int64_t remove_runs_ended_before(core::Instant at, std::size_t most) = 0;
  /// Gives new runs numbers above `last`.
  virtual void number_runs_after(core::RunId last) = 0;

  // Automations; removing a board removes its automations
  virtual std::optional<core::Automation> automation(core::AutomationId id) = 0;
  virtual std::vector<core::Automation> automations() = 0;  ///< by id
  virtual core::AutomationId add(core::Automation automation) = 0;
  virtual void put(core::Automation const& automation) = 0;
  virtual void remove_automation(core::AutomationId id) = 0;

  // History
  /// Gives the event the next number (without gaps over the whole store) and stores it.
  virtual core::EventSeq append(core::Event event) = 0;
  virtual std::vector<core::Event> events(EventFilter const& filter) = 0;
  virtual core::EventSeq last_seq() = 0;
  /// Removes the events after `after` up to `until` that happened before `before`; returns their numbers.
  /// Notes and the very last event stay, and what metrics cannot do without: changes of columns, and the
  /// moves of started tasks that are not finished or are among the `kMostTraced` of their board finished
  /// last.
  virtual std::vector<core::EventSeq> remove_events(core::EventSeq after, core::EventSeq until,
                                                    core::Instant before) = 0;
  /// When a task of the board last entered or left one of the columns; nothing when none ever did.
  virtual std::optional<core::Instant> last_touched(core::Board const& board,
                                                    std::vector<std::string> const& columns) = 0;

  // Credentials, answers to retried requests, settings
  virtual std::optional<Token> token(std::string_view hash) = 0;
  /// Tokens ordered by number, beginning after `after`; at most `limit`.
  virtual std::vector<Token> tokens(core::TokenId after = 0, std::size_t limit = kUnlimited) = 0;
  virtual std::vector<Token> tokens_of_run(core::RunId run) = 0;
  virtual core::TokenId add(Token token) = 0;
  virtual void put(Token const& token) = 0;
  /// Removes at most `most` tokens that expired or were revoked before `at`; returns how many. Their numbers
  /// are not given again.
  virtual std::int64_t remove_tokens_ended_before(core::Instant at, std::size_t most) = 0;
  virtual std::optional<Remembered> remembered(std::string_view key) = 0;
  virtual void remember(std::string_view key, Remembered const& answer) = 0;
  /// Removes at most `most` answers that were remembered before `at`; returns how many.
  virtual std::int64_t forget_before(core::Instant at, std::size_t most) = 0;
  virtual std::optional<std::string> setting(std::string_view name) = 0;
  virtual void set_setting(std::string_view name, std::string_view value) = 0;
  virtual std::vector<std::pair<std::string, std::string>> settings() = 0;  ///< by name

  /// Makes reads of this unit fail as `overlong` after the given time, or when the flag, if there is one,
  /// becomes true.
  virtual void give_up_after(std::chrono::milliseconds most,
                             std::shared_ptr<std::atomic<bool> const> abandoned) = 0;
};

/// The result of a unit of work: the fate of its changes.
enum class Outcome {
  commit,    ///< the changes become part of the commit
  rollback,  ///< as if it had not run
  retry,     ///< discard now and run again when the board has changed or a time has come; for waiting picks
};

/// A failure outside the rules of the domain, such as one of the disk. `kind` shows whether the same call may
/// succeed later.
class StoreError : public std::exception {
 public:
  enum class Kind {
    busy,
    no_space,
    read_only,
    damaged,
    gone,  ///< the file is not the one any more that was opened; the text says what to do
    newer_schema,
    unusable,     ///< the configuration of a board is invalid; the text is for its author
    refused,      ///< the request is impossible; the text is for the caller
    unreachable,  ///< the files of an attached board; all other boards still work
    overlong,     ///< a unit read for longer than its limit
    other
  };
  StoreError(Kind kind, std::string text) : kind_(kind), text_(std::move(text)) {}
  Kind kind() const { return kind_; }
  char const* what() const noexcept override { return text_.c_str(); }

 private:
  Kind kind_;
  std::string text_;
};

/// A unit of work. It may run more than once, so it must overwrite its outputs and never accumulate them.
using Work = std::move_only_function<Outcome(Tx&)>;
/// Called once, after the changes are on disk or were discarded; `trouble` is set when the changes failed.
using Done = std::move_only_function<void(std::exception_ptr trouble)>;
using Milliseconds = std::chrono::milliseconds;

/// Keeps boards, tasks, runs and history. Thread-safe. Writing units run one after another. A unit takes
/// effect completely or not at all. Events are in commit order without gaps. `done` is called only when the
/// change is durable.
class Store {
 public:
  virtual ~Store() = default;

  /// Queues a unit of work for the writer. Calls `done` with StoreError{busy} when the queue is full. Work
  /// that returns `retry` is run again after later units changed something, until `patience` has passed on
  /// the store's own timer. Then it runs a last time, and `retry` counts as `rollback`. A unit that looked
  /// for candidates is run again only after changes that may concern its columns, lanes and holders, or when
  /// time makes a task pickable. It must therefore read the clock again on each run. An urgent unit runs
  /// before all other units, as soon as the running unit has ended.
  virtual void submit(Work work, Done done, Milliseconds patience = {}, UnitKind kind = {}) = 0;

  /// Runs a reading unit and returns when it has ended; throws what the unit throws.
  virtual void read(std::function<void(Tx&)> const& work) = 0;

  /// Registers a listener that a thread of the store calls after each commit that appended events, with the
  /// number of the last event.
  virtual void on_commit(std::function<void(core::EventSeq last_seq)> listener) = 0;

  /// The times for which the writer was busy, by act.
  virtual WriterTimes& writer_times() = 0;

  /// The name of the data's history. It changes when the data is restored from a backup: cursors of the old
  /// data are invalid in the new data.
  virtual std::string incarnation() = 0;

  /// Finishes queued work and closes the store; later calls are refused.
  virtual void close() = 0;
};

/// Runs a unit of work and waits for it; for commands and tests. Rethrows the trouble of the unit.
void write(Store& store, std::function<Outcome(Tx&)> work);

}  // namespace andon::store
