// `park` takes a unit whose run has returned `retry`, with its interest: what it depends on. In each batch,
// after the queued units:
//
// - run_unfinished: one unit that could not look at everything in one run goes on, then it is the last one.
// - run_concerned: the changes of the batch are `unseen`. Each unit that they may concern gets one try per
//   pass; the next pass sees the changes of this one.
// - run_due: a unit whose patience is over runs a last time. When a time has come that can make a task
//   pickable, the other units that looked for tasks run too.
//
// A unit leaves when its run does not ask to wait. `look_ahead` and `next_deadline` say when the next batch
// is due although nothing was written.

#include "store/engine/writer/parking.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "store/contract/store_error.hpp"

namespace andon::store::engine {
namespace {

constexpr int kPasses = 2;
/// How long parked units wait before a shared source is checked again for changes by other processes.
constexpr auto kLookAgain = std::chrono::milliseconds{250};
/// The shortest and longest time until parked units look again for tasks that time has made pickable.
constexpr core::Duration kShortestLook{1}, kLongestLook = std::chrono::hours{1};
/// How long a unit without patience may continue when there is more to look at than one run may.
constexpr auto kLongestSearch = std::chrono::seconds{5};

constexpr auto kIsUnfinished = [](auto const& parked) { return parked.interest.is_unfinished; };

}  // namespace

bool Parking::has_work() const {
  return !parked_.empty() && (!unseen_.empty() || std::ranges::any_of(parked_, kIsUnfinished));
}

std::optional<Moment> Parking::next_deadline(Moment now, bool is_shared) const {
  if (parked_.empty()) return std::nullopt;
  auto first = is_shared ? now + kLookAgain : Moment::max();
  for (auto const& parked : parked_) first = std::min(first, parked.deadline);
  return std::min(first, next_time_.value_or(first));
}

void Parking::park(Submission unit, Attempt attempt, Moment now) {
  auto const deadline = now + (unit.patience > Milliseconds{0} ? unit.patience : kLongestSearch);
  parked_.push_back({std::move(unit), std::move(attempt.interest), attempt.looked, deadline});
}

Parking::Place Parking::keep_or_answer(Place parked, Attempt attempt, Answers& answers) {
  if (attempt.waits) {
    parked->interest = std::move(attempt.interest);
    parked->looked = attempt.looked;
    return std::next(parked);
  }
  answers.push_back({std::move(parked->unit.done), std::move(attempt.trouble)});
  return parked_.erase(parked);
}

/// An unfinished unit continues where another one ended: see `HeldQueues`.
Answers Parking::run_unfinished(BatchTransaction& transaction) {
  Answers answers;
  auto const parked = std::ranges::find_if(parked_, kIsUnfinished);
  if (transaction.lost() || parked == parked_.end()) return answers;
  auto attempt = transaction.attempt(parked->unit, Turn::usual, BatchTransaction::Undo::alone, unseen_);
  unseen_.add(std::move(attempt.changes));
  if (attempt.waits) parked_.splice(parked_.end(), parked_, parked);
  keep_or_answer(parked, std::move(attempt), answers);
  return answers;
}

Answers Parking::run_concerned(BatchTransaction& transaction) {
  Answers answers;
  for (int pass = 0; pass < kPasses && !unseen_.empty() && !transaction.lost(); ++pass)
    run_pass(transaction, std::exchange(unseen_, {}), answers);
  if (parked_.empty()) unseen_ = {};
  return answers;
}

void Parking::run_pass(BatchTransaction& transaction, Changes seen, Answers& answers) {
  for (auto parked = parked_.begin(); parked != parked_.end() && !transaction.lost();) {
    if (!seen.concern(parked->interest)) {
      ++parked;
      continue;
    }
    auto attempt = transaction.attempt(parked->unit, Turn::usual, BatchTransaction::Undo::alone, unseen_);
    seen.add(Changes{attempt.changes});
    unseen_.add(std::move(attempt.changes));
    parked = keep_or_answer(parked, std::move(attempt), answers);
  }
}

Answers Parking::run_due(BatchTransaction& transaction, Moment now) {
  Answers answers;
  bool const time_has_come = next_time_ && *next_time_ <= now;
  for (auto parked = parked_.begin(); parked != parked_.end() && !transaction.lost();) {
    bool const is_over = is_closing_ || parked->deadline <= now;
    if (!is_over && !(time_has_come && parked->interest.looked_at)) {
      ++parked;
      continue;
    }
    auto attempt = transaction.attempt(parked->unit, is_over ? Turn::last : Turn::usual,
                                       BatchTransaction::Undo::alone, unseen_);
    unseen_.add(std::move(attempt.changes));
    parked = keep_or_answer(parked, std::move(attempt), answers);
  }
  return answers;
}

/// Units have their own clock, which runs at the speed of the writer's clock. So the time left by a unit's
/// clock, counted from its look, is the time left by the writer's clock. The unit that looked first may have
/// missed the most.
void Parking::look_ahead(BatchTransaction& transaction, Moment now) {
  next_time_ = transaction.lost() ? std::optional{now + kLookAgain} : std::nullopt;
  if (next_time_) return;
  Parked const* first = nullptr;
  for (auto const& parked : parked_)
    if (parked.interest.looked_at && (!first || parked.looked < first->looked)) first = &parked;
  if (!first) return;
  try {
    auto const left = transaction.until_next_time(*first->interest.looked_at);
    next_time_ = first->looked + std::clamp(left.value_or(kLongestLook), kShortestLook, kLongestLook);
  } catch (StoreError const&) {
    next_time_ = now + kLookAgain;
  }
}

Answers Parking::refuse(std::exception_ptr const& trouble, Moment now, bool all) {
  Answers answers;
  for (auto parked = parked_.begin(); parked != parked_.end();) {
    bool const is_refused = all || is_closing_ || parked->deadline <= now;
    auto const next = std::next(parked);
    if (is_refused) keep_or_answer(parked, {.trouble = trouble}, answers);
    parked = next;
  }
  return answers;
}

}  // namespace andon::store::engine
