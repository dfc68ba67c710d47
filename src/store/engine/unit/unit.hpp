#pragma once

#include <array>
#include <utility>

#include "store/contract/store.hpp"
#include "store/engine/counters/board_cache.hpp"
#include "store/engine/counters/changes.hpp"
#include "store/engine/counters/held_queues.hpp"
#include "store/engine/counters/wip_counters.hpp"
#include "store/engine/external_source.hpp"

namespace andon::store::engine {

class PickMerge;

/// The implementation of `Tx` over one connection. Each connection has one, which serves one unit after
/// another.
class Unit final : public Tx {
 public:
  /// How a unit can be undone. With `alone` its first write opens a savepoint. With `with_batch` a unit costs
  /// a tenth less, but undoing it after a write spoils the batch.
  enum class Undo { alone, with_batch };
  /// `places` is not owned and may be null.
  Unit(Session& session, Rights rights, Places* places = nullptr)
      : session_(session), rights_(rights), places_(places) {}
  /// Sets the mirror that gets all changes from now on; null for none. Returns the former one.
  ExternalSource* mirror(ExternalSource* mirror) { return std::exchange(mirror_, mirror); }

  // The life of a unit, for the writer and the readers
  void start_unit(Undo undo = Undo::alone);
  /// Makes the changes of the unit part of the batch.
  void keep_unit();
  void undo_unit();
  /// Whether the batch has changes to commit.
  bool has_written() const { return written_; }
  core::EventSeq seq() const { return numbers_ ? numbers_->seq : core::EventSeq{}; }
  /// Whether a unit without a savepoint was undone after a write, so that nothing of the batch may be
  /// committed.
  bool is_spoiled() const { return spoiled_; }
  /// Writes the data that is kept in memory until the end of the batch.
  void settle();
  /// Call when the batch is committed.
  void committed();
  /// Call when the batch is lost: drops all data that is not in the database.
  void forget();
  /// Whether the unit ran into trouble. Such a unit must not be kept, even when it swallowed the exception.
  bool has_failed() const { return has_trouble_ || session_.state().has_failed; }
  Interest take_interest() { return std::move(interest_); }
  Changes take_changes() { return std::move(changes_); }
  /// The duration from `now` until time alone can make a task pickable; negative when it has already. Nothing
  /// when time makes no task pickable.
  std::optional<core::Duration> until_next_time(core::Instant now);
  /// Allows the unit to be parked when it returns `retry`.
  void let_wait() { again_ = Again::always; }
  /// Allows the unit to be run again when it returns `retry` and there is more to look at than one run may.
  void let_go_on() { again_ = Again::if_unfinished; }
  /// Refuses writes until the next unit; for reading units on the writer's connection.
  void read_only() { may_write_ = false; }
  /// Lets the unit search while the index is behind. The missing texts were written after the unit was asked
  /// for.
  void search_as_it_is() { search_may_lag_ = true; }
  /// Brings stale texts into the full-text index; true when there may be more.
  bool update_search_index();
  /// Indexes all stale texts for this unit alone, on the writer's connection. Undoing the unit undoes the
  /// indexing.
  void update_search_for_now();

  // For a mirror that brings the database up to date
  /// The session that the unit reads and writes.
  Session& session() { return session_; }
  FileTable& files() { return session_.files(); }
  /// The text that distinguishes this database from all others.
  std::string_view incarnation() const { return board_cache_.incarnation(); }
  /// The highest number that a task of the database has or had.
  core::TaskId highest_task() { return core::TaskId{session_.statistics(AskLastNumbers{}).numbers.task}; }
  /// Makes the unit fail after trouble outside the database, even when it swallows the exception.
  void note_trouble() { has_trouble_ = true; }
  /// Call before writing rows other than tasks and boards, so that they become part of the unit.
  void will_write() { before_write(); }
  /// Removes a task with all its rows except its history.
  void erase(core::TaskId id);
  /// Makes the batch commit even when no unit changes anything, because the mirror's own tables were written.
  void commit_index() { written_ = true; }
  /// Gives new tasks numbers above `last`.
  void number_tasks_after(core::TaskId last);
  /// Reserves a task number for a task that will be added later.
  core::TaskId reserve_task();

  core::Board const* board(std::string_view name_or_id) override;
  core::Board const* board(BoardId id) override;
  std::vector<core::Board const*> boards() override;
  BoardId add(core::Board board) override;
  void put(core::Board const& board) override;
  std::vector<core::Task> unsettled(BoardId board, std::size_t limit) override;
  void settle(core::TaskId id) override;
  std::int64_t left_to_settle(BoardId board) override;
  void remove_board(BoardId id) override;
  bool forget_tasks(BoardId board, std::size_t most) override;
  core::Load load(BoardId board) override;

  std::optional<core::Task> task(core::TaskId id) override;
  std::optional<std::string> body(core::TaskId id) override;
  std::optional<core::TaskId> task_with_key(std::string_view key) override;
  core::Task add(core::Task task) override;
  void put(core::Task const& task, bool with_body) override;
  std::vector<core::TaskId> dependents(core::TaskId id) override;
  std::vector<core::TaskId> children(core::TaskId id) override;
  std::optional<core::Progress> progress(core::TaskId parent) override;
  int levels_below(core::TaskId id, int most) override;
  std::optional<core::TaskId> open_review_of(core::TaskId id) override;
  std::vector<core::TaskId> claims_of(std::string_view holder, core::Instant now) override;
  std::vector<core::Task> touching(BoardId board) override;
  std::vector<core::Task> expired(core::Instant now, std::pair<core::Instant, core::TaskId> after,
                                  std::size_t limit) override;
  void settle_claim(core::TaskId id) override;

  std::vector<core::Task> claims_after(core::Instant at, std::size_t limit) override;
  void move_claims_after(core::Instant at, core::Duration by) override;
  void extend_claims_after(core::Instant at, core::Instant until, std::optional<BoardId> board) override;
  std::vector<core::Task> retries_after(core::Instant at) override;

  bool offer(PickScope const& scope, core::Instant now,
             std::function<PickAnswer(core::Task const&)> const& judge) override;
  bool may_wait() override {
    return again_ == Again::always || (again_ == Again::if_unfinished && interest_.is_unfinished);
  }
  void waiting_for_room(BoardId board, std::function<bool(core::Task const&)> const& take) override;
  std::vector<std::string> assignees() override;
  bool is_directory() const override { return places_ && places_->is_directory(); }
  std::int64_t waiting(std::string_view queue_key, std::int64_t most) override;
  std::vector<std::pair<std::string, std::int64_t>> held_back(PickScope const& scope, core::Instant now,
                                                              std::int64_t most) override;

  std::string rank_beside(core::Task const& neighbour, core::TaskId but, Side side) override;
  core::Result<TaskPage> list(TaskFilter const& filter, Page const& page) override;
  std::int64_t count(TaskFilter const& filter) override;
  std::vector<Tally> tally(BoardId board, std::vector<std::string> const& columns, Facet by, core::Date today,
                           std::size_t most) override;
  SearchPage search(core::SearchQuery const& query, core::Instant now, std::size_t limit, std::size_t skip,
                    core::TaskId after) override;
  std::vector<std::pair<core::TaskId, core::TaskId>> open_dependencies(BoardId board,
                                                                       std::size_t limit) override;

  std::vector<Finished> finished(BoardId board, core::Instant since, std::size_t most) override;
  std::vector<Finished> finished_last(BoardId board, core::Instant since, std::size_t most) override;
  std::vector<MoveTotal> move_totals(BoardId board, core::Instant since) override;
  std::vector<FinishedTotal> finished_totals(BoardId board, core::Instant since) override;
  TimeSpreads time_spreads(BoardId board, core::Instant since) override;
  std::vector<RunTotal> run_totals(std::string_view board, core::Instant since) override;
  std::vector<ColumnMove> moves_of(std::vector<core::TaskId> const& tasks) override;
  std::vector<FormerColumn> former_columns(std::string_view board, core::Instant since) override;
  std::vector<core::Task> longest_started(BoardId board, std::size_t limit) override;

  core::Worker const* worker(std::string_view name) override;
  std::vector<core::Worker> workers() override;
  void put(core::Worker const& worker) override;
  void remove_worker(std::string_view name) override;

  std::optional<core::Run> run(core::RunId id) override;
  core::RunId add(core::Run run) override;
  void put(core::Run const& run) override;
  std::optional<core::RunGuard> guard(core::RunId run) override;
  void put(core::RunId run, core::RunGuard const& guard) override;
  std::vector<core::Run> runs_of(core::TaskId task) override;
  std::vector<core::Run> live_runs() override;
  std::vector<core::Run> recent_runs(std::size_t limit) override;
  std::int64_t remove_runs_ended_before(core::Instant at, std::size_t most) override;
  void number_runs_after(core::RunId last) override;

  std::optional<core::Automation> automation(core::AutomationId id) override;
  std::vector<core::Automation> automations() override;
  core::AutomationId add(core::Automation automation) override;
  void put(core::Automation const& automation) override;
  void remove_automation(core::AutomationId id) override;

  core::EventSeq append(core::Event event) override;
  std::vector<core::Event> events(EventFilter const& filter) override;
  core::EventSeq last_seq() override;
  std::vector<core::EventSeq> remove_events(core::EventSeq after, core::EventSeq until,
                                            core::Instant before) override;
  std::optional<core::Instant> last_touched(core::Board const& board,
                                            std::vector<std::string> const& columns) override;

  std::optional<Token> token(std::string_view hash) override;
  std::vector<Token> tokens(core::TokenId after, std::size_t limit) override;
  std::vector<Token> tokens_of_run(core::RunId run) override;
  core::TokenId add(Token token) override;
  void put(Token const& token) override;
  std::int64_t remove_tokens_ended_before(core::Instant at, std::size_t most) override;
  std::optional<Remembered> remembered(std::string_view key) override;
  void remember(std::string_view key, Remembered const& answer) override;
  std::int64_t forget_before(core::Instant at, std::size_t most) override;
  std::optional<std::string> setting(std::string_view name) override;
  void set_setting(std::string_view name, std::string_view value) override;
  std::vector<std::pair<std::string, std::string>> settings() override;
  void give_up_after(std::chrono::milliseconds most,
                     std::shared_ptr<std::atomic<bool> const> abandoned) override {
    session_.start_unit({most, std::move(abandoned)});
  }

 private:
  /// Whether other processes write to the database too.
  bool is_shared() const;
  void reshape();
  /// Called by operations that read more than single tasks.
  void refresh();
  void before_write();
  void set_mark();
  core::Board const& board_of(BoardId id);
  core::Board const& board_named(core::Task const& task);

  /// The task as stored, from the few that the unit read last or from the database; null if unknown.
  core::Task const* kept(core::TaskId id);
  std::optional<core::TaskId> task_of_number(std::string_view prefix, std::int64_t number);
  core::Task& slot();
  void refill(core::Task const& task);
  void clear_slots();
  core::Task named(TaskRow row);
  std::vector<core::Task> named(std::vector<TaskRow> rows);
  /// The answer of the session to the query, of which one kind of records is asked for.
  Records records(RecordsQuery const& query) { return session_.records(query); }
  /// The boards in which the filter can find tasks.
  std::vector<BoardLoad> loads_for(TaskFilter const& filter);
  /// The flow that the totals do not include yet.
  FlowTotals flow_to_come();
  BoardNamed boards_by_name() const;
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
  /// Whether a changed board has too many tasks to derive them in its unit.
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

  Session& session_;
  bool has_trouble_ = false;  ///< noted since the unit began
  Rights rights_;
  Places* places_;
  ExternalSource* mirror_ = nullptr;
  BoardCache board_cache_;
  WipCounters loads_;
  HeldQueues held_;                            ///< of the writer
  HeldQueues held_committed_;                  ///< `held_` at the last commit
  std::optional<LastNumbers> numbers_;         ///< nothing until they are read from the database
  std::optional<LastNumbers> numbers_before_;  ///< the numbers when the unit began
  Interest interest_;
  Changes changes_;
  Changes promoted_;  ///< written outside the savepoint, so it stays when the unit is undone
  std::array<core::Task, 4> slots_;
  std::size_t next_slot_ = 0;
  bool may_write_ = true;
  enum class Again { never, if_unfinished, always };
  Again again_ = Again::never;  ///< when the unit would be run again after `retry`
  int held_offered_ = 0;        ///< the number of held tasks offered to this unit
  bool search_may_lag_ = false;
  bool saw_all_ = false;
  Undo undo_ = Undo::alone;
  bool unit_wrote_ = false;
  bool has_mark_ = false;
  bool spoiled_ = false;
  bool reshaped_ = false;  ///< whether the unit changed boards or workers
  bool written_ = false;
};

/// Brings the full-text index up to date by a series of short units of work.
inline void update_search_index(Store& store) {
  for (bool is_behind = true; is_behind;)
    write(store, [&](Tx& tx) {
      is_behind = static_cast<Unit&>(tx).update_search_index();
      return Outcome::commit;
    });
}

/// While it lives, the transaction reports no changes to the mirror. For changes that bring the database up
/// to the mirror's truth.
class SourceSuspension {
 public:
  explicit SourceSuspension(Unit& tx) : tx_(tx), mirror_(tx.mirror(nullptr)) {}
  ~SourceSuspension() { tx_.mirror(mirror_); }
  SourceSuspension(SourceSuspension const&) = delete;
  SourceSuspension& operator=(SourceSuspension const&) = delete;

 private:
  Unit& tx_;
  ExternalSource* mirror_;
};

}  // namespace andon::store::engine
