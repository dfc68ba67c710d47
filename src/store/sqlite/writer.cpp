#include "store/sqlite/writer.hpp"

#include <algorithm>
#include <future>
#include <iterator>
#include <ranges>

#include "store/sqlite/failure.hpp"

namespace andon::store::sqlite {
namespace {

Query const kBegin{"begin_write"};
Query const kCommit{"commit"};
Query const kRollback{"rollback"};
Query const kLastSeq{"event_last_seq"};

constexpr std::size_t kQueue = 4096;
constexpr std::size_t kBatch = 256;
constexpr auto kBatchTime = std::chrono::milliseconds{5};
constexpr int kPasses = 2;
/// How long units wait until a mirror is asked whether others changed something.
constexpr auto kLookAgain = std::chrono::milliseconds{250};
/// How long units wait until they look again whether a time has come: at least, and at most.
constexpr core::Duration kShortestLook{1}, kLongestLook = std::chrono::hours{1};
/// How often a unit is decided again because its mirror was changed by others meanwhile.
constexpr int kDecisions = 20;
/// Pages: as many as one block of the WAL's index covers, so that readers search one block.
constexpr int kCheckpoint = 4000;
constexpr int kCheckpointAgain = 1000;
/// Pages: the log that a process leaves to the next one, which reads it when it opens the database.
constexpr int kLeft = 100;

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

}  // namespace

Writer::Writer(std::unique_ptr<Connection> db, OnFatal on_fatal, Mirror* mirror)
    : db_(std::move(db)),
      tx_(*db_, Transaction::Rights::write, mirror),
      on_fatal_(std::move(on_fatal)),
      mirror_(mirror),
      checkpoint_at_(kCheckpoint),
      told_seq_([&] {
        auto row = db_->query(kLastSeq);
        return row.step() ? row.integer(0) : 0;
      }()),
      log_(*db_),
      flusher_(
          log_, [this](std::int64_t seq) { tell_listeners(seq); }, [this] { wake(); },
          [this](std::exception_ptr const& trouble) { on_fatal_(text_of(trouble)); }) {
  sqlite3_wal_hook(
      db_->handle(),
      [](void* self, sqlite3*, char const*, int pages) {
        static_cast<Writer*>(self)->wal_pages_ = pages;
        return SQLITE_OK;
      },
      this);
  tx_.mirror(mirror_);
  thread_ = std::thread{[this] { run(); }};
}

Writer::~Writer() { close(); }

void Writer::submit(Work work, Done done, Milliseconds patience, Transaction::Rights rights) {
  bool closing = false, is_queued = false;
  {
    std::scoped_lock const lock{mutex_};
    closing = closing_;
    is_queued = !closing && queue_.size() < kQueue;
    if (is_queued) queue_.push_back({std::move(work), std::move(done), rights, patience});
  }
  if (is_queued) return arrived_.notify_one();  // outside the lock, which the woken thread takes at once
  // NOLINTNEXTLINE(bugprone-use-after-move): moved only when queued
  done(closing ? trouble_of(StoreError::Kind::other, "the store is closed")
               : trouble_of(StoreError::Kind::busy, "too many writes are waiting; try again"));
}

void Writer::read(std::function<void(Tx&)> const& work) {
  std::promise<void> promise;
  auto finished = promise.get_future();
  submit(
      [&work](Tx& tx) {
        work(tx);
        return Verdict::discard;
      },
      [&promise](std::exception_ptr trouble) {
        if (trouble)
          promise.set_exception(std::move(trouble));
        else
          promise.set_value();
      },
      {}, Transaction::Rights::read);
  finished.get();
}

void Writer::on_commit(std::function<void(std::int64_t)> listener) {
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
    if (mirror_) mirror_->leave();
    give_answers();
    if (std::exchange(fatal_, false)) {
      flusher_.close();
      on_fatal_(text_of(stopped_));
    }
    checkpoint();
  }
  flusher_.close();
  if (mirror_ && mirror_->is_shared()) leave_log();
}

std::optional<Writer::Clock::time_point> Writer::next_deadline() const {
  if (parked_.empty()) return std::nullopt;
  auto first = mirror_ && mirror_->is_shared() ? Clock::now() + kLookAgain : Clock::time_point::max();
  for (auto const& unit : parked_) first = std::min(first, unit.deadline);
  return std::min(first, next_time_.value_or(first));
}

bool Writer::collect() {
  std::unique_lock lock{mutex_};
  auto const arrived = [&] { return closing_ || !queue_.empty(); };
  bool const goes_on = !batch_.empty() || (!lost_ && !changes_.empty() && !parked_.empty());
  if (auto const deadline = next_deadline(); goes_on) {
  } else if (deadline) {
    arrived_.wait_until(lock, *deadline, arrived);
  } else {
    arrived_.wait(lock, arrived);
  }
  ending_ = closing_;
  take_queue();
  return !ending_ || !batch_.empty() || !parked_.empty();
}

void Writer::wake() {
  {
    std::scoped_lock const lock{mutex_};
  }
  arrived_.notify_one();
}

void Writer::take_queue() {
  std::ranges::move(queue_, std::back_inserter(batch_));
  queue_.clear();
}

void Writer::run_batch() {
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
  for (auto& unit : std::exchange(ran_, {})) park_or_answer(std::move(unit));
  run_parked();
  run_due();
  commit();
}

/// While the last batch is on its way to the disk, what comes meanwhile joins this one, so that there are no
/// more commits than syncs.
bool Writer::more_join() {
  if (lost_ || ran_.empty() || ran_.size() >= kBatch || !batch_.empty()) return false;
  std::unique_lock lock{mutex_};
  arrived_.wait(lock, [&] { return closing_ || !queue_.empty() || !flusher_.is_busy(); });
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
  db_->run(kBegin);
  if (mirror_ && mirror_->is_behind()) catch_up();
}

/// What others did to the truth stands in the batch before any unit, and stays when units are undone.
void Writer::catch_up() {
  Unmirrored const unmirrored{tx_};
  for (bool more = true; more;) {
    tx_.start_unit();
    more = mirror_->catch_up(tx_);
    tx_.keep_unit();
    changes_.add(tx_.take_changes());
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
    ran_.push_back(std::move(batch_.front()));
    batch_.pop_front();
    bool const writes_files = mirror_ && mirror_->is_in_use();
    attempt(ran_.back(), Turn::usual, writes_files ? Transaction::Undo::alone : undo);
    changes_.add(std::move(unit_changes_));
  }
}

void Writer::park_or_answer(Unit unit) {
  if (unit.waits) {
    unit.deadline = Clock::now() + unit.patience;
    parked_.push_back(std::move(unit));
  } else {
    answers_.push_back({std::move(unit.done), std::move(unit.trouble)});
  }
}

/// Each pass lets every parked unit try once that may be concerned; what a pass changes is for the next one.
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

/// Parked units whose patience is over run a last time; when a time has come all others look again.
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

/// Units have a clock of their own, which goes as ours does: whatever is left by theirs from when one looked
/// is left by ours. The one that looked first may have missed the most.
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

std::optional<Verdict> Writer::decide(Unit& unit, Transaction::Undo undo) {
  tx_.start_unit(undo);
  if (mirror_) mirror_->start_unit();
  if (unit.rights == Transaction::Rights::read) tx_.read_only();
  try {
    auto const verdict = unit.work(tx_);
    if (mirror_ && verdict == Verdict::keep && !tx_.has_failed() && !mirror_->publish(tx_))
      return std::nullopt;
    return verdict;
  } catch (Outdated const&) {
    return std::nullopt;
  }
}

void Writer::attempt(Unit& unit, Turn turn, Transaction::Undo undo) {
  auto verdict = Verdict::discard;
  std::exception_ptr trouble;
  try {
    auto decided = decide(unit, undo);
    for (int again = 0; !decided && again < kDecisions; ++again) {
      tx_.undo_unit();
      if (tx_.is_spoiled()) return;
      catch_up();
      decided = decide(unit, undo);
    }
    if (!decided) throw StoreError{StoreError::Kind::busy, "the files change all the time; try again"};
    verdict = *decided;
    if (tx_.has_failed())
      trouble = trouble_of(StoreError::Kind::other, "a unit of work went on after the store failed");
  } catch (...) {
    trouble = std::current_exception();
  }
  unit.waits =
      verdict == Verdict::again && !trouble && turn == Turn::usual && unit.patience > Milliseconds{0};
  unit.interest = tx_.take_interest();
  unit.looked = Clock::now();
  try {
    if (verdict == Verdict::keep && !trouble)
      tx_.keep_unit();
    else
      tx_.undo_unit();
  } catch (StoreError const&) {
    lost_ = std::current_exception();
  }
  if (!lost_ && !db_->in_transaction())  // SQLite gave the whole transaction up
    lost_ = trouble ? trouble : trouble_of(StoreError::Kind::other, "the transaction was lost; try again");
  unit.trouble = std::move(trouble);
  unit_changes_ = tx_.take_changes();
}

bool Writer::attempt_parked(Unit& unit, Turn turn) {
  attempt(unit, turn, Transaction::Undo::alone);
  if (!unit.waits) answers_.push_back({std::move(unit.done), std::move(unit.trouble)});
  return unit.waits;
}

void Writer::commit() {
  if (!lost_ && tx_.has_written() && try_to_commit()) return sync();
  roll_back();
  if (!lost_) return;
  tx_.forget();
  changes_ = {};
  for (auto& answer : answers_)
    if (!answer.trouble) answer.trouble = lost_;
}

bool Writer::try_to_commit() {
  flusher_.begin_commit();
  try {
    tx_.settle();
    db_->run(kCommit);
    tx_.committed();
    return true;
  } catch (StoreError const& error) {
    flusher_.cancel_commit();
    lost_ = std::current_exception();
    if (error.kind() == StoreError::Kind::no_space) checkpoint_at_ = 0;  // a log copied back has room again
    if (db_->is_unsound()) stop_writing(lost_);
    return false;
  }
}

/// When nobody waits this thread syncs itself, which answers sooner; files are released only when their index
/// is on the disk.
void Writer::sync() {
  bool const others_wait = !batch_.empty() || [&] {
    std::scoped_lock const lock{mutex_};
    return !queue_.empty();
  }();
  bool const writes_files = mirror_ && mirror_->is_in_use();
  bool const is_first = !std::exchange(is_log_known_, true);
  if (is_first) log_.find();
  if (!is_first && !writes_files && (others_wait || flusher_.is_busy())) return;
  try {
    flusher_.sync();
  } catch (StoreError const&) {
    lost_ = std::current_exception();
    stop_writing(lost_);
  }
}

void Writer::roll_back() noexcept {
  try {
    if (db_->in_transaction()) db_->run(kRollback);
  } catch (StoreError const&) {
    stop_writing(std::current_exception());
  }
}

void Writer::stop_writing(std::exception_ptr trouble) {
  stopped_ = std::move(trouble);
  fatal_ = true;
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
  bool const is_news = !lost_ && seq > told_seq_;
  if (is_news) told_seq_ = seq;
  flusher_.give({std::exchange(answers_, {}), is_news ? seq : 0});
}

void Writer::tell_listeners(std::int64_t seq) {
  auto const listeners = [&] {
    std::scoped_lock const lock{mutex_};
    return listeners_;
  }();
  for (auto const& listener : listeners) listener(seq);
}

/// Copies the WAL back between batches, never beside a write; the file itself is kept and overwritten.
void Writer::checkpoint() {
  if (stopped_ || wal_pages_ < checkpoint_at_) return;
  int pages = 0, copied = 0;
  auto const code =
      sqlite3_wal_checkpoint_v2(db_->handle(), nullptr, SQLITE_CHECKPOINT_PASSIVE, &pages, &copied);
  if (code != SQLITE_OK && ends_writing(db_->handle(), code)) {
    auto const trouble = failure(db_->handle(), code, "checkpoint");
    stopped_ = std::make_exception_ptr(trouble);
    return on_fatal_(text_of(stopped_));
  }
  checkpoint_at_ = pages == copied ? kCheckpoint : pages + kCheckpointAgain;
}

/// Where every command is a process, each would make a log, copy it back and take it away, and wait for the
/// disk three times more. A short one stays.
void Writer::leave_log() {
  sqlite3_db_config(db_->handle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, wal_pages_ < kLeft ? 1 : 0, nullptr);
}

}  // namespace andon::store::sqlite
