#include <array>
#include <map>
#include <random>

#include <doctest/doctest.h>

#include "service/limits/accounts.hpp"
#include "service/runs/dispatch.hpp"
#include "service/test_app.hpp"

using namespace andon;
using namespace andon::test;
using namespace std::chrono_literals;

namespace {

constexpr std::array<char const*, 3> kAccounts{"claude@work", "claude@home", "codex"};
constexpr core::Duration kTick = 1min;
constexpr int kTicksOfNight = 8 * 60;
constexpr int kTasks = 400;

/// A provider: an account may be used for some minutes of each window, then it is closed until the next one.
struct Provider {
  core::Instant opens{};  ///< closed before
  int minutes_left = 0;   ///< of the window
};

/// What a night must keep, and how well it used its windows.
struct Ledger {
  int starts_into_closed = 0;  ///< after the provider had told its end
  int withdrawn = 0;           ///< runs that were opened and could not begin
  int late_starts = 0;         ///< runs that were opened by a server that ended
  int usable = 0;              ///< minutes in which a worker was free, an account open and work waiting
  int used = 0;
  std::map<core::TaskId, int> finished;
};

/// A night of workers over accounts with moving limits. One of them may lose its server between the pick and
/// the start of a run.
class Night {
 public:
  /// Providers tell the ends of all limits, or of none.
  explicit Night(unsigned seed, bool tells_ends = true) : random_(seed), tells_ends_(tells_ends) {
    std::vector<std::string> order(kAccounts.begin(), kAccounts.end());
    for (int i = 0; i < 4; ++i) {
      std::ranges::shuffle(order, random_);
      app_.add_worker(name_of(i), {.agents = order, .takes_unassigned = true});
    }
    for (int i = 0; i < kTasks; ++i) app_.create("Task " + std::to_string(i), {.status = "todo"});
    app_.executor.write(
        [](service::OperationContext& unit) { return service::set_runner(unit, true), true; });
    for (auto const* account : kAccounts) open_window(account);
  }

  Ledger run() {
    for (int tick = 0; tick < kTicksOfNight; ++tick) {
      end_runs();
      for (int worker = 0; worker < 4; ++worker) start(name_of(worker));
      count();
      app_.clock.advance(kTick);
    }
    return ledger_;
  }
  TestApp& app() { return app_; }

 private:
  struct Work {
    core::Run run;
    int left = 0;
    bool has_begun = false;
  };

  static std::string name_of(int worker) { return "w" + std::to_string(worker); }
  int between(int least, int most) { return std::uniform_int_distribution{least, most}(random_); }
  bool is_open(std::string const& account) { return app_.clock.now() >= providers_[account].opens; }

  void open_window(std::string const& account) { providers_[account].minutes_left = between(20, 200); }

  void begin(Work& work) {
    auto hash = std::to_string(work.run.id);
    hash.insert(0, 64 - hash.size(), 'a');
    auto const brief = app_.ask<&service::begin_run>({.id = work.run.id, .token_hash = hash});
    if (!brief) {
      app_.finish(work.run, {.stopped_because = core::StopReason::withdrawn, .result = "rests"});
      work.left = -1;
      ++ledger_.withdrawn;
      return;
    }
    app_.call<&service::adopt_run>({.id = work.run.id, .pid = 7, .process = "boot 7"});
    work.run = brief->run;
    work.has_begun = true;
    if (!is_open(work.run.agent)) ++ledger_.starts_into_closed;
  }

  void start(std::string const& worker) {
    if (work_.contains(worker)) return;
    auto const run = app_.ask<&service::dispatch_next>({.worker = worker});
    if (!run) return;
    auto& work = work_[worker] = {*run, between(3, 40)};
    bool const is_server_gone = between(1, 20) == 1;
    if (is_server_gone) ++ledger_.late_starts;
    if (!is_server_gone) begin(work);
    if (work.left < 0) work_.erase(worker);
  }

  void meet_limit(Work const& work) {
    auto& provider = providers_[work.run.agent];
    if (is_open(work.run.agent))
      provider.opens = app_.clock.now() + core::Duration{std::chrono::minutes{between(15, 180)}};
    open_window(work.run.agent);
    app_.finish(work.run, {.stopped_because = core::StopReason::rate_limited,
                           .resets_at = tells_ends_ ? std::optional{provider.opens} : std::nullopt});
  }

  void end_runs() {
    for (auto at = work_.begin(); at != work_.end();) {
      auto& work = at->second;
      if (!work.has_begun) begin(work);
      bool is_over = work.left < 0;
      if (!is_over && (!is_open(work.run.agent) || --providers_[work.run.agent].minutes_left <= 0)) {
        meet_limit(work);
        is_over = true;
      } else if (!is_over && --work.left <= 0) {
        app_.finish(work.run);
        ++ledger_.finished[work.run.task];
        is_over = true;
      }
      at = is_over ? work_.erase(at) : std::next(at);
    }
  }

  void count() {
    bool const has_open = std::ranges::any_of(kAccounts, [&](auto const* each) { return is_open(each); });
    if (!has_open) return;
    ledger_.usable += 4;
    ledger_.used += static_cast<int>(work_.size());
  }

  std::mt19937 random_;
  bool tells_ends_;
  TestApp app_{"classic"};
  std::map<std::string, Provider> providers_;
  std::map<std::string, Work> work_;
  Ledger ledger_;
};

}  // namespace

namespace {

void check_that_nothing_is_lost(Night& night, Ledger const& ledger) {
  for (auto const& [task, times] : ledger.finished) {
    CHECK(times == 1);
    CHECK(night.app().get(task).stage == core::Stage::done);
  }
  int unfinished = 0;
  for (int id = 1; id <= kTasks; ++id)
    if (night.app().stored(core::TaskId{id}).stage != core::Stage::done) ++unfinished;
  CHECK(unfinished + static_cast<int>(ledger.finished.size()) == kTasks);
  CHECK(ledger.withdrawn <= ledger.late_starts);
}

}  // namespace

TEST_CASE("SimulatedNights.UseOpenWindowsAndStartNothingIntoClosedOnes") {
  for (unsigned seed = 1; seed <= 30; ++seed) {
    CAPTURE(seed);
    Night night{seed};
    auto const ledger = night.run();
    CHECK(ledger.starts_into_closed == 0);
    CHECK(ledger.used * 100 >= ledger.usable * 95);
    check_that_nothing_is_lost(night, ledger);
  }
}

/// Such an account rests for a growing time, and comes back with fewer runs at once.
TEST_CASE("SimulatedNights.LoseNothingWhereNoEndIsTold") {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    CAPTURE(seed);
    Night night{seed, false};
    auto const ledger = night.run();
    CHECK(ledger.finished.size() > 10);
    check_that_nothing_is_lost(night, ledger);
  }
}
