// begin, then `attempt` for each unit, `settle` after the queued ones, then `commit` or `roll_back`.
//
// Nearly every unit is kept or has written nothing, so queued units have no savepoints and their changes wait
// together in memory (`Undo::with_batch`). The transaction is spoiled when such a unit is undone after it has
// written, when the database refuses a call of it, or when it refuses the changes that wait. Then
// `start_over` rolls it back and its units run again, each alone (`Undo::alone`): with a savepoint, and its
// changes are written before the next unit runs. So a refusal is undone with the unit that it is about. That
// unit gets one more try.
//
// A transaction that is lost is rolled back and its units are refused. When it is also unknown what reached
// the disk, writing ends: see `Ending`. Then the files of the source are not taken back: the next process
// finds on the disk what was committed.

#include "store/engine/writer/batch_transaction.hpp"

#include <utility>

#include "store/contract/unknown_result.hpp"
#include "store/contract/writer_times.hpp"
#include "store/engine/meter.hpp"

namespace andon::store::engine {
namespace {

/// How often a unit is run again because other programs changed its files meanwhile.
constexpr int kDecisions = 20;
/// The time for which an act other than a unit of work may hold the writer: as long as a unit.
constexpr auto kBound = UnitKind{}.bound;

std::optional<StoreError::Kind> kind_of(std::exception_ptr const& trouble) try {
  if (trouble) std::rethrow_exception(trouble);
  return std::nullopt;
} catch (StoreError const& error) {
  return error.kind();
} catch (...) {
  return std::nullopt;
}

std::exception_ptr other_trouble(char const* text) {
  return std::make_exception_ptr(StoreError{StoreError::Kind::other, text});
}

ActCost sum(ActCost const& a, ActCost const& b) {
  return {a.time + b.time, a.rows + b.rows, a.steps + b.steps};
}

StoreError changes_all_the_time(Outdated const& outdated) {
  auto const what = outdated.file.empty() ? "the files change" : outdated.file + " changes";
  return {StoreError::Kind::unreachable, what + " all the time; try again"};
}

bool may_wait(Submission const& unit, Turn turn) {
  return turn == Turn::usual && unit.patience > Milliseconds{0};
}

}  // namespace

BatchTransaction::BatchTransaction(std::unique_ptr<BufferedSession> session, ExternalSource* source,
                                   WriterTimes& times, Ending& ending)
    : session_(std::move(session)),
      tx_(*session_, Rights::write, source),
      source_(source),
      times_(times),
      ending_(ending) {
  tx_.start_unit();  // reads the last event
  tx_.source(source_);
}

bool BatchTransaction::begin(Changes& unseen) {
  settling_ = {};
  lost_ = ending_.reason();
  if (lost_) return false;
  try {
    if (source_) {
      source_->enter();
      if (source_->is_shared()) tx_.forget();
    }
    open(unseen);
    return true;
  } catch (std::exception const&) {
    lost_ = std::current_exception();
    roll_back();
    tx_.forget();  // edits that were applied before the failure are undone with it
    return false;
  }
}

void BatchTransaction::open(Changes& unseen) {
  session_->begin(Rights::write);
  if (has_foreign_changes()) tx_.forget_all();
  if (source_ && source_->is_behind()) catch_up(unseen);
}

/// Applies foreign edits to the database. They come before every unit of the batch and stay when a unit is
/// undone.
void BatchTransaction::catch_up(Changes& unseen) {
  SourceSuspension const suspension{tx_};
  for (bool more = true; more;) {
    Meter const meter{*session_, os::SteadyClock::now()};
    tx_.start_unit();
    more = source_->catch_up(tx_);
    store_unit();
    tx_.keep_unit();
    unseen.add(tx_.take_changes());
    times_.note(WriterAct::catch_up, "files", meter.cost(os::SteadyClock::now()), kBound);
  }
}

bool BatchTransaction::start_over(Changes& unseen) {
  roll_back();
  tx_.forget();
  if (lost_) return false;
  try {
    open(unseen);
    return true;
  } catch (std::exception const&) {
    lost_ = std::current_exception();
    return false;
  }
}

std::expected<Outcome, Outdated> BatchTransaction::try_to_decide(Submission& unit, Turn turn, Undo undo) {
  tx_.start_unit(undo);
  if (turn == Turn::usual) tx_.let_go_on();
  if (may_wait(unit, turn)) tx_.let_wait();
  if (source_) source_->start_unit();
  if (unit.rights == Rights::read) tx_.read_only();
  try {
    auto const outcome = unit.work(tx_);
    if (outcome != Outcome::commit || tx_.has_failed()) return outcome;
    if (undo == Undo::alone) store_unit();
    if (source_ && !source_->publish(tx_)) return std::unexpected(Outdated{});
    return outcome;
  } catch (Outdated const& outdated) {
    return std::unexpected(outdated);
  }
}

/// Runs the work until it has read the present files.
BatchTransaction::Verdict BatchTransaction::decide(Submission& unit, Turn turn, Undo undo,
                                                   Changes& unseen) try {
  auto decided = try_to_decide(unit, turn, undo);
  for (int again = 0; !decided && again < kDecisions; ++again) {
    tx_.undo_unit();
    if (is_spoiled()) return {};
    catch_up(unseen);
    decided = try_to_decide(unit, turn, undo);
  }
  if (!decided) throw changes_all_the_time(decided.error());
  if (!tx_.has_failed()) return {*decided};
  return {Outcome::rollback, other_trouble("a unit of work went on after the store failed")};
} catch (UnknownResult const& error) {
  auto const trouble = std::current_exception();
  if (error.disk() == UnknownResult::Disk::failed) ending_.stop(lost_ = trouble, os::SteadyClock::now());
  return {Outcome::rollback, trouble};
} catch (StoreError const& error) {
  bool const is_refused = error.kind() == StoreError::Kind::other && session_->state().has_failed;
  return {Outcome::rollback, std::current_exception(), is_refused};
} catch (...) {
  return {Outcome::rollback, std::current_exception()};
}

BatchTransaction::Verdict BatchTransaction::decide_alone(Submission& unit, Turn turn, Changes& unseen) {
  auto verdict = decide(unit, turn, Undo::alone, unseen);
  if (!verdict.is_refused || !can_run_again(verdict.trouble)) return verdict;
  end_unit(false);
  unseen.add(tx_.take_changes());
  if (lost_ || !session_->state().in_transaction) return verdict;
  return decide(unit, turn, Undo::alone, unseen);
}

BatchTransaction::Verdict BatchTransaction::decide_with_batch(Submission& unit, Turn turn, Changes& unseen) {
  auto verdict = decide(unit, turn, Undo::with_batch, unseen);
  bool const concerns_others = !session_->state().in_transaction;
  if ((verdict.is_refused || concerns_others) && can_run_again(verdict.trouble)) tx_.spoil();
  return verdict;
}

void BatchTransaction::store_unit() {
  if (tx_.wrote_in_unit()) tx_.write_counts();
  session_->store_all();
}

bool BatchTransaction::can_run_again(std::exception_ptr const& trouble) const {
  auto const kind = kind_of(trouble);
  return !lost_ && !session_->state().is_unsound && kind != StoreError::Kind::no_space &&
         kind != StoreError::Kind::gone;
}

Attempt BatchTransaction::attempt(Submission& unit, Turn turn, Undo undo, Changes& unseen) {
  Meter const meter{*session_, os::SteadyClock::now()};
  auto verdict =
      undo == Undo::alone ? decide_alone(unit, turn, unseen) : decide_with_batch(unit, turn, unseen);
  Attempt out;
  if (is_spoiled()) return out;
  out.interest = tx_.take_interest();
  out.waits = verdict.outcome == Outcome::retry &&
              (may_wait(unit, turn) || (turn == Turn::usual && out.interest.is_unfinished));
  if (!out.waits) out.interest.is_unfinished = false;
  out.looked = os::SteadyClock::now();
  end_unit(verdict.outcome == Outcome::commit);
  note_loss(verdict.trouble);
  out.trouble = std::move(verdict.trouble);
  out.changes = tx_.take_changes();
  times_.note(WriterAct::unit, unit.kind.name, meter.cost(os::SteadyClock::now()), unit.kind.bound);
  return out;
}

void BatchTransaction::end_unit(bool is_kept) {
  try {
    if (is_kept)
      tx_.keep_unit();
    else
      tx_.undo_unit();
  } catch (StoreError const&) {
    lost_ = std::current_exception();
  }
}

/// After a failure the database may have given up the whole transaction.
void BatchTransaction::note_loss(std::exception_ptr const& trouble) {
  if (lost_ || session_->state().in_transaction) return;
  lost_ = trouble ? trouble : other_trouble("the transaction was lost; try again");
}

void BatchTransaction::settle() {
  if (!is_to_commit() || is_spoiled()) return;
  Meter const meter{*session_, os::SteadyClock::now()};
  try {
    tx_.settle();
    session_->store_all();
    settling_ = meter.cost(os::SteadyClock::now());
  } catch (StoreError const& error) {
    if (can_run_again(std::current_exception()))
      tx_.spoil();
    else
      lose(error);
  }
}

bool BatchTransaction::commit() {
  Meter const meter{*session_, os::SteadyClock::now()};
  try {
    tx_.write_counts();
    session_->commit();
    tx_.committed();
    auto const cost = meter.cost(os::SteadyClock::now());
    times_.note(WriterAct::commit, "commit", sum(cost, std::exchange(settling_, {})), kBound);
    return true;
  } catch (StoreError const& error) {
    lose(error);
    return false;
  }
}

void BatchTransaction::lose(StoreError const& error) {
  lost_ = std::current_exception();
  if (!session_->state().is_unsound) return;
  lost_ = std::make_exception_ptr(UnknownResult{UnknownResult::Disk::failed, error.what()});
  ending_.stop(lost_, os::SteadyClock::now());
}

bool BatchTransaction::is_out_of_room() const { return kind_of(lost_) == StoreError::Kind::no_space; }

void BatchTransaction::roll_back() noexcept {
  try {
    session_->rollback();
  } catch (StoreError const&) {
    ending_.stop(std::current_exception(), os::SteadyClock::now());
  }
  if (source_ && !ending_.is_stopped()) take_back();
}

void BatchTransaction::take_back() noexcept {
  try {
    source_->take_back();
  } catch (UnknownResult const& error) {
    lost_ = std::current_exception();
    if (error.disk() == UnknownResult::Disk::failed) ending_.stop(lost_, os::SteadyClock::now());
  }
}

}  // namespace andon::store::engine
