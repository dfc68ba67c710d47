// bench_size_board FILE|URL TASKS [finished]: fills a new database with one board of the template `flow` as
// it looks after 400 days of work: most tasks done, few in work, tags, classes, people, parents,
// dependencies, briefs, runs and the history of it all. Written through the store, so that every counter and
// index is what a server would have. With `finished` every task is done or archived. Prints one line.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <queue>
#include <random>
#include <string>
#include <vector>

#include "core/boards/templates.hpp"
#include "core/text/names.hpp"
#include "store/contract/store.hpp"
#include "store/engine/unit/unit.hpp"
#include "store/engine/unit/write.hpp"
#include "store/open.hpp"

namespace {

using namespace andon;
using namespace std::chrono_literals;

constexpr int kDays = 400;
constexpr std::size_t kUnit = 500;  // changes that share a unit of work
constexpr int kTags = 50;
constexpr int kPeople = 24;
constexpr int kWords = 4'000;

class Chance {
 public:
  bool per_cent(double share) { return std::uniform_real_distribution<>{0, 100}(engine_) < share; }
  int below(int end) { return std::uniform_int_distribution<>{0, end - 1}(engine_); }
  /// Small numbers come often, large ones rarely.
  int skewed(int end) {
    return static_cast<int>(end * std::pow(std::uniform_real_distribution<>{0, 1}(engine_), 3));
  }

 private:
  std::mt19937_64 engine_{7};
};

std::string word(int n) {
  constexpr std::string_view kSyllables[] = {"ka",  "lo",  "mi",  "ter", "sun",
                                             "vor", "pel", "nid", "ra",  "qua"};
  std::string out;
  for (int digits = n + 10; digits > 0; digits /= 10) out += kSyllables[digits % 10];
  return out;
}

std::string text(Chance& jitter, int words) {
  std::string out = "the";
  for (int n = 0; n < words; ++n) out += " " + word(jitter.skewed(kWords));
  return out;
}

/// An event that is to be told when its time comes.
struct Later {
  core::Event event;
  bool operator>(Later const& other) const { return event.ts > other.event.ts; }
};

class Filler {
 public:
  Filler(store::Store& store, long tasks, bool all_finished)
      : store_(store), tasks_(tasks), all_finished_(all_finished) {
    auto board = *core::board_from_template("flow");
    board.name = board.title = "big";
    board.created = now_ - std::chrono::days{kDays};
    store::write(store_, [&](store::Tx& tx) {
      tx.add(board);
      return store::Outcome::commit;
    });
  }

  void fill() {
    while (made_ < tasks_) {
      store::write(store_, [&](store::Tx& tx) {
        for (std::size_t n = 0; n < kUnit && made_ < tasks_; ++n) add_task(tx);
        return store::Outcome::commit;
      });
    }
    while (!later_.empty())
      store::write(store_, [&](store::Tx& tx) {
        for (std::size_t n = 0; n < kUnit && !later_.empty(); ++n) tell_next(tx);
        return store::Outcome::commit;
      });
  }

 private:
  core::Instant created_at(long n) const {
    auto const span = core::Duration{std::chrono::days{kDays}}.count();
    return now_ - core::Duration{span - span * n / tasks_};
  }

  core::Task a_task() {
    core::Task task;
    task.board = "big";
    task.title = text(chance_, 5) + " " + std::to_string(made_);
    task.body = text(chance_, 25);
    task.created = task.updated = task.state.entered = created_at(made_);
    constexpr std::string_view kPriorities[] = {"medium", "low", "high", "critical"};
    task.priority = kPriorities[chance_.skewed(4)];
    if (chance_.per_cent(8)) task.class_ = chance_.per_cent(60) ? "intangible" : "fixed-date";
    if (chance_.per_cent(60)) task.assignee = "person" + std::to_string(chance_.skewed(kPeople));
    if (chance_.per_cent(30)) task.role = chance_.per_cent(70) ? "coder" : "qa";
    if (chance_.per_cent(70))
      for (int n = 0; n < 2; ++n) task.tags.push_back("tag" + std::to_string(chance_.skewed(kTags)));
    if (task.tags.size() == 2 && task.tags[0] == task.tags[1]) task.tags.pop_back();
    if (chance_.per_cent(10))
      task.due = core::Date{std::chrono::floor<std::chrono::days>(task.created) +
                            std::chrono::days{chance_.below(60)}};
    if (chance_.per_cent(30) && made_ > 20) task.parent = core::TaskId{made_ / 12 * 12 - 11};
    if (chance_.per_cent(4) && made_ > 50)
      task.depends_on.emplace_back(1 + chance_.below(static_cast<int>(made_)));
    task.source = "web";
    task.created_by = "user:ann";
    return task;
  }

  /// Older tasks are finished, the newest wait.
  void set_place(core::Task& task) {
    double const age = 1.0 - static_cast<double>(made_) / static_cast<double>(tasks_);
    if (all_finished_ || chance_.per_cent(age > 0.02 ? 88 : 10)) return set_finished(task);
    if (chance_.per_cent(6)) {
      task.status = chance_.per_cent(70) ? "in-progress" : "review";
      task.started = task.updated = std::min(task.created + 2h, now_);
      task.claimed_by = task.assignee.empty() ? "person0" : task.assignee;
      task.claimed_at = task.started;
      task.claim_expires = now_ + std::chrono::hours{1 + chance_.below(48)};
      task.epoch = 1;
      return;
    }
    task.status = chance_.per_cent(60) ? "todo" : "backlog";
    if (chance_.per_cent(3)) task.blocked = true, task.state.open_deps = 0, task.block_reason = "waits";
  }

  void set_finished(core::Task& task) {
    task.started = task.created + core::Duration{std::chrono::minutes{1 + chance_.skewed(5'000)}};
    task.completed = *task.started + core::Duration{std::chrono::seconds{10 + chance_.skewed(90'000)}};
    if (*task.completed >= now_)
      task.completed = now_ - 1s, task.started = std::min(*task.started, *task.completed);
    task.status = chance_.per_cent(10) ? "archived" : "done";
    task.updated = *task.completed;
  }

  void add_task(store::Tx& tx) {
    auto task = a_task();
    set_place(task);
    while (!later_.empty() && later_.top().event.ts <= task.created) tell_next(tx);
    auto const worker = task.assignee;
    task = tx.add(std::move(task));
    ++made_;
    tell(tx, task, core::EventKind::task_created, "", "todo", task.created);
    if (task.started) plan(task, core::EventKind::task_started, "todo", "in-progress", *task.started);
    if (!task.completed) return;
    bool const reviewed = chance_.per_cent(30);
    if (reviewed)
      plan(task, core::EventKind::task_submitted, "in-progress", "review",
           *task.started + (*task.completed - *task.started) / 2);
    plan(task, reviewed ? core::EventKind::task_accepted : core::EventKind::task_completed,
         reviewed ? "review" : "in-progress", "done", *task.completed);
    if (!worker.empty() && chance_.per_cent(20)) add_run(tx, task);
  }

  static void add_run(store::Tx& tx, core::Task& task) {
    core::Run run;
    run.task = task.id;
    run.board = task.board;
    run.worker = task.assignee;
    run.state = core::RunState::ended;
    run.outcome = core::Outcome::succeeded;
    run.started = *task.started;
    run.ended = task.completed;
    run.usage = core::Usage{1'200, 340, 0, 0, 0, 0.02};
    task.run = tx.add(run);
    tx.put(task);
  }

  static core::Event event_of(core::Task const& task, core::EventKind kind, std::string from, std::string to,
                              core::Instant at) {
    core::Event event;
    event.ts = at;
    event.actor = {core::ActorKind::user, "ann"};
    event.kind = kind;
    event.board = task.board;
    event.task = task.id;
    event.from = std::move(from);
    event.to = std::move(to);
    return event;
  }
  void tell(store::Tx& tx, core::Task const& task, core::EventKind kind, std::string from, std::string to,
            core::Instant at) {
    tx.append(event_of(task, kind, std::move(from), std::move(to), at));
  }
  void plan(core::Task const& task, core::EventKind kind, std::string from, std::string to,
            core::Instant at) {
    later_.push({event_of(task, kind, std::move(from), std::move(to), at)});
  }
  void tell_next(store::Tx& tx) {
    tx.append(later_.top().event);
    later_.pop();
  }

  store::Store& store_;
  long tasks_;
  bool all_finished_;
  long made_ = 0;
  Chance chance_;
  core::Instant now_ = std::chrono::floor<core::Duration>(std::chrono::system_clock::now());
  std::priority_queue<Later, std::vector<Later>, std::greater<>> later_;
};

}  // namespace

int main(int count, char** arguments) try {
  std::vector<std::string> const words{arguments + 1, arguments + count};
  bool const all_finished = words.size() == 3 && words[2] == "finished";
  if (words.size() != 2 && !all_finished)
    return std::fputs("usage: bench_size_board FILE|URL TASKS [finished]\n", stderr), 2;
  auto const start = std::chrono::steady_clock::now();
  auto const store = store::open_store(store::is_postgres(words[0]) ? words[0] : "sqlite:" + words[0]);
  Filler{*store, std::stol(words[1]), all_finished}.fill();
  std::chrono::duration<double> const took = std::chrono::steady_clock::now() - start;
  std::printf("board tasks=%s seconds=%.1f\n", words[1].c_str(), took.count());
  return 0;
} catch (std::exception const& error) {
  std::fprintf(stderr, "bench_size_board: %s\n", error.what());
  return 1;
}
