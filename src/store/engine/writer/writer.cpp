// The writer's thread repeats this cycle. Each cycle is one batch and one transaction of the database.
//
// - collect: wait for queued units (`CommitQueue`), for a deadline of a parked unit, or for a time that makes
//   a task pickable.
// - begin: take the source's lock, open the transaction and apply foreign edits (`BatchTransaction`).
// - run: queued units, urgent ones first, then write what they changed (`Batch`); then one unfinished unit;
//   then parked units that the changes may concern; then parked units whose time has come (`Parking`). A unit
//   that returns `retry` is parked.
// - commit: write what is left in memory and commit. The writer syncs the disk when no unit waits,
//   otherwise the flusher does (`Durability`).
// - answer: release the source's lock and give the answers to the flusher, which waits for the disk
//   (`Flusher`).
// - tidy: let the driver do its upkeep, such as copying a long log back (`Upkeep`).
//
// A transaction that is lost is rolled back and its units are refused. When writing is stopped it is unknown
// what reached the disk: the process writes nothing more (`Ending`).

#include "store/engine/writer/writer.hpp"

#include <algorithm>
#include <future>
#include <iterator>
#include <utility>

#include "store/engine/buffer/buffered_session.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::store::engine {
namespace {

void append(Answers& answers, Answers more) { std::ranges::move(more, std::back_inserter(answers)); }

std::optional<Moment> earlier(std::optional<Moment> a, std::optional<Moment> b) {
  return a && b ? std::min(a, b) : std::max(a, b);  // nothing is less than any time
}

}  // namespace

Writer::Writer(std::shared_ptr<Driver> driver, OnFatal on_fatal, WriterTimes& times, ExternalSource* source)
    : driver_(std::move(driver)),
      source_(source),
      ending_(std::move(on_fatal)),
      queue_(times),
      transaction_(std::make_unique<BufferedSession>(
                       driver_->open(Rights::write),
                       source && source->is_shared() ? Sharing::between_its_turns : Sharing::alone),
                   source, times, ending_),
      batch_(queue_, transaction_, parking_),
      upkeep_(*driver_, transaction_, times, ending_),
      durability_(*driver_),
      listeners_(transaction_.seq()),
      flusher_(
          durability_, [this](core::EventSeq seq) { listeners_.tell(seq); }, [this] { queue_.wake(); },
          [this](std::exception_ptr const& trouble) {
            bool const ends_by_the_writer = driver_->state().trouble.has_value();  // with a grace
            if (!ends_by_the_writer) ending_.end_process(trouble);
          }) {
  thread_ = std::thread{[this] { run(); }};
  driver_->watch([this](std::function<void()> const& begun) { look_at_others(begun); });
}

Writer::~Writer() { close(); }

void Writer::submit(Work work, Done done, Milliseconds patience, UnitKind kind, Rights rights) {
  queue_.submit({std::move(work), std::move(done), rights, patience, kind});
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
      {}, {.name = "read"}, Rights::read);
  finished.get();
}

void Writer::look_at_others(std::function<void()> const& begun) {
  submit(
      [begun](Tx&) {
        begun();
        return Outcome::rollback;
      },
      [begun](std::exception_ptr const&) { begun(); }, {}, {.name = "look"}, Rights::read);
}

void Writer::close() {
  driver_->end_watch();
  queue_.close();
  if (thread_.joinable()) thread_.join();
}

void Writer::run() {
  while (collect()) {
    auto [answers, occasion] = run_batch();
    parking_.look_ahead(transaction_, os::SteadyClock::now());
    if (is_shared()) upkeep_.tidy(occasion);
    if (source_) source_->leave();
    give(std::move(answers));
    end_if_due(os::SteadyClock::now());
    if (!is_shared()) upkeep_.tidy(occasion);
  }
  end_if_due(Moment::max());
  flusher_.close();
  if (is_shared()) upkeep_.close_shared(*source_);
}

bool Writer::collect() {
  bool const goes_on = !batch_.is_empty() || (!transaction_.lost() && parking_.has_work());
  if (!goes_on) wait();
  auto arrivals = queue_.take();
  bool const is_closing = arrivals.is_closing;
  if (is_closing) parking_.close();
  batch_.add(std::move(arrivals));
  return !is_closing || !batch_.is_empty() || !parking_.is_empty();
}

void Writer::wait() {
  auto now = os::SteadyClock::now();
  auto const deadline = earlier(parking_.next_deadline(now, is_shared()), ending_.end());
  for (; !deadline || now < *deadline; now = os::SteadyClock::now()) {
    auto const look = upkeep_.next_look(now);
    if (queue_.await(earlier(look, deadline))) return;
    if (look && !upkeep_.is_data_there()) return;
  }
}

Writer::Finished Writer::run_batch() {
  upkeep_.is_data_there();
  if (!ending_.is_stopped()) ending_.stop(durability_.trouble());
  if (!transaction_.begin(parking_.unseen())) return {batch_.refuse()};
  if (transaction_.has_foreign_changes()) {
    parking_.unseen().reshape();
    listeners_.expect_news();
    durability_.begin_commit();  // nobody hears of changes of others before they are on the disk
  }
  auto answers = run_units();
  auto const occasion = commit(answers);
  return {std::move(answers), occasion};
}

Answers Writer::run_units() {
  auto answers = batch_.run([this] { return flusher_.is_busy(); });
  append(answers, parking_.run_unfinished(transaction_));
  append(answers, batch_.take_ran());
  append(answers, parking_.run_concerned(transaction_));
  append(answers, parking_.run_due(transaction_, os::SteadyClock::now()));
  return answers;
}

Occasion Writer::commit(Answers& answers) {
  if (transaction_.is_to_commit()) {
    durability_.begin_commit();
    if (transaction_.commit()) {
      make_durable(answers);
      return Occasion::batch_ended;
    }
    durability_.cancel_commit();
  }
  transaction_.roll_back();
  if (transaction_.lost()) {
    transaction_.forget();
    parking_.unseen() = {};
    for (auto& answer : answers)
      if (!answer.trouble) answer.trouble = transaction_.lost();
  }
  return transaction_.is_out_of_room() ? Occasion::disk_full : Occasion::batch_ended;
}

/// The writer's thread syncs itself when no unit waits, because that answers sooner. It also syncs when the
/// source writes files: their lock is released only when their index is on the disk.
void Writer::make_durable(Answers& answers) {
  bool const others_wait = !batch_.is_empty() || queue_.is_any_waiting();
  bool const may_leave = durability_.was_asked() && !transaction_.writes_files();
  if (!may_leave || (!others_wait && !flusher_.is_busy())) {
    auto const reached = durability_.reach(durability_.begun());
    if (reached.trouble)
      for (auto& answer : answers)
        if (!answer.trouble) answer.trouble = reached.trouble;
    if (reached.ends_writing) {
      transaction_.lose(reached.trouble);
      if (upkeep_.is_data_there()) ending_.stop(reached.trouble, os::SteadyClock::now());
    }
  }
  if (source_ && !ending_.is_stopped()) source_->settle();
}

void Writer::give(Answers answers) {
  auto const news = transaction_.lost() ? core::EventSeq{} : listeners_.news(transaction_.seq());
  flusher_.give({std::move(answers), news});
}

void Writer::end_if_due(Moment now) {
  if (!ending_.take_due(now)) return;
  flusher_.close();
  ending_.end_process(ending_.reason());
}

}  // namespace andon::store::engine
