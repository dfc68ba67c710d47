#include "cli/command_line/location.hpp"

#include <algorithm>
#include <fstream>

#include <doctest/doctest.h>

#include "api/operation.hpp"
#include "api/remote_executor.hpp"
#include "cli/command_line/connection.hpp"
#include "cli/command_line/work_tree.hpp"
#include "cli/commands/cli.hpp"
#include "service/requests.hpp"
#include "service/tasks/tasks.hpp"

using namespace andon;
using andon::test::Cli;

namespace {

/// A server in this process: finds the operation of a request, runs it and answers as HTTP does.
class FakeServer : public api::Transport {
 public:
  explicit FakeServer(api::Executor& executor) : executor_(executor) {}

  core::Result<api::HttpAnswer> call(api::HttpCall const& call) override {
    if (call.target == "/healthz") return api::HttpAnswer{200, {}, "{}"};
    seen.push_back(call);
    auto const* operation = api::find_operation(name);
    api::Call local;
    local.operation = operation;
    local.caller = {{core::ActorKind::user, "ann"}, service::Role::admin, core::Source::cli, {}};
    auto request = api::decode(*operation, *reflect::parse_json(members));
    local.request = std::move(*request);
    auto answer = executor_.run(std::move(local));
    if (answer) return api::HttpAnswer{operation->status, {}, answer->text()};
    if (answer.error().code == core::Code::kNothingToPick)
      return api::HttpAnswer{204, {{"andon-skipped", "blocked=1, wip=3"}}, {}};
    std::string body = "{\"error\":";
    reflect::write_string(answer.error().message, body);
    body += ",\"code\":\"" + std::string{core::row(answer.error().code).name} + "\",\"details\":{\"id\":9}}";
    return api::HttpAnswer{core::row(answer.error().code).http, {}, body};
  }
  core::Result<void> stream(api::HttpCall const&, std::move_only_function<bool(std::string_view)>) override {
    return {};
  }

  std::string name;     ///< operation the next call means
  std::string members;  ///< its request
  std::vector<api::HttpCall> seen;

 private:
  api::Executor& executor_;
};

api::HttpCall call_of(std::string_view name, std::string_view request) {
  api::Call call;
  call.operation = api::find_operation(name);
  call.request = std::move(*api::decode(*call.operation, *reflect::parse_json(request)));
  return api::http_call_of(call);
}

core::Result<cli::Location> located(Cli& cli, cli::Chosen const& chosen, std::string program = "andon") {
  std::istringstream in;
  std::ostringstream out;
  cli::Environment env{.in = in, .out = out, .err = out, .clock = cli.clock};
  env.variables = cli.variables;
  env.directory = cli.project();
  env.program = std::move(program);
  return cli::locate(chosen, env);
}

}  // namespace

TEST_CASE("RemoteExecutor.WritesRequestsAsTheirRowsSay") {
  auto const read = call_of("list_tasks", R"({"status":["to do","done"],"archived":true,"limit":5})");
  CHECK(read.method == "GET");
  CHECK(read.target == "/api/v1/tasks?status=to%20do&status=done&archived=true&sort=id&limit=5");
  CHECK(read.body.empty());
  auto const write = call_of("move_task", R"({"id":"WQ/4","status":"done"})");
  CHECK(write.method == "POST");
  CHECK(write.target == "/api/v1/tasks/WQ%2F4/move");
  CHECK(write.body == R"({"status":"done"})");
  CHECK(call_of("list_cards", R"({"board":"a"})").target.starts_with("/api/v1/tasks?view=card&board=a"));
  auto const many = call_of("create_tasks", R"({"items":[{"title":"A"}]})");
  CHECK(many.target == "/api/v1/tasks");
  CHECK(many.body.starts_with(R"([{"title":"A")"));
  CHECK(call_of("pick_tasks", R"({"limit":2})").target == "/api/v1/pick");
  CHECK(call_of("update_task", R"({"id":1,"due":null})").body == R"({"due":null})");
}

TEST_CASE("RemoteExecutor.GivesBackTheServersRefusals") {
  Cli cli;
  FakeServer server(cli.executor());
  api::RemoteExecutor remote(server, "secret");
  server.name = "get_task";
  server.members = R"({"id":9})";
  auto const answer = remote.run(api::call_of<&service::get_task>({{"9"}}, {}));
  REQUIRE_FALSE(answer);
  CHECK(answer.error().code == core::Code::kTaskNotFound);
  CHECK(std::get<std::int64_t>(answer.error().details.front().second) == 9);
  auto const& headers = server.seen.front().headers;
  CHECK(std::ranges::find(headers, std::pair<std::string, std::string>{"Authorization", "Bearer secret"}) !=
        headers.end());
}

TEST_CASE("RemoteExecutor.ReadsWhyNothingWasPicked") {
  auto const error = api::error_of(api::HttpAnswer{204, {{"andon-skipped", "blocked=1, wip=3"}}, {}});
  CHECK(error.code == core::Code::kNothingToPick);
  CHECK(error.message == "no unblocked, unclaimed task to pick; passed over: 1 blocked, 3 wip");
  CHECK(error.details.size() == 2);
  CHECK(api::error_of(api::HttpAnswer{502, {}, "<html>"}).code == core::Code::kBusy);
}

TEST_CASE("Location.GoesFromTheNearestChoiceOutwards") {
  Cli cli;
  CHECK(std::get<cli::Server>(*located(cli, {.server = "http://a", .token = {}, .dir = {}})).url ==
        "http://a");
  CHECK(std::get<cli::DataDirectory>(*located(cli, {.server = {}, .token = {}, .dir = "x"})).root ==
        cli.project() / "x");
  CHECK(std::get<cli::DataDirectory>(*located(cli, {})).root == cli.project() / ".andon");
  cli.variables["ANDON_URL"] = "http://b";
  cli.variables["ANDON_TOKEN"] = "t";
  auto const server = std::get<cli::Server>(*located(cli, {}));
  CHECK(server.url == "http://b");
  CHECK(server.token == "t");
}

TEST_CASE("Location.FindsBoardsOfFiles") {
  Cli cli;
  auto const board = cli.project() / "kanban";
  std::filesystem::create_directories(board);
  std::ofstream{board / "config.yml"} << "version: 11\nstatuses:\n    - name: a\n";
  CHECK(std::get<cli::BoardDirectory>(*located(cli, {})).root == board);
  CHECK(std::get<cli::BoardDirectory>(*located(cli, {{}, {}, "kanban"})).root == board);
  CHECK(std::get<cli::BoardDirectory>(*located(cli, {{}, {}, "."})).root.lexically_normal() == board);
  CHECK(std::get<cli::DataDirectory>(*located(cli, {{}, {}, "elsewhere"})).root ==
        cli.project() / "elsewhere");
}

TEST_CASE("Location.TellsTheCopyOfABoardInALinkedWorkTree") {
  Cli cli;
  auto const main = cli.project() / "main", tree = cli.project() / "tree";
  for (auto const& top : {main, tree}) {
    std::filesystem::create_directories(top / "kanban");
    std::ofstream{top / "kanban/config.yml"} << "version: 11\nstatuses:\n    - name: a\n";
  }
  std::filesystem::create_directories(main / ".git/worktrees/tree");
  std::ofstream{tree / ".git"} << "gitdir: ../main/.git/worktrees/tree\n";
  CHECK(cli::in_main_checkout(tree / "kanban") == main / "kanban");
  CHECK_FALSE(cli::in_main_checkout(main / "kanban"));
  std::ofstream{tree / ".git"} << "gitdir: ../main/.git/modules/tree\n";
  CHECK_FALSE(cli::in_main_checkout(tree / "kanban"));
}

TEST_CASE("Location.OfKanbanMdIsABoardOfFilesOrNone") {
  Cli cli;
  cli.variables["ANDON_URL"] = "http://b";
  auto const nowhere = located(cli, {}, "kanban-md");
  REQUIRE_FALSE(nowhere);
  CHECK(nowhere.error().code == core::Code::kBoardNotFound);
  auto const wrong = located(cli, {{}, {}, "elsewhere"}, "kanban-md");
  REQUIRE_FALSE(wrong);
  CHECK(wrong.error().code == core::Code::kInternalError);
  CHECK(wrong.error().message.contains("no kanban board found"));
  std::ofstream{cli.project() / "config.yml"} << "version: 11\n";
  CHECK(std::get<cli::BoardDirectory>(*located(cli, {}, "kanban-md")).root == cli.project());
}

TEST_CASE("Connection.GoesThroughALiveServer") {
  Cli cli;
  cli.with_board();
  std::ofstream{cli.project() / ".andon/andon.sock"} << "";
  std::ofstream{cli.project() / ".andon/token"} << "local\n";
  std::filesystem::permissions(cli.project() / ".andon/token", std::filesystem::perms(0600));
  cli.transport = [&](cli::Address const&) -> core::Result<std::unique_ptr<api::Transport>> {
    auto server = std::make_unique<FakeServer>(cli.executor());
    server->name = "list_boards";
    server->members = "{}";
    return server;
  };
  CHECK(cli({"boards", "--oneline"}).out == "#1 shop (0 tasks) dispatch:on\n");
}

TEST_CASE("Connection.OfARunAsksAtTheSocketBeforeTheAddress") {
  struct Silent : api::Transport {
    bool is_live = false;
    core::Result<api::HttpAnswer> call(api::HttpCall const&) override {
      if (is_live) return api::HttpAnswer{200, {}, "{}"};
      return core::refuse(core::Code::kBusy, "nobody answers");
    }
    core::Result<void> stream(api::HttpCall const&,
                              std::move_only_function<bool(std::string_view)>) override {
      return {};
    }
  };
  struct Row {
    bool is_there;
    bool is_live;
    std::vector<std::string> asked;
  };
  for (auto const& row : {Row{true, true, {"socket"}}, Row{true, false, {"socket", "address"}},
                          Row{false, false, {"address"}}}) {
    Cli cli;
    auto const socket = cli.project() / "server.sock";
    if (row.is_there) std::ofstream{socket} << "";
    std::istringstream in;
    std::ostringstream out;
    cli::Environment env{.in = in, .out = out, .err = out, .clock = cli.clock};
    std::vector<std::string> asked;
    env.open.transport = [&](cli::Address const& address) -> core::Result<std::unique_ptr<api::Transport>> {
      bool const is_socket = std::holds_alternative<std::filesystem::path>(address);
      asked.emplace_back(is_socket ? "socket" : "address");
      auto made = std::make_unique<Silent>();
      made->is_live = is_socket && row.is_live;
      return made;
    };
    CHECK(cli::connect(cli::Server{"http://127.0.0.1:7420", "t", socket}, {}, env));
    CHECK(asked == row.asked);
  }
}

TEST_CASE("Connection.SaysWhenAnotherProcessHoldsTheStore") {
  Cli cli;
  cli.variables["ANDON_DIR"] = "/nonexistent/andon";
  auto const nowhere = cli({"list", "--json"});
  CHECK(nowhere.code == 1);
  CHECK(nowhere.json().at("code") == "BOARD_NOT_FOUND");
}

TEST_CASE("Init.MakesABoardOnce") {
  Cli cli;
  auto const made = cli({"init", "--sqlite", "--dir", "fresh", "--name", "My Shop", "--statuses",
                         "todo,doing:2,done", "--json"});
  INFO(made.out, made.err);
  CHECK(made.code == 0);
  CHECK(made.json().at("status") == "initialized");
  CHECK(made.json().at("columns") == "todo,doing,done");
  CHECK(cli({"boards", "--oneline"}).out.contains("my-shop"));
  CHECK(cli({"init", "--sqlite"}).err.contains("already initialized"));
  CHECK(cli({"init", "--sqlite", "--dir", "other", "--template", "nope", "--json"}).json().at("code") ==
        "INVALID_INPUT");
}
