#include "runner/commands/previews.hpp"

#include <algorithm>
#include <atomic>
#include <thread>

#include "os/processes/clock.hpp"
#include "service/runs/work.hpp"

namespace andon::runner {
namespace {

constexpr std::size_t kMostPreviews = 10;
constexpr core::Duration kLongestPreview = std::chrono::hours{8};

}  // namespace

/// One running or ended preview, with the thread that waits for it.
class Previews::Server {
 public:
  Server(OperationClient& client, CommandPlace const& place, service::TreeQuestion question,
         core::WorkPlace tree, int port)
      : client_(client), place_(place), question_(std::move(question)), tree_(std::move(tree)) {
    shown_.port = port;
    shown_.url = "http://localhost:" + std::to_string(port) + "/";
    shown_.started = os::SystemClock{}.now();
    thread_ = std::jthread{[this](std::stop_token const& stop) { run(stop); }};
  }

  bool is_running() {
    os::MutexLock const lock{mutex_};
    return shown_.state == service::PreviewState::running;
  }
  service::Preview shown() {
    os::MutexLock const lock{mutex_};
    return shown_;
  }
  /// Waits for the end.
  void stop() {
    thread_.request_stop();
    os::MutexLock const lock{mutex_};
    while (shown_.state == service::PreviewState::running) ended_.wait(mutex_);
  }

 private:
  void run(std::stop_token const& stop) {
    auto const& board = question_.board;
    auto result = run_in_tree({.board = board,
                               .task = question_.task.id,
                               .place = tree_,
                               .command = {board.preview.front(), board.preview},
                               .limit = kLongestPreview,
                               .folder = board.folder,
                               .purpose = "preview"},
                              place_, [&] { return stop.stop_requested() || has_moved(); });
    os::MutexLock const lock{mutex_};
    shown_.state = service::PreviewState::ended;
    shown_.output = std::move(result.output);
    ended_.notify_all();
  }

  /// True when the task is not where it was, or an agent works on it. An unknown answer is none.
  bool has_moved() {
    auto const facts = client_.call<&service::work_facts>({{question_.task.id}});
    if (!facts) return false;
    if (facts->items.empty()) return true;
    auto const& fact = facts->items.front();
    return fact.running || fact.stage != question_.task.stage;
  }

  OperationClient& client_;
  CommandPlace const& place_;
  service::TreeQuestion const question_;
  core::WorkPlace const tree_;
  os::Mutex mutex_;
  os::Condition ended_;
  service::Preview shown_ GUARDED_BY(mutex_);
  std::jthread thread_;  // last: it uses all members above
};

Previews::~Previews() {
  std::map<core::TaskId, std::shared_ptr<Server>> servers;
  {
    os::MutexLock const lock{mutex_};
    servers.swap(servers_);
  }
  for (auto const& [task, server] : servers) server->stop();
}

std::shared_ptr<Previews::Server> Previews::server_of(core::TaskId task) {
  os::MutexLock const lock{mutex_};
  auto const found = servers_.find(task);
  return found == servers_.end() ? nullptr : found->second;
}

core::Result<void> Previews::start(service::TreeQuestion const& question, core::WorkPlace const& tree,
                                   int port) {
  os::MutexLock const lock{mutex_};
  std::erase_if(servers_, [&](auto const& entry) {
    return entry.first != question.task.id && !entry.second->is_running();
  });
  auto const found = servers_.find(question.task.id);
  if (found != servers_.end() && found->second->is_running()) return {};
  if (servers_.size() >= kMostPreviews)
    return core::refuse(core::Code::kConflict,
                        std::to_string(kMostPreviews) +
                            " previews run on this machine, and it runs no more; stop one with: andon work "
                            "preview ID --stop",
                        "id");
  servers_[question.task.id] = std::make_shared<Server>(client_, place_, question, tree, port);
  return {};
}

void Previews::stop(core::TaskId task) {
  if (auto const server = server_of(task)) server->stop();
}

std::optional<service::Preview> Previews::find(core::TaskId task) {
  auto const server = server_of(task);
  return server ? std::optional{server->shown()} : std::nullopt;
}

}  // namespace andon::runner
