#include "main/remote_runner/host_examiner.hpp"

#include <algorithm>
#include <cstdlib>
#include <exception>

#include "core/model/clone_url.hpp"
#include "os/processes/log.hpp"
#include "os/processes/process.hpp"
#include "runner/profiles/detect.hpp"
#include "runner/profiles/examine.hpp"
#include "runner/profiles/profile_book.hpp"
#include "runner/worktrees/repository.hpp"
#include "service/boards/boards.hpp"

namespace andon::main {
namespace {

constexpr std::chrono::seconds kBoardsAnswerTime{5};
constexpr core::Duration kVersionTime = std::chrono::seconds{5};
constexpr core::Duration kBetweenExaminations = std::chrono::seconds{60};
/// How many looks for programs there are for each test of them, which starts them.
constexpr int kLooksForTest = 10;
constexpr std::size_t kMostListed = 200;

bool is_same(std::vector<core::RunnerAgent> const& a, std::vector<core::RunnerAgent> const& b) {
  return std::ranges::equal(a, b, [](auto const& x, auto const& y) {
    return x.id == y.id && x.version == y.version && x.problem == y.problem;
  });
}

bool is_same(std::vector<core::RunnerRepository> const& a, std::vector<core::RunnerRepository> const& b) {
  return std::ranges::equal(
      a, b, [](auto const& x, auto const& y) { return x.board == y.board && x.problem == y.problem; });
}

std::string search_path() {
  auto const* path = std::getenv("PATH");
  return path ? path : "/usr/bin:/bin";
}

std::string problem_of(runner::Examination const& found) {
  if (found.ready) return {};
  return found.problems.empty() ? "its test failed; see: andon agents test " + found.id
                                : found.problems.front();
}

}  // namespace

HostExaminer::HostExaminer(RunnerLink const& link, os::DataDirectory data, std::function<void()> news)
    : link_(link),
      data_(std::move(data)),
      news_(std::move(news)),
      executor_(link, kBoardsAnswerTime),
      thread_([this](std::stop_token const& stop) { run(stop); }) {}

HostExaminer::~HostExaminer() {
  thread_.request_stop();
  ending_.set();
  executor_.interrupt();
}

HostExaminer::Found HostExaminer::found() const {
  std::scoped_lock const lock(mutex_);
  return found_;
}

/// Between two tests, a program of the same version is as its last test found it.
std::vector<core::RunnerAgent> HostExaminer::examine_agents(bool thoroughly) {
  std::vector<core::RunnerAgent> out;
  runner::ProfileBook const book{data_.agents};
  auto const path = search_path();
  auto const own = os::own_environment();
  for (auto const* profile : book.profiles()) {
    if (out.size() >= kMostListed || ending_.is_set()) break;
    auto const found = runner::detect(*profile, path, {.time = kVersionTime, .stop = ending_.handle()});
    core::RunnerAgent agent{profile->id, found.version, found.found ? "" : found.problem};
    if (!found.found && agent.problem.empty()) agent.problem = "its program is not on this host";
    if (thoroughly && found.found)
      tested_[profile->id] = {found.version,
                              problem_of(runner::examine(*profile, own, {.stop = ending_.handle()}))};
    auto const tested = tested_.find(profile->id);
    if (found.found && tested != tested_.end() && tested->second.version == found.version)
      agent.problem = tested->second.problem;
    out.push_back(std::move(agent));
  }
  return out;
}

/// Nothing when the server did not answer.
std::optional<std::vector<core::RunnerRepository>> HostExaminer::examine_repositories(
    runner::OperationClient& client) const {
  auto const boards = client.call<&service::list_boards>();
  if (!boards) return std::nullopt;
  std::vector<core::RunnerRepository> out;
  for (auto const& board : boards->items) {
    if (board.repo.empty() || core::is_clone_url(board.repo) || out.size() >= kMostListed) continue;
    auto const opened = runner::open_repository(board.repo, {.stop = ending_.handle()}, board.branch);
    if (!opened)
      out.push_back({board.name, opened.error().message +
                                     "; share that directory with this host, or give the board a clone URL"});
  }
  return out;
}

/// Keeps what was found. Nothing is known of repositories where the server did not answer.
bool HostExaminer::keep(std::vector<core::RunnerAgent> agents,
                        std::optional<std::vector<core::RunnerRepository>> unusable) {
  std::scoped_lock const lock(mutex_);
  bool const is_new = found_.count == 0 || !is_same(agents, found_.agents) ||
                      (unusable && !is_same(*unusable, found_.unusable));
  found_.agents = std::move(agents);
  if (unusable) found_.unusable = *std::move(unusable);
  if (is_new) ++found_.count;
  return is_new;
}

/// Looks for programs first, since their tests take some seconds each.
void HostExaminer::run(std::stop_token const& stop) {
  runner::OperationClient client(executor_, link_.name());
  for (int look = -1; !stop.stop_requested(); ++look) {
    try {
      bool const is_test = look >= 0 && look % kLooksForTest == 0;
      auto agents = examine_agents(is_test);
      auto repositories = examine_repositories(client);
      // An examination that was cut short has found nothing out.
      if (stop.stop_requested()) return;
      if (keep(std::move(agents), std::move(repositories))) news_();
    } catch (std::exception const& error) {
      if (stop.stop_requested()) return;
      os::log(os::Level::warning, std::string{"examining this host: "} + error.what());
    }
    if (look < 0) continue;
    std::unique_lock lock(mutex_);
    rested_.wait_for(lock, stop, kBetweenExaminations, [] { return false; });
  }
}

}  // namespace andon::main
