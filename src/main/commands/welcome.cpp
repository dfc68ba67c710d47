#include "main/commands/welcome.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "core/model/board.hpp"
#include "core/time/time.hpp"
#include "os/embedded.hpp"
#include "os/files/file.hpp"
#include "os/processes/capture.hpp"
#include "os/processes/log.hpp"
#include "os/processes/program.hpp"
#include "reflect/described.hpp"
#include "reflect/json.hpp"
#include "runner/operation_client.hpp"
#include "service/access/access.hpp"
#include "service/boards/boards.hpp"
#include "service/tasks/create.hpp"
#include "service/tasks/edit.hpp"
#include "service/tasks/move.hpp"
#include "service/tasks/tasks.hpp"
#include "service/workers/workers.hpp"

namespace andon::main {
namespace {

namespace fs = std::filesystem;

constexpr char const* kBoard = "welcome";
constexpr core::Duration kUntilNextLook{500};  ///< for a browser that has signed in
/// Begins the tag by which a worker of the pack knows what to do.
std::string const kRecipe = "recipe-";

/// One task of the pack. It refers to other tasks by their ids in the pack.
struct PackTask {
  std::string id;
  std::string title;
  std::string assignee;
  std::string priority;
  std::string class_;
  std::optional<int> due_in_days;
  std::vector<std::string> tags;
  std::vector<std::string> after;
  std::string body;
  core::ReviewRule review = core::ReviewRule::none;
  std::optional<core::NextTask> then;
};
void describe(auto& field, PackTask const*) {
  field(&PackTask::id, "id");
  field(&PackTask::title, "title");
  field(&PackTask::assignee, "assignee");
  field(&PackTask::priority, "priority");
  field(&PackTask::class_, "class");
  field(&PackTask::due_in_days, "due_in_days");
  field(&PackTask::tags, "tags");
  field(&PackTask::after, "after");
  field(&PackTask::body, "body");
  field(&PackTask::review, "review");
  field(&PackTask::then, "then");
}

struct Pack {
  service::CreateBoardRequest board;
  std::vector<service::PutWorkerRequest> workers;
  std::vector<PackTask> tasks;
};
void describe(auto& field, Pack const*) {
  field(&Pack::board, "board");
  field(&Pack::workers, "workers");
  field(&Pack::tasks, "tasks");
}

std::string_view text_of(EmbeddedFile const& file) {
  return {reinterpret_cast<char const*>(file.raw.data()), file.raw.size()};
}

template <class T>
T expect(core::Result<T> result) {
  if (!result) throw std::runtime_error("the welcome board: " + result.error().message);
  return *std::move(result);
}

std::string replaced(std::string_view text, std::string_view what, std::string_view with) {
  std::string out{text};
  for (std::size_t at = 0; (at = out.find(what, at)) != std::string::npos; at += with.size())
    out.replace(at, what.size(), with);
  return out;
}

/// Writes the pack's files: the worker script, its profile, the first files of the repository.
void unpack(os::DataDirectory const& data, fs::path const& home) {
  for (auto const& file : welcome_files()) {
    fs::path const path{file.path};
    auto const text = text_of(file);
    if (path == "agent") {
      os::write_file(home / path, text, 0700);
    } else if (path == "agent.json") {
      os::write_file(data.agents / "welcome.json", replaced(text, "{data}/welcome", home.native()));
    } else if (file.path.starts_with("repo/")) {
      os::make_private_directory((home / path).parent_path());
      os::write_file(home / path, text, 0644);
    }
  }
}

void git(fs::path const& program, fs::path const& repo, std::vector<std::string> arguments) {
  os::Command command;
  command.program = program;
  command.argv = {
      "git", "-C", repo.native(), "-c", "user.name=Andon", "-c", "user.email=andon@andon.invalid"};
  command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
  command.env = os::own_environment();
  auto const said = os::capture(std::move(command));
  if (said.status.code != 0) throw std::runtime_error("git " + arguments.front() + ": " + said.out);
}

/// Makes a repository with one commit if none exists.
void make_repository(fs::path const& repo) {
  if (fs::exists(repo / ".git")) return;
  auto const* path = std::getenv("PATH");
  auto const program = os::find_program("git", path ? path : "/usr/bin:/bin");
  if (!program)
    throw std::runtime_error("git is not installed; the welcome board needs it (apt install git)");
  git(*program, repo, {"init", "-q", "-b", "main"});
  git(*program, repo, {"add", "-A"});
  git(*program, repo, {"commit", "-q", "-m", "Begin"});
}

service::CreateTaskRequest request_for(PackTask const& task, std::string const& board,
                                       std::map<std::string, core::TaskId> const& known, core::Instant now) {
  service::CreateTaskRequest request;
  request.board = board;
  request.status = "backlog";
  request.title = task.title;
  request.body = task.body;
  request.assignee = task.assignee;
  request.priority = service::PriorityName{task.priority};
  request.class_ = task.class_;
  request.tags = task.tags;
  request.review = task.review;
  request.tags.push_back(kRecipe + task.id);
  for (auto const& id : task.after) request.depends_on.push_back({std::to_string(known.at(id))});
  if (task.then) request.next_tasks = {*task.then};
  if (task.due_in_days)
    request.due =
        core::Date{std::chrono::floor<std::chrono::days>(now) + std::chrono::days{*task.due_in_days}};
  return request;
}

Pack read_pack() {
  for (auto const& file : welcome_files())
    if (file.path == "board.json") return expect(reflect::read_json<Pack>(text_of(file)));
  throw std::runtime_error("the welcome pack is not part of this build");
}

/// The tasks of the pack's workers, if all of them wait for the first browser.
std::vector<core::Task> waiting_tasks(runner::OperationClient& client) {
  service::ListTasksRequest request;
  request.board = kBoard;
  request.limit = 100;
  auto const listed = client.call<&service::list_tasks>(request);
  if (!listed) return {};
  std::vector<core::Task> waiting;
  for (auto const& task : listed->items) {
    bool const has_recipe =
        std::ranges::any_of(task.tags, [](auto const& tag) { return tag.starts_with(kRecipe); });
    if (has_recipe && (task.stage != core::Stage::backlog || task.attempt > 0)) return {};
    if (has_recipe) waiting.push_back(task);
  }
  std::ranges::sort(waiting, {}, &core::Task::id);
  return waiting;
}

core::Result<void> move_to_work(service::OperationContext& ctx, std::vector<core::Task> const& tasks) {
  for (auto const& task : tasks) {
    service::MoveTaskRequest move;
    move.id = {std::to_string(task.id)};
    move.status = "todo";
    ANDON_CHECK(service::move_task(ctx, move));
  }
  return {};
}

}  // namespace

void welcome(api::LocalExecutor& executor, os::DataDirectory const& data) {
  bool empty = false;
  core::Instant now{};
  executor.read([&](service::OperationContext& u) {
    empty = !service::has_boards(u);
    now = u.now;
  });
  if (!empty) return;
  auto const home = data.root / "welcome";
  os::make_private_directory(home);
  unpack(data, home);
  make_repository(home / "repo");
  auto pack = read_pack();
  pack.board.repo = (home / "repo").native();
  runner::OperationClient client(executor, "welcome");
  expect(client.call<&service::create_board>(pack.board));
  for (auto const& worker : pack.workers) expect(client.call<&service::add_worker>(worker));
  std::map<std::string, core::TaskId> known;
  for (auto const& task : pack.tasks)
    known[task.id] =
        expect(client.call<&service::create_task>(request_for(task, pack.board.name, known, now))).id;
}

WelcomeStart::WelcomeStart(api::LocalExecutor& executor)
    : executor_(executor), client_(executor, "welcome") {}

/// A session that is over counts as well. Each look reads only the credentials made since the last one.
bool WelcomeStart::has_browser() {
  auto const is_session = [](auto const& token) { return token.kind == core::TokenKind::session; };
  service::ListTokensRequest request;
  while (!has_browser_) {
    request.cursor = std::to_string(last_token_);
    auto const page = client_.call<&service::list_tokens>(request);
    if (!page || page->items.empty()) break;
    last_token_ = page->items.back().id;
    has_browser_ = std::ranges::any_of(page->items, is_session);
  }
  return has_browser_;
}

core::Instant WelcomeStart::step(core::Instant now) {
  if (is_over_) return core::Instant::max();
  if (!has_browser()) return now + kUntilNextLook;
  auto const waiting = waiting_tasks(client_);
  core::Result<void> moved;
  // All in one write: after a crash either all of them wait or none.
  executor_.write(
      [&](service::OperationContext& ctx) {
        moved = move_to_work(ctx, waiting);
        return moved.has_value();
      },
      client_.caller());
  is_over_ = true;
  if (!moved) os::log(os::Level::warning, "the welcome board does not begin: " + moved.error().message);
  return core::Instant::max();
}

}  // namespace andon::main
