// The writer's thread repeats this cycle. Each cycle is one batch and one transaction of the database.
//
// - collect: wait for queued units, for a deadline of a parked unit, or for a time that makes a task
//   pickable.
// - begin: take the mirror's lock, open the transaction and apply foreign edits (`catch_up`).
// - run: queued units, urgent ones first; then one unfinished unit; then parked units that the changes may
//   concern; then parked units whose time has come. A unit that returns `retry` is parked.
// - commit: write the counts kept in memory and commit. The writer syncs the disk when no unit waits,
//   otherwise the flusher does.
// - answer: release the mirror's lock and give the answers to the flusher, which waits for the disk.
// - tidy: let the driver do its upkeep, such as copying a long log back.
//
// `lost_` means that the batch's transaction is gone: it is rolled back and its units are refused. `stopped_`
// means that it is unknown what reached the disk: the process writes nothing more.

#include "store/sqlite/units/writer.hpp"

#include <algorithm>
#include <future>
#include <iterator>
#include <ranges>

#include "store/contract/unknown_result.hpp"
#include "store/engine/meter.hpp"

namespace andon::store::sqlite {
namespace {

constexpr std::size_t kQueue = 4096;
constexpr std::size_t kBatch = 256;
constexpr auto kBatchTime = std::chrono::milliseconds{5};
constexpr int kPasses = 2;
/// How long parked units wait before a shared mirror is checked again for changes by other processes.
constexpr auto kLookAgain = std::chrono::milliseconds{250};
/// How long a deleted database may stay unnoticed while nothing is written.
constexpr auto kBetweenLooksAtFiles = std::chrono::milliseconds{250};
/// How long writes are refused with the reason before the process ends.
constexpr auto kGrace = std::chrono::milliseconds{500};
/// The shortest and longest time until parked units look again for tasks that time has made pickable.
constexpr core::Duration kShortestLook{1}, kLongestLook = std::chrono::hours{1};
/// How long a unit without patience may continue when there is more to look at than one run may.
constexpr auto kLongestSearch = std::chrono::seconds{5};
/// How often a unit is run again because other programs changed its files meanwhile.
constexpr int kDecisions = 20;
/// The time for which an act other than a unit of work may hold the writer: as long as a unit.
constexpr auto kBound = UnitKind{}.bound;

std::exception_ptr trouble_of(StoreError::Kind kind, char const* text) {
  return std::make_exception_ptr(StoreError{kind, text});
}

std::string text_of(std::exception_ptr const& trouble) {
  try {
    std::rethrow_exception(trouble);
  } catch (std::exception const& error) {
    return error.what();
  }
}

StoreError changes_all_the_time(Outdated const& outdated) {
  auto const what = outdated.file.empty() ? "the files change" : outdated.file + " changes";
  return {StoreError::Kind::unreachable, what + " all the time; try again"};
}

}  // namespace

Writer::Writer(std::shared_ptr<engine::Driver> driver, OnFatal on_fatal, WriterTimes& times, Mirror* mirror)
    : driver_(std::move(driver)),
      session_(driver_->open(engine::Rights::write)),
      tx_(*session_, engine::Rights::write, mirror),
      on_fatal_(std::move(on_fatal)),
      times_(times),
      mirror_(mirror),
      flusher_(
          *driver_, [this](core::EventSeq seq) { tell_listeners(seq); }, [this] { wake(); },
          [this](std::exception_ptr const& trouble) {
            bool const ends_by_the_writer = driver_->trouble().has_value();  // with a grace
            if (!ends_by_the_writer) on_fatal_(text_of(trouble));
          }) {
  tx_.start_unit();
  announced_seq_ = tx_.seq();
  tx_.mirror(mirror_);
  thread_ = std::thread{[this] { run(); }};
}

Writer::~Writer() { close(); }

void Writer::submit(Work work, Done done, Milliseconds patience, UnitKind kind, engine::Rights rights) {
  bool closing = false, is_queued = false;
  {
    std::scoped_lock const lock{mutex_};
    bool const is_urgent = kind.urgency == Urgency::urgent;
    auto& queue = is_urgent ? urgent_ : queue_;
    closing = closing_;
    is_queued = !closing && queue.size() < kQueue;
    if (is_queued) queue.push_back({std::move(work), timed(std::move(done), kind), rights, patience, kind});
    if (is_queued && is_urgent) has_urgent_ = true;
  }
  if (is_queued) return arrived_.notify_one();  // outside the lock, which the woken thread takes at once
  // NOLINTNEXTLINE(bugprone-use-after-move): moved only when queued
  done(closing ? trouble_of(StoreError::Kind::other, "the store is closed")
               : trouble_of(StoreError::Kind::busy, "too many writes are waiting; try again"));
}

/// Measures the wait for an urgent unit, which includes the batch and the disk.
Done Writer::timed(Done done, UnitKind const& kind) {
  if (kind.urgency != Urgency::urgent) return done;
  return [this, came = Clock::now(), done = std::move(done)](std::exception_ptr trouble) mutable {
    times_.note_urgent(std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - came));
    done(std::move(trouble));
  };
}

void Writer::read(std::function<void(Tx&)> const& work) {
  std::promise<void> promise;
  auto finished = promise.get_future();
  submit(
      [&work](Tx& tx) {
        work(tx);
        return Outcome::rollback;
      },
      [&promise](std::exception_ptr trouble) {
        if (trouble)
          promise.set_exception(std::move(trouble));
        else
          promise.set_value();
      },
      {}, {.name = "read"}, engine::Rights::read);
  finished.get();
}

void Writer::on_commit(std::function<void(core::EventSeq)> listener) {
  std::scoped_lock const lock{mutex_};
  listeners_.push_back(std::move(listener));
}

void Writer::close() {
  {
    std::scoped_lock const lock{mutex_};
    closing_ = true;
    arrived_.notify_one();
  }
  if (thread_.joinable()) thread_.join();
}

void Writer::run() {
  while (collect()) {
    run_batch();
    next_time_ = next_time();
    bool const is_shared = mirror_ && mirror_->is_shared();
    if (is_shared) tidy();
    if (mirror_) mirror_->leave();
    give_answers();
    end_if_due();
    if (!is_shared) tidy();
  }
  if (ends_at_) ends_at_ = Clock::now();
  end_if_due();
  flusher_.close();
  if (mirror_ && mirror_->is_shared()) close_shared();
}

std::optional<Writer::Clock::time_point> Writer::next_deadline() const {
  if (parked_.empty()) return ends_at_;
  auto first = mirror_ && mirror_->is_shared() ? Clock::now() + kLookAgain : Clock::time_point::max();
  for (auto const& unit : parked_) first = std::min(first, unit.deadline);
  return std::min({first, next_time_.value_or(first), ends_at_.value_or(first)});
}

bool Writer::collect() {
  std::unique_lock lock{mutex_};
  bool const is_unfinished =
      std::ranges::any_of(parked_, [](Unit const& unit) { return unit.interest.is_unfinished; });
  bool const goes_on =
      !batch_.empty() || (!lost_ && !parked_.empty() && (!changes_.empty() || is_unfinished));
  if (!goes_on) wait(lock);
  ending_ = closing_;
  take_queue();
  return !ending_ || !batch_.empty() || !parked_.empty();
}

void Writer::wait(std::unique_lock<std::mutex>& lock) {
  auto const arrived = [&] { return closing_ || !queue_.empty() || !urgent_.empty(); };
  auto const deadline = next_deadline();
  bool const looks = !are_files_gone_ && driver_->state().is_watched;
  while (!arrived() && !(deadline && Clock::now() >= *deadline)) {
    if (!looks && !deadline) return arrived_.wait(lock, arrived);
    auto const look = looks ? Clock::now() + kBetweenLooksAtFiles : Clock::time_point::max();
    arrived_.wait_until(lock, std::min(look, deadline.value_or(look)), arrived);
    if (!looks || arrived()) continue;
    lock.unlock();
    bool const are_there = are_files_there();
    lock.lock();
    if (!are_there) return;
  }
}

bool Writer::are_files_there() {
  auto const trouble = driver_->trouble();
  if (!trouble || std::exchange(are_files_gone_, true)) return !trouble;
  driver_->tidy(engine::Occasion::data_gone);
  stop_writing(trouble_of(StoreError::Kind::gone, trouble->c_str()), kGrace);
  return false;
}

void Writer::end_if_due() {
  if (!ends_at_ || Clock::now() < *ends_at_) return;
  ends_at_.reset();
  flusher_.close();
  on_fatal_(text_of(stopped_));
}

void Writer::wake() {
  {
    std::scoped_lock const lock{mutex_};
  }
  arrived_.notify_one();
}

void Writer::take_queue() {
  std::ranges::move(urgent_ | std::views::reverse, std::front_inserter(batch_));
  urgent_.clear();
  has_urgent_ = false;
  std::ranges::move(queue_, std::back_inserter(batch_));
  queue_.clear();
}

void Writer::let_urgent_pass() {
  if (!has_urgent_) return;
  std::scoped_lock const lock{mutex_};
  take_queue();
}

void Writer::run_batch() {
  are_files_there();
  if (!stopped_) stopped_ = flusher_.trouble();
  lost_ = stopped_;
  if (lost_) return refuse_all(lost_);
  try {
    begin();
  } catch (std::exception const&) {
    lost_ = std::current_exception();
    roll_back();
    return refuse_all(lost_);
  }
  changes_before_ = changes_;
  run_queued();
  while (more_join()) run_queued();
  run_unfinished();
  for (auto& unit : std::exchange(ran_, {})) park_or_answer(std::move(unit));
  run_parked();
  run_due();
  commit();
}

/// Lets units that arrive join this batch while the last batch waits for the disk. So there are no more
/// commits than syncs.
bool Writer::more_join() {
  if (lost_ || ran_.empty() || ran_.size() >= kBatch || !batch_.empty()) return false;
  std::unique_lock lock{mutex_};
  arrived_.wait(lock, [&] { return closing_ || !queue_.empty() || !urgent_.empty() || !flusher_.is_busy(); });
  if (!flusher_.is_busy()) return false;
  take_queue();
  return !batch_.empty();
}

void Writer::begin() {
  if (mirror_) {
    mirror_->enter();
    if (mirror_->is_shared()) tx_.forget();
  }
  open_transaction();
}

void Writer::open_transaction() {
  session_->begin(engine::Rights::write);
  if (mirror_ && mirror_->is_behind()) catch_up();
}

/// Applies foreign edits to the database. They come before every unit of the batch and stay when a unit is
/// undone.
void Writer::catch_up() {
  MirrorSuspension const suspension{tx_};
  for (bool more = true; more;) {
    engine::Meter const meter{*session_, Clock::now()};
    tx_.start_unit();
    more = mirror_->catch_up(tx_);
    tx_.keep_unit();
    changes_.add(tx_.take_changes());
    times_.note(WriterAct::catch_up, "files", meter.cost(Clock::now()), kBound);
  }
}

void Writer::run_queued() {
  run_first(kBatch, Transaction::Undo::with_batch);
  if (!tx_.is_spoiled() || lost_) return;
  changes_ = changes_before_;
  run_each_alone();
}

void Writer::run_each_alone() {
  auto const again = ran_.size();
  std::ranges::move(ran_ | std::views::reverse, std::front_inserter(batch_));
  ran_.clear();
  roll_back();
  tx_.forget();
  if (lost_) return refuse_all(lost_);
  try {
    open_transaction();
    run_first(again, Transaction::Undo::alone);
  } catch (std::exception const&) {
    lost_ = std::current_exception();
    refuse_all(lost_);
  }
}

void Writer::run_first(std::size_t most, Transaction::Undo undo) {
  auto const start = Clock::now();
  for (bool is_first = true; !batch_.empty() && ran_.size() < most && !lost_ && !tx_.is_spoiled();
       is_first = false) {
    if (!is_first && Clock::now() - start > kBatchTime) return;
    let_urgent_pass();
    ran_.push_back(std::move(batch_.front()));
    batch_.pop_front();
    bool const writes_files = mirror_ && mirror_->is_in_use();
    attempt(ran_.back(), Turn::usual, writes_files ? Transaction::Undo::alone : undo);
    changes_.add(std::move(unit_changes_));
  }
}

void Writer::park_or_answer(Unit unit) {
  if (unit.waits) {
    unit.deadline = Clock::now() + (unit.patience > Milliseconds{0} ? unit.patience : kLongestSearch);
    parked_.push_back(std::move(unit));
  } else {
    answers_.push_back({std::move(unit.done), std::move(unit.trouble)});
  }
}

/// Gives each parked unit one try per pass when the changes may concern it. Changes of a pass are seen by the
/// next pass.
void Writer::run_parked() {
  for (int pass = 0; pass < kPasses && !changes_.empty() && !lost_; ++pass) {
    auto seen = std::exchange(changes_, {});
    for (auto unit = parked_.begin(); unit != parked_.end() && !lost_;) {
      if (!seen.concern(unit->interest)) {
        ++unit;
        continue;
      }
      bool const waits = attempt_parked(*unit, Turn::usual);
      seen.add(Changes{unit_changes_});
      changes_.add(std::move(unit_changes_));
      unit = waits ? std::next(unit) : parked_.erase(unit);
    }
  }
  if (parked_.empty()) changes_ = {};
}

/// Runs one unfinished unit per batch, after the queued units. An unfinished unit continues where another one
/// ended: see `HeldQueues`.
void Writer::run_unfinished() {
  if (lost_) return;
  auto const unit =
      std::ranges::find_if(parked_, [](Unit const& parked) { return parked.interest.is_unfinished; });
  if (unit == parked_.end()) return;
  bool const waits = attempt_parked(*unit, Turn::usual);
  changes_.add(std::move(unit_changes_));
  if (waits)
    parked_.splice(parked_.end(), parked_, unit);
  else
    parked_.erase(unit);
}

/// Runs parked units whose patience is over a last time. When a time has come that can make a task pickable,
/// the other units that looked for tasks run too.
void Writer::run_due() {
  auto const now = Clock::now();
  bool const time_has_come = next_time_ && *next_time_ <= now;
  for (auto unit = parked_.begin(); unit != parked_.end() && !lost_;) {
    bool const is_over = ending_ || unit->deadline <= now;
    if (!is_over && !(time_has_come && unit->interest.looked_at)) {
      ++unit;
      continue;
    }
    bool const waits = attempt_parked(*unit, is_over ? Turn::last : Turn::usual);
    changes_.add(std::move(unit_changes_));
    unit = waits ? std::next(unit) : parked_.erase(unit);
  }
}

/// The next time at which a task may become pickable. Units have their own clock, which runs at the speed of
/// the writer's clock. So the time left by a unit's clock, counted from its look, is the time left by the
/// writer's clock. The unit that looked first may have missed the most.
std::optional<Writer::Clock::time_point> Writer::next_time() {
  if (lost_) return Clock::now() + kLookAgain;
  Unit const* first = nullptr;
  for (auto const& unit : parked_)
    if (unit.interest.looked_at && (!first || unit.looked < first->looked)) first = &unit;
  if (!first) return std::nullopt;
  try {
    auto const left = tx_.until_next_time(*first->interest.looked_at);
    return first->looked + std::clamp(left.value_or(kLongestLook), kShortestLook, kLongestLook);
  } catch (StoreError const&) {
    return Clock::now() + kLookAgain;
  }
}

bool Writer::may_wait(Unit const& unit, Turn turn) const {
  return turn == Turn::usual && unit.patience > Milliseconds{0};
}

std::expected<Outcome, Outdated> Writer::decide(Unit& unit, Turn turn, Transaction::Undo undo) {
  tx_.start_unit(undo);
  if (turn == Turn::usual) tx_.let_go_on();
  if (may_wait(unit, turn)) tx_.let_wait();
  if (mirror_) mirror_->start_unit();
  if (unit.rights == engine::Rights::read) tx_.read_only();
  try {
    auto const verdict = unit.work(tx_);
    if (mirror_ && verdict == Outcome::commit && !tx_.has_failed() && !mirror_->publish(tx_))
      return std::unexpected(Outdated{});
    return verdict;
  } catch (Outdated const& outdated) {
    return std::unexpected(outdated);
  }
}

void Writer::attempt(Unit& unit, Turn turn, Transaction::Undo undo) {
  engine::Meter const meter{*session_, Clock::now()};
  auto verdict = Outcome::rollback;
  std::exception_ptr trouble;
  try {
    auto decided = decide(unit, turn, undo);
    for (int again = 0; !decided && again < kDecisions; ++again) {
      tx_.undo_unit();
      if (tx_.is_spoiled()) return;
      catch_up();
      decided = decide(unit, turn, undo);
    }
    if (!decided) throw changes_all_the_time(decided.error());
    verdict = *decided;
    if (tx_.has_failed())
      trouble = trouble_of(StoreError::Kind::other, "a unit of work went on after the store failed");
  } catch (UnknownResult const& error) {
    trouble = std::current_exception();
    if (error.disk() == UnknownResult::Disk::failed) stop_writing(lost_ = trouble);
  } catch (...) {
    trouble = std::current_exception();
  }
  unit.interest = tx_.take_interest();
  unit.waits = verdict == Outcome::retry && !trouble &&
               (may_wait(unit, turn) || (turn == Turn::usual && unit.interest.is_unfinished));
  if (!unit.waits) unit.interest.is_unfinished = false;
  unit.looked = Clock::now();
  try {
    if (verdict == Outcome::commit && !trouble)
      tx_.keep_unit();
    else
      tx_.undo_unit();
  } catch (StoreError const&) {
    lost_ = std::current_exception();
  }
  if (!lost_ && !session_->state().in_transaction)  // the database gave up the whole transaction
    lost_ = trouble ? trouble : trouble_of(StoreError::Kind::other, "the transaction was lost; try again");
  unit.trouble = std::move(trouble);
  unit_changes_ = tx_.take_changes();
  times_.note(WriterAct::unit, unit.kind.name, meter.cost(Clock::now()), unit.kind.bound);
}

bool Writer::attempt_parked(Unit& unit, Turn turn) {
  attempt(unit, turn, Transaction::Undo::alone);
  if (!unit.waits) answers_.push_back({std::move(unit.done), std::move(unit.trouble)});
  return unit.waits;
}

void Writer::commit() {
  if (!lost_ && tx_.has_written() && try_to_commit()) {
    sync();
    if (mirror_ && !stopped_) mirror_->settle();
    return;
  }
  roll_back();
  if (!lost_) return;
  tx_.forget();
  changes_ = {};
  for (auto& answer : answers_)
    if (!answer.trouble) answer.trouble = lost_;
}

bool Writer::try_to_commit() {
  engine::Meter const meter{*session_, Clock::now()};
  flusher_.begin_commit();
  try {
    tx_.settle();
    session_->commit();
    tx_.committed();
    times_.note(WriterAct::commit, "commit", meter.cost(Clock::now()), kBound);
    return true;
  } catch (StoreError const& error) {
    flusher_.cancel_commit();
    lost_ = std::current_exception();
    wants_room_ = error.kind() == StoreError::Kind::no_space;
    if (session_->state().is_unsound)
      stop_writing(lost_ = std::make_exception_ptr(UnknownResult{UnknownResult::Disk::failed, error.what()}));
    return false;
  }
}

/// The writer's thread syncs itself when no unit waits, because that answers sooner. It also syncs when the
/// mirror writes files: their lock is released only when their index is on the disk.
void Writer::sync() {
  bool const others_wait = !batch_.empty() || [&] {
    std::scoped_lock const lock{mutex_};
    return !queue_.empty() || !urgent_.empty();
  }();
  bool const writes_files = mirror_ && mirror_->is_in_use();
  bool const is_first = !std::exchange(has_synced_, true);
  if (!is_first && !writes_files && (others_wait || flusher_.is_busy())) return;
  try {
    flusher_.sync();
  } catch (StoreError const&) {
    lost_ = std::current_exception();
    if (are_files_there()) stop_writing(lost_);
  }
}

/// After `stopped_` the files are not taken back: the next process finds on the disk what was committed.
void Writer::roll_back() noexcept {
  try {
    session_->rollback();
  } catch (StoreError const&) {
    stop_writing(std::current_exception());
  }
  if (mirror_ && !stopped_) take_back();
}

void Writer::take_back() noexcept {
  try {
    mirror_->take_back();
  } catch (UnknownResult const& error) {
    lost_ = std::current_exception();
    if (error.disk() == UnknownResult::Disk::failed) stop_writing(lost_);
  }
}

void Writer::stop_writing(std::exception_ptr trouble, Milliseconds grace) {
  stopped_ = std::move(trouble);
  ends_at_ = Clock::now() + grace;
}

void Writer::refuse_all(std::exception_ptr const& trouble) {
  for (auto& unit : batch_) answers_.push_back({std::move(unit.done), trouble});
  batch_.clear();
  auto const now = Clock::now();
  for (auto unit = parked_.begin(); unit != parked_.end();) {
    if (!ending_ && !stopped_ && unit->deadline > now) {
      ++unit;
      continue;
    }
    answers_.push_back({std::move(unit->done), trouble});
    unit = parked_.erase(unit);
  }
}

void Writer::give_answers() {
  auto const seq = tx_.seq();
  bool const is_news = !lost_ && seq > announced_seq_;
  if (is_news) announced_seq_ = seq;
  flusher_.give({std::exchange(answers_, {}), is_news ? seq : core::EventSeq{}});
}

void Writer::tell_listeners(core::EventSeq seq) {
  auto const listeners = [&] {
    std::scoped_lock const lock{mutex_};
    return listeners_;
  }();
  for (auto const& listener : listeners) listener(seq);
}

void Writer::tidy() {
  if (stopped_) return;
  bool const wants_room = std::exchange(wants_room_, false);
  engine::Meter const meter{*session_, Clock::now()};
  auto const tidied = driver_->tidy(wants_room ? engine::Occasion::disk_full : engine::Occasion::batch_ended);
  if (tidied.trouble) {
    stopped_ = tidied.trouble;
    return on_fatal_(text_of(stopped_));
  }
  if (tidied.has_worked) times_.note(WriterAct::checkpoint, "checkpoint", meter.cost(Clock::now()), kBound);
}

/// Closes a database that other processes use too. On a board of files every command is a process. Each of
/// them would create a log, copy it back and remove it, and so wait for the disk three times more. Therefore
/// a short log stays. A longer one is copied back under the mirror's lock, while no other process writes.
void Writer::close_shared() {
  bool const stays = stopped_ || !driver_->state().has_much_to_tidy;
  if (!stays) try {
      mirror_->enter();
      session_.reset();
      return mirror_->leave();
    } catch (StoreError const&) {  // NOLINT(bugprone-empty-catch)
      // another process holds the lock; the next command copies the log back
    }
  driver_->leave_untidied();
}

}  // namespace andon::store::sqlite
