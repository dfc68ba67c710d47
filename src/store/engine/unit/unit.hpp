#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/boards/load.hpp"
#include "core/error.hpp"
#include "core/model/automation.hpp"
#include "core/model/board.hpp"
#include "core/model/event.hpp"
#include "core/model/run.hpp"
#include "core/model/task.hpp"
#include "core/model/work_place.hpp"
#include "core/model/worker.hpp"
#include "core/tasks/likeness.hpp"
#include "store/contract/pages.hpp"
#include "store/contract/query.hpp"
#include "store/contract/tx.hpp"
#include "store/engine/counters/board_cache.hpp"
#include "store/engine/counters/changes.hpp"
#include "store/engine/counters/held_queues.hpp"
#include "store/engine/counters/wip_counters.hpp"
#include "store/engine/last_numbers.hpp"
#include "store/engine/unit/kept_tasks.hpp"

namespace andon::core {
struct SearchQuery;
}

namespace andon::store::engine {

struct BoardLoad;
struct Candidate;
struct Derived;
class ExternalSource;
class FileTable;
struct FlowTotals;
class PickMerge;
class Places;
struct Records;
struct RecordsQuery;
enum class Rights;
class Session;
struct Settling;
struct TaskRow;

/// One unit of work. All reads see one state; a write transaction also sees its own changes. Objects returned
/// by pointer live until the unit ends or the object is put again. Not thread-safe; only the thread that runs
/// the unit uses it. I/O errors and corruption are thrown as `StoreError`. Each session has one object, which
/// serves one unit after another.
class Unit final {
 public:
  /// How a unit can be undone. With `alone` its first write opens a savepoint. With `with_batch` a unit costs
  /// a tenth less, but undoing it after a write spoils the batch.
  enum class Undo { alone, with_batch };
  /// `places` is not owned and may be null.
  Unit(Session& session, Rights rights, Places* places = nullptr);
  /// Sets the source that gets all changes from now on; null for none. Returns the former one.
  ExternalSource* source(ExternalSource* source) { return std::exchange(source_, source); }

  // The life of a unit, for the writer and the readers
  void start_unit(Undo undo = Undo::alone);
  /// Makes the changes of the unit part of the batch.
  void keep_unit();
  void undo_unit();
  /// True when the batch has changes to commit.
  bool has_written() const { return batch_.has_written; }
  core::EventSeq seq() const { return numbers_ ? numbers_->seq : core::EventSeq{}; }
  /// True when a unit without a savepoint was undone after a write, or after `spoil`: nothing of the batch
  /// may be committed.
  bool is_spoiled() const { return batch_.is_spoiled; }
  void spoil() { batch_.is_spoiled = true; }
  /// True when the unit that runs has written.
  bool wrote_in_unit() const { return turn_.wrote; }
  /// The bytes of text in the tasks and events that the unit has added.
  std::int64_t added_bytes() const { return turn_.added_bytes; }
  /// Writes the counts that are kept in memory.
  void write_counts();
  /// Writes the counts, and now and then indexes texts and counts changes when enough of them wait.
  void settle();
  /// Call when the batch is committed.
  void committed();
  /// Call when the batch is lost: drops all data that is not in the database.
  void forget();
  /// Call when others have changed the database: drops all data that is kept in memory.
  void forget_all() {
    batch_.held_before.clear();
    forget();
  }
  /// True when the unit ran into trouble. Such a unit must not be kept, even when it swallowed the exception.
  bool has_failed() const;
  Interest take_interest() { return std::move(signals_.interest); }
  Changes take_changes() { return std::move(signals_.changes); }
  /// The duration from `now` until time alone can make a task pickable; negative when it has already. Nothing
  /// when time makes no task pickable.
  std::optional<core::Duration> until_next_time(core::Instant now);
  /// Allows the unit to be parked when it returns `retry`.
  void let_wait() { turn_.again = Again::always; }
  /// Allows the unit to be run again when it returns `retry` and there is more to look at than one run may.
  void let_go_on() { turn_.again = Again::if_unfinished; }
  /// Refuses writes until the next unit; for reading units on the writer's connection.
  void read_only() { turn_.may_write = false; }
  /// Lets the unit search while the index is behind. The missing texts were written after the unit was asked
  /// for.
  void search_as_it_is() { turn_.search_may_lag = true; }
  /// Brings stale texts into the full-text index; true when there may be more.
  bool update_search_index();
  /// Indexes all stale texts for this unit alone, on the writer's connection. Undoing the unit undoes the
  /// indexing.
  void update_search_for_now();

  // For a source that brings the database up to date
  /// The session that the unit reads and writes.
  Session& session() { return session_; }
  FileTable& files();
  /// The text that distinguishes this database from all others.
  std::string_view incarnation() const { return board_cache_.incarnation(); }
  /// The highest number that a task of the database has or had.
  core::TaskId highest_task();
  /// Makes the unit fail after trouble outside the database, even when it swallows the exception.
  void note_trouble() { turn_.has_trouble = true; }
  /// Call before writing rows other than tasks and boards, so that they become part of the unit.
  void will_write() { before_write(); }
  /// Removes a task with all its rows except its history.
  void erase(core::TaskId id);
  /// Makes the batch commit even when no unit changes anything, because the source's own tables were written.
  void commit_index() { batch_.has_written = true; }
  /// Gives new tasks numbers above `last`.
  void number_tasks_after(core::TaskId last);
  /// Reserves a task number for a task that will be added later.
  core::TaskId reserve_task();

  // The unit of work, for the service
  // Boards
  core::Board const* board(std::string_view name_or_id);  ///< archived ones too; null if unknown
  core::Board const* board(BoardId id);
  std::vector<core::Board const*> boards();  ///< by id, archived ones too
  /// Adds a board. A board with a `directory` is attached: its tasks, columns and names are read from the
  /// files there.
  BoardId add(core::Board board);
  /// Replaces a board by id. The store derives the pick order and the column counts of its tasks again. At
  /// most `kMostAtOnce` tasks are derived at once. For more tasks the store sets `settling` on the board, and
  /// each task is derived by a later call of `settle`. A caller that sets `settling` itself causes all tasks
  /// to be settled again.
  void put(core::Board const& board);
  /// The next tasks of a settling board, by id; none when all are settled.
  std::vector<core::Task> unsettled(BoardId board, std::size_t limit);
  /// Derives the task again and marks it and all tasks before it as settled. A task becomes finished or
  /// unfinished only by `put`: the caller puts such a task before it settles it.
  void settle(core::TaskId id);
  /// The approximate number of tasks that are not settled yet.
  std::int64_t left_to_settle(BoardId board);
  /// Removes a board that has no tasks, or detaches an attached board with all of its tasks. The files stay.
  void remove_board(BoardId id);
  /// Removes at most `most` tasks of a board that is to be removed. True when the board has no tasks left.
  bool forget_tasks(BoardId board, std::size_t most);
  /// Tasks per column and unfinished tasks per class. Every write updates these counts.
  core::Load load(BoardId board);

  // Tasks
  std::optional<core::Task> task(core::TaskId id);   ///< without its body
  std::optional<std::string> body(core::TaskId id);  ///< nothing if the task is unknown
  std::optional<core::TaskId> task_with_key(
      std::string_view key);  ///< `WQ-42`, prefix without regard to case
  /// Gives the task a key and, when it has none, an id and a rank; stores it with its body. The stage follows
  /// from the board's column. On an attached board the number in the key is the number in the files.
  core::Task add(core::Task task);
  /// Stores a changed task; the body is stored only when `with_body`. The caller has raised `rev`. The stage
  /// follows from the board's column. `children` is not stored.
  void put(core::Task const& task, bool with_body = false);
  std::vector<core::TaskId> dependents(core::TaskId id);
  std::vector<core::TaskId> children(core::TaskId id);
  /// The tasks of the board that share a key of the sketch and for which `counts` is true, with their bodies,
  /// newest first. Looks at `limit` tasks at most.
  std::vector<core::Task> alike(BoardId board, core::Sketch sketch, std::size_t limit,
                                std::function<bool(core::Task const&)> const& counts);
  /// The number of sub-tasks of a task and how many of them are finished; nothing when it has none. Every
  /// write updates these counts, so a read costs one index probe.
  std::optional<core::Progress> progress(core::TaskId parent);
  /// The number of levels of sub-tasks below a task; counts at most `most`.
  int levels_below(core::TaskId id, int most);
  /// The newest unfinished task that reviews the given task.
  std::optional<core::TaskId> open_review_of(core::TaskId id);
  /// Live claims of `holder` on tasks in ready, claimed or active, over all boards.
  std::vector<core::TaskId> claims_of(std::string_view holder, core::Instant now);
  /// The claimed or active tasks of the board that name the files they touch.
  std::vector<core::Task> touching(BoardId board);
  /// Tasks whose claim ended at or before `now` and is not settled, ordered by (claim_expires, id). The list
  /// begins after the pair `after`.
  std::vector<core::Task> expired(core::Instant now, std::pair<core::Instant, core::TaskId> after,
                                  std::size_t limit);

  /// Tasks whose claim ends after `at`, ordered by that end; at most `limit`.
  std::vector<core::Task> claims_after(core::Instant at, std::size_t limit);
  /// Moves the end of every claim that ends after `at` by `by`. On attached boards only claims of runs are
  /// moved, because the other claims are kept in the files.
  void move_claims_after(core::Instant at, core::Duration by);
  /// Lets every claim that ends after `at` live at least until `until`. Without a board these are the claims
  /// of runs, with a board the self-reported claims on that board.
  void extend_claims_after(core::Instant at, core::Instant until, std::optional<BoardId> board);
  /// Tasks whose next attempt waits for a time after `at`.
  std::vector<core::Task> retries_after(core::Instant at);

  /// Records that the ended claim of a task needs no action. The record is dropped when the task is put, its
  /// holder becomes a worker, its board becomes strict, or the board's files can be reached again.
  void settle_claim(core::TaskId id);

  /// Offers pickable tasks in pick order until `judge` takes one; `judge` must not write. The cost is one
  /// index probe per lane, column and tag and one step per offered task, whatever the size of the board. The
  /// writer remembers how far a queue begins with held tasks only. It offers these tasks again when files of
  /// the board may be free. A unit that may write is offered at most 1,000 held tasks; false means that there
  /// are more. Such a unit returns `retry` and is soon run again, for some seconds even without patience. A
  /// later unit goes on where it ended.
  bool offer(PickScope const& scope, core::Instant now,
             std::function<PickAnswer(core::Task const&)> const& judge);
  /// Offers tasks until `take` returns true.
  bool candidates(PickScope const& scope, core::Instant now,
                  std::function<bool(core::Task const&)> const& take) {
    return offer(scope, now,
                 [&](core::Task const& task) { return take(task) ? PickAnswer::take : PickAnswer::pass; });
  }
  /// True when the store would run the unit again if it returned `retry` now. Then the caller need not
  /// explain yet why it found nothing.
  bool may_wait() {
    return turn_.again == Again::always ||
           (turn_.again == Again::if_unfinished && signals_.interest.is_unfinished);
  }
  /// Offers approved tasks of the backlog stage that wait only for room, in pick order, until `take` returns
  /// true. `take` must not write.
  void waiting_for_room(BoardId board, std::function<bool(core::Task const&)> const& take);
  /// The names of all assignees of tasks, finished or not. Cost: one index probe per name.
  std::vector<std::string> assignees();
  /// True when the store is a single board of Markdown files.
  bool is_directory() const;
  /// The number of ready tasks in a lane over all boards, for the worker status. Counts at most `most`.
  std::int64_t waiting(std::string_view queue_key, std::int64_t most);
  /// How many tasks of the asked columns cannot be picked, by reason, so that a pick can explain an empty
  /// result. The reasons are: blocked, dependency, claimed, not_before, approval (pickable once a person has
  /// read the task), role (pickable for others), tag (pickable but without the asked tags), and touches
  /// (found held before). Counts at most `most` of each and looks at `most` tasks that their own fields hold
  /// back, so the cost does not grow with the board.
  std::vector<std::pair<std::string, std::int64_t>> held_back(PickScope const& scope, core::Instant now,
                                                              std::int64_t most);

  /// The rank of the task directly beside `neighbour` in its column, on the given side. Only tasks of its
  /// class, due date and priority count; `but` is passed over. Empty when no task is on that side.
  std::string rank_beside(core::Task const& neighbour, core::TaskId but, Side side);

  /// Refuses a cursor that the store did not make.
  core::Result<TaskPage> list(TaskFilter const& filter, Page const& page);
  std::int64_t count(TaskFilter const& filter);
  /// Counts the tasks of these columns by column and facet value; every write updates these counts. A task
  /// with several tags counts under each tag. Returns at most the first `most` values, parents ordered by
  /// number and other values as text.
  std::vector<Tally> tally(BoardId board, std::vector<std::string> const& columns, Facet by, core::Date today,
                           std::size_t most = std::numeric_limits<std::size_t>::max());
  /// Finds tasks by words and conditions. Names in conditions are those of the board; `board` values and
  /// parents are numbers. A word in the title weighs more than one in the body, and one in the body more than
  /// one in a note. Hits of equal weight are ordered by id. Words that very many texts have do not affect the
  /// ranking. A search with only such words may end early. Archived tasks are found only when a condition
  /// asks for them.
  SearchPage search(core::SearchQuery const& query, core::Instant now, std::size_t limit, std::size_t skip,
                    core::TaskId after = 0);
  /// Pairs of an unfinished task of the board and a task it waits for, by task; at most `limit` pairs.
  std::vector<std::pair<core::TaskId, core::TaskId>> open_dependencies(BoardId board, std::size_t limit);

  // Statistics; the cost of each read grows with its answer only
  static constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max() / 2;
  /// Tasks finished at or after `since`, in the order of completion. Tasks archived unfinished do not count.
  std::vector<Finished> finished(BoardId board, core::Instant since, std::size_t most = kUnlimited);
  /// The tasks finished last at or after `since`, newest first.
  std::vector<Finished> finished_last(BoardId board, core::Instant since, std::size_t most);
  /// The events of the board that brought tasks into columns, as totals per quarter of an hour, which remain
  /// when the history is trimmed. The first total is that of the quarter of an hour that contains `since`.
  std::vector<MoveTotal> move_totals(BoardId board, core::Instant since);
  std::vector<FinishedTotal> finished_totals(BoardId board, core::Instant since);
  /// The lead and cycle times from the day (UTC) of `since` on.
  TimeSpreads time_spreads(BoardId board, core::Instant since);
  /// Totals per worker of the runs on the board that ended in the quarter of an hour of `since` or later.
  std::vector<RunTotal> run_totals(std::string_view board, core::Instant since);
  /// The tasks of each board, finished last, whose moves remain when the history is trimmed.
  static constexpr std::size_t kMostTraced = 1'000;
  /// All moves of the given tasks, ordered by task and time.
  std::vector<ColumnMove> moves_of(std::vector<core::TaskId> const& tasks);
  /// The columns of the board that were renamed, removed or given another stage at or after `since`, in
  /// order.
  std::vector<FormerColumn> former_columns(std::string_view board, core::Instant since);
  /// Started and unfinished tasks, the longest started first.
  std::vector<core::Task> longest_started(BoardId board, std::size_t limit);

  // Workers
  core::Worker const* worker(std::string_view name);
  std::vector<core::Worker> workers();   ///< by name
  void put(core::Worker const& worker);  ///< adds or replaces
  void remove_worker(std::string_view name);

  // Runs
  std::optional<core::Run> run(core::RunId id);
  core::RunId add(core::Run run);
  void put(core::Run const& run);
  std::optional<core::RunGuard> guard(core::RunId run);
  void put(core::RunId run,
           core::RunGuard const& guard);                  ///< adds or replaces; removed with its run
  std::vector<core::Run> runs_of(core::TaskId task);      ///< by id
  std::vector<core::Run> live_runs();                     ///< not ended, by id
  std::vector<core::Run> recent_runs(std::size_t limit);  ///< newest first
  /// Removes at most `most` runs that ended before `at`; returns how many. The last run of each task stays.
  std::int64_t remove_runs_ended_before(core::Instant at, std::size_t most);
  /// Gives new runs numbers above `last`.
  void number_runs_after(core::RunId last);

  // Automations; removing a board removes its automations
  std::optional<core::Automation> automation(core::AutomationId id);
  std::vector<core::Automation> automations();  ///< by id
  core::AutomationId add(core::Automation automation);
  void put(core::Automation const& automation);
  void remove_automation(core::AutomationId id);

  // History
  /// Gives the event the next number (without gaps over the whole store) and stores it.
  core::EventSeq append(core::Event event);
  std::vector<core::Event> events(EventFilter const& filter);
  core::EventSeq last_seq();
  /// Removes the events after `after` up to `until` that happened before `before`; returns their numbers.
  /// Notes and the very last event stay, and what metrics cannot do without: changes of columns, and the
  /// moves of started tasks that are not finished or are among the `kMostTraced` of their board finished
  /// last.
  std::vector<core::EventSeq> remove_events(core::EventSeq after, core::EventSeq until, core::Instant before);
  /// When a task of the board last entered or left one of the columns; nothing when none ever did.
  std::optional<core::Instant> last_touched(core::Board const& board,
                                            std::vector<std::string> const& columns);

  // Credentials, answers to retried requests, settings
  std::optional<Token> token(std::string_view hash);
  /// The first token whose hash begins with these hex digits.
  std::optional<Token> token_beginning_with(std::string_view digits);
  /// Tokens ordered by number, beginning after `after`; at most `limit`.
  std::vector<Token> tokens(core::TokenId after = 0, std::size_t limit = kUnlimited);
  std::vector<Token> tokens_of_run(core::RunId run);
  core::TokenId add(Token token);
  void put(Token const& token);
  /// Removes at most `most` tokens that expired or were revoked before `at`; returns how many. Their numbers
  /// are not given again.
  std::int64_t remove_tokens_ended_before(core::Instant at, std::size_t most);
  std::optional<Remembered> remembered(std::string_view key);
  void remember(std::string_view key, Remembered const& answer);
  /// Removes at most `most` answers that were remembered before `at`; returns how many.
  std::int64_t forget_before(core::Instant at, std::size_t most);
  std::optional<std::string> setting(std::string_view name);
  void set_setting(std::string_view name, std::string_view value);
  std::vector<std::pair<std::string, std::string>> settings();  ///< by name

  /// Makes reads of this unit fail as `overlong` after the given time, or when the flag, if there is one,
  /// becomes true.
  void give_up_after(std::chrono::milliseconds most, std::shared_ptr<std::atomic<bool> const> abandoned);

 private:
  /// True when other processes write to the database too.
  bool is_shared() const;
  void reshape();
  /// Called by operations that read more than single tasks.
  void refresh();
  void before_write();
  void set_mark();
  core::Board const& board_of(BoardId id);
  core::Board const& board_named(core::Task const& task);

  /// The task as stored; null if unknown.
  core::Task const* kept(core::TaskId id);
  std::optional<core::TaskId> task_of_number(std::string_view prefix, std::int64_t number);
  /// True when tasks that are kept from former units are as they are stored.
  bool may_keep_tasks() const;
  std::optional<core::Sketch> new_sketch(core::Task const& before, core::Task const& task, bool with_body);
  core::Task named(TaskRow row);
  std::vector<core::Task> named(std::vector<TaskRow> rows);
  /// The answer of the session to the query, of which one kind of records is asked for.
  Records records(RecordsQuery const& query);
  /// The boards in which the filter can find tasks.
  std::vector<BoardLoad> loads_for(TaskFilter const& filter);
  /// The flow that the totals do not include yet.
  FlowTotals flow_to_come();
  std::function<core::Board const*(std::string_view name)> boards_by_name() const;
  /// True now and then, at the end of a batch.
  bool is_look_due();
  /// Counts the changed tasks and events when enough of them wait.
  void settle_counts();
  void settle_counts_now();
  void drop_counts(core::Board const& board);
  std::vector<core::Automation> automations_in(RecordsQuery const& query);

  /// Marks the ended claims of a board for another look, when the change of the board concerns them.
  void unsettle_claims(core::Board const& before, core::Board const& board);
  /// Lets tasks that touch files of the board be picked again.
  void give_files_back(BoardId board);
  void note_move(core::Task const& task, core::Task const* before, core::Board const& board,
                 Derived const& derived);
  /// True when a changed board has too many tasks to derive them in its unit.
  bool is_to_settle(core::Board const& board);
  std::optional<Settling> settling(BoardId board);
  void begin_to_settle(core::Board& board);
  void forget_task(core::TaskId id);
  void end_settling(BoardId board);
  void derive_tasks_of(core::Board const& board);
  Derived put_derived(core::Task const& task, core::Task const& before, core::Board const& board);
  void promote(core::Instant now);
  bool walk(PickScope const& scope, PickMerge order, core::Instant now,
            std::function<PickAnswer(core::Task const&)> const& judge);
  core::Instant files_free_at(BoardId board, core::Instant now);
  /// Numbers of tasks by the reason why they cannot be picked.
  using HeldBack = std::map<std::string_view, std::int64_t>;
  std::vector<core::EventSeq> traced_events(core::EventSeq after, core::EventSeq until);
  std::int64_t held_before(PickScope const& scope, core::Instant now, std::int64_t most);
  std::vector<Candidate> due_in(PickScope const& scope, core::Instant now);
  std::int64_t pickable_in(BoardId board, std::string_view column, std::string_view queue_key,
                           std::int64_t most);
  void count_aside(PickScope const& scope, core::Instant now, std::int64_t most, HeldBack& counts);
  void count_other_queues(PickScope const& scope, std::int64_t most, HeldBack& counts);
  std::int64_t without_tags(PickScope const& scope, core::Instant now, std::int64_t most);
  PickScope without_empty_columns(PickScope const& scope);

  enum class Again { never, if_unfinished, always };
  /// The state of the unit that runs.
  struct Turn {
    Undo undo = Undo::alone;
    bool may_write = true;
    bool wrote = false;
    bool has_mark = false;
    bool has_trouble = false;  ///< noted outside the database
    bool reshaped = false;     ///< the unit changed boards or workers
    bool saw_all = false;
    bool search_may_lag = false;
    Again again = Again::never;  ///< when the unit would be run again after `retry`
    int held_offered = 0;        ///< the number of held tasks offered to this unit
    std::int64_t added_bytes = 0;
    std::optional<LastNumbers> numbers_before{};
  };
  /// The facts by which parked units learn of changes, and this one of those it waits for.
  struct Signals {
    Interest interest{};
    Changes changes{};
    Changes promoted{};  ///< written before the mark, so it stays when the unit is undone
  };
  struct BatchState {
    bool is_spoiled = false;
    bool has_written = false;
    std::optional<int> unlooked{};  ///< writes since the unit asked whether much waits to be counted
    HeldQueues held_before{};       ///< `held_` at the last commit
  };

  Session& session_;
  Rights rights_;
  Places* places_;
  ExternalSource* source_ = nullptr;
  BoardCache board_cache_;
  WipCounters loads_;
  HeldQueues held_;
  std::optional<LastNumbers> numbers_;  ///< nothing until they are read from the database
  KeptTasks tasks_;
  Turn turn_;
  Signals signals_;
  BatchState batch_;
};

/// While it lives, the unit reports no changes to the source. For changes that bring the database up
/// to the source's truth.
class SourceSuspension {
 public:
  explicit SourceSuspension(Unit& tx) : tx_(tx), source_(tx.source(nullptr)) {}
  ~SourceSuspension() { tx_.source(source_); }
  SourceSuspension(SourceSuspension const&) = delete;
  SourceSuspension& operator=(SourceSuspension const&) = delete;

 private:
  Unit& tx_;
  ExternalSource* source_;
};

}  // namespace andon::store::engine
