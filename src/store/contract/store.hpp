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

/// So many tasks may be changed by one unit of work that changes their board.
inline constexpr std::int64_t kMostAtOnce = 100;

enum class Side { before, after };

/// What a pick makes of a task it is offered.
enum class PickAnswer {
  take,
  pass,
  held,  ///< passed over, for somebody holds files that it touches
};

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
  /// Replaces a board by id. Derived columns of its tasks (pick order, column loads) follow: at once when the
  /// tasks are few, else `settling` is set on the board, and they follow as `settle` comes to them. Whoever
  /// sets it lets all tasks be settled anew.
  virtual void put(core::Board const& board) = 0;
  /// The next tasks of a board that is settling, by id; none when all are settled.
  virtual std::vector<core::Task> unsettled(BoardId board, std::size_t limit) = 0;
  /// Derives the task anew and takes it, with all before it, for settled. The stage a task is in ends or
  /// begins to be an end only by `put`.
  virtual void settle(core::TaskId id) = 0;
  /// About how many tasks are unsettled.
  virtual std::int64_t left_to_settle(BoardId board) = 0;
  /// Removes a board that has no tasks, or detaches one with all of its tasks; its files stay.
  virtual void remove_board(BoardId id) = 0;
  /// Forgets so many tasks of a board that is to be removed. True when it has none left.
  virtual bool forget_tasks(BoardId board, std::size_t most) = 0;
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
  /// How many sub-tasks a task has and how many of them are finished; nothing without any. Kept with every
  /// write: one probe.
  virtual std::optional<core::Progress> progress(core::TaskId parent) = 0;
  /// How many levels of sub-tasks stand below a task; counts at most `most`.
  virtual int levels_below(core::TaskId id, int most) = 0;
  /// The newest unfinished task that is to give a verdict on that one.
  virtual std::optional<core::TaskId> open_review_of(core::TaskId id) = 0;
  /// Live claims of `holder` on tasks in ready, claimed or active, over all boards.
  virtual std::vector<core::TaskId> claims_of(std::string_view holder, core::Instant now) = 0;
  /// Tasks that are claimed or active on the board and name files they touch.
  virtual std::vector<core::Task> touching(BoardId board) = 0;
  /// Tasks whose claim ended at or before `now` and is not settled, by (claim_expires, id), after that pair.
  virtual std::vector<core::Task> expired(core::Instant now, std::pair<core::Instant, core::TaskId> after,
                                          std::size_t limit) = 0;

  /// Tasks whose claim ends after that time, by its end; at most `limit`.
  virtual std::vector<core::Task> claims_after(core::Instant at, std::size_t limit) = 0;
  /// Moves the end of every claim that ends after that time. Of attached boards only those of runs: the
  /// others stand in their files.
  virtual void move_claims_after(core::Instant at, core::Duration by) = 0;
  /// Lets every claim that ends after `at` live until `until` at least: those of runs without a board, else
  /// the self-reported ones of that board.
  virtual void extend_claims_after(core::Instant at, core::Instant until, std::optional<BoardId> board) = 0;
  /// Tasks that wait until after that time for their next attempt.
  virtual std::vector<core::Task> retries_after(core::Instant at) = 0;

  /// Notes that the ended claim of a task needs nothing. The claim is not settled any more when the task is
  /// put, its holder becomes a worker, its board becomes strict or its files can be reached again.
  virtual void settle_claim(core::TaskId id) = 0;

  /// Offers pickable tasks in pick order until `judge` takes one. Cost: one index probe per lane, column and
  /// tag, and one step per task offered; the number of tasks on the board does not matter. `judge` must not
  /// write. The writer remembers up to where a queue begins with nothing but held tasks, and offers those
  /// again when files of the board may have been given back. It offers at most 1,000 held ones to a unit that
  /// may write: false says that there are more. Such a unit says `again` and is soon run again, without
  /// patience too.
  virtual bool offer(PickScope const& scope, core::Instant now,
                     std::function<PickAnswer(core::Task const&)> const& judge) = 0;
  /// Offers until `take` returns true.
  bool candidates(PickScope const& scope, core::Instant now,
                  std::function<bool(core::Task const&)> const& take) {
    return offer(scope, now,
                 [&](core::Task const& task) { return take(task) ? PickAnswer::take : PickAnswer::pass; });
  }
  /// Whether `again` is heeded, so that nobody hears now why nothing was found.
  virtual bool may_wait() = 0;
  /// Offers approved tasks of the backlog stage that nothing of their own holds back, in pick order, until
  /// `take` returns true. `take` must not write.
  virtual void waiting_for_room(BoardId board, std::function<bool(core::Task const&)> const& take) = 0;
  /// Everybody who has a task assigned, finished or not. Cost: one index probe each.
  virtual std::vector<std::string> assignees() = 0;
  /// Whether the store is a board of Markdown files, opened by itself.
  virtual bool is_directory() const = 0;
  /// Ready tasks waiting in a lane, over all boards; for the lights of workers. Counts at most `most`.
  virtual std::int64_t waiting(std::string_view queue_key, std::int64_t most) = 0;
  /// How many tasks of the asked columns cannot be picked, by reason: blocked, dependency, claimed,
  /// not_before, role: pickable for others, tag: pickable but without the asked tags, or touches: found held
  /// before. Says why nothing was picked; counts at most `most` of each.
  virtual std::vector<std::pair<std::string, std::int64_t>> held_back(PickScope const& scope,
                                                                      core::Instant now,
                                                                      std::int64_t most) = 0;

  /// The rank next to `neighbour` in its column, on that side, among tasks of the same class, due date and
  /// priority; `but` is passed over. Empty at the end.
  virtual std::string rank_beside(core::Task const& neighbour, core::TaskId but, Side side) = 0;

  /// Refuses a cursor it did not make.
  virtual core::Result<TaskPage> list(TaskFilter const& filter, Page const& page) = 0;
  virtual std::int64_t count(TaskFilter const& filter) = 0;
  /// Tasks of these columns by column and a facet, from counts that are kept with every write. A task with
  /// several tags counts under each. At most the first `most` values, parents by number and others as text.
  virtual std::vector<Tally> tally(BoardId board, std::vector<std::string> const& columns, Facet by,
                                   core::Date today,
                                   std::size_t most = std::numeric_limits<std::size_t>::max()) = 0;
  /// Finds tasks by words and conditions; names in conditions are those of the board, `board` values and
  /// parents are numbers. A word in the title counts more than one in the body, that more than one in a note;
  /// equals stand by id. Words that very many texts have do not rank, and when there are no others the search
  /// may end early. Archived tasks are found only when a condition asks for them.
  virtual SearchPage search(core::SearchQuery const& query, core::Instant now, std::size_t limit,
                            std::size_t skip, core::TaskId after = 0) = 0;
  /// Unfinished tasks of the board with what they wait for, by task; at most `limit` pairs.
  virtual std::vector<std::pair<core::TaskId, core::TaskId>> open_dependencies(BoardId board,
                                                                               std::size_t limit) = 0;

  // Numbers; each read costs what it answers
  static constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max() / 2;
  /// Tasks finished at or after `since`, in the order they were finished; not those put away unfinished.
  virtual std::vector<Finished> finished(BoardId board, core::Instant since,
                                         std::size_t most = kUnlimited) = 0;
  /// The last of them, the last first.
  virtual std::vector<Finished> finished_last(BoardId board, core::Instant since, std::size_t most) = 0;
  /// Events of the board at or after `since` that brought tasks into columns, in order.
  virtual std::vector<ColumnMove> moves(std::string_view board, core::Instant since,
                                        std::size_t most = kUnlimited) = 0;
  /// The same in totals, which stay when the history is trimmed. They are of quarters of an hour, and begin
  /// with the one of `since`.
  virtual std::vector<MoveTotal> move_totals(BoardId board, core::Instant since) = 0;
  virtual std::vector<FinishedTotal> finished_totals(BoardId board, core::Instant since) = 0;
  /// From the day (UTC) of `since` on.
  virtual TimeSpreads time_spreads(BoardId board, core::Instant since) = 0;
  /// Runs on the board that ended at or after the quarter of an hour of `since`, by worker.
  virtual std::vector<RunTotal> run_totals(std::string_view board, core::Instant since) = 0;
  /// How many runs ended at or after `since`; counts at most `most`.
  virtual std::int64_t count_runs_ended(core::Instant since, std::int64_t most) = 0;
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
  virtual std::optional<core::RunGuard> guard(core::RunId run) = 0;
  virtual void put(core::RunId run,
                   core::RunGuard const& guard) = 0;                  ///< adds or replaces; goes with its run
  virtual std::vector<core::Run> runs_of(core::TaskId task) = 0;      ///< by id
  virtual std::vector<core::Run> live_runs() = 0;                     ///< not ended, by id
  virtual std::vector<core::Run> recent_runs(std::size_t limit) = 0;  ///< newest first
  /// Removes at most `most` that ended before that time; returns how many. The last run of each task stays.
  virtual std::int64_t remove_runs_ended_before(core::Instant at, std::size_t most) = 0;
  /// New runs get numbers beyond that one.
  virtual void number_runs_after(core::RunId last) = 0;

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
  /// Removes the events after `after` up to `until` that happened before that time; returns how many. Notes
  /// stay, and the last event of all.
  virtual std::int64_t remove_events(std::int64_t after, std::int64_t until, core::Instant before) = 0;
  /// When a task of the board last came into or left one of those columns; nothing when none ever did.
  virtual std::optional<core::Instant> last_touched(core::Board const& board,
                                                    std::vector<std::string> const& columns) = 0;

  // Credentials, answers to retried requests, settings
  virtual std::optional<Token> token(std::string_view hash) = 0;
  /// By number, those behind `after`; at most `limit`.
  virtual std::vector<Token> tokens(std::int64_t after = 0, std::size_t limit = kUnlimited) = 0;
  virtual std::vector<Token> tokens_of_run(core::RunId run) = 0;
  virtual std::int64_t add(Token token) = 0;
  virtual void put(Token const& token) = 0;
  /// Removes at most `most` that ended before that time; returns how many. Their numbers are not given again.
  virtual std::int64_t remove_tokens_ended_before(core::Instant at, std::size_t most) = 0;
  virtual std::optional<Remembered> remembered(std::string_view key) = 0;
  virtual void remember(std::string_view key, Remembered const& answer) = 0;
  /// Removes at most `most` that were remembered before that time; returns how many.
  virtual std::int64_t forget_before(core::Instant at, std::size_t most) = 0;
  virtual std::optional<std::string> setting(std::string_view name) = 0;
  virtual void set_setting(std::string_view name, std::string_view value) = 0;
  virtual std::vector<std::pair<std::string, std::string>> settings() = 0;  ///< by name

  /// Reads of this unit fail as `overlong` when they have gone on for so long, or when the flag, if there is
  /// one, rises.
  virtual void give_up_after(std::chrono::milliseconds most,
                             std::shared_ptr<std::atomic<bool> const> abandoned) = 0;
};

/// What a unit of work wants done with its changes.
enum class Outcome {
  commit,    ///< part of the commit
  rollback,  ///< as if it had not run
  retry,     ///< discard now and run again when the board has changed or a time has come; for waiting picks
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
    overlong,     ///< a unit read for longer than it may
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
using Work = std::move_only_function<Outcome(Tx&)>;
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
  /// holders, and when time makes something pickable: it has to ask for the time anew. An urgent unit runs
  /// before all that are not, as soon as the one that runs has ended.
  virtual void submit(Work work, Done done, Milliseconds patience = {}, UnitKind kind = {}) = 0;

  /// Runs a reading unit and returns when it is through; throws what the unit throws.
  virtual void read(std::function<void(Tx&)> const& work) = 0;

  /// Called on a thread of the store after each commit that appended events, with the last seq.
  virtual void on_commit(std::function<void(std::int64_t last_seq)> listener) = 0;

  /// How long the writer was held, and by what.
  virtual WriterTimes& writer_times() = 0;

  /// Changes when the data was restored from elsewhere: cursors of the old data mean nothing in the new.
  virtual std::string incarnation() = 0;

  /// Finishes queued work and closes; later calls are refused.
  virtual void close() = 0;
};

/// Runs a unit of work and waits for it; for commands and tests. Rethrows trouble.
void write(Store& store, std::function<Outcome(Tx&)> work);

}  // namespace andon::store
