#include "http/server/running_server.hpp"

#include <algorithm>

#include "http/access/credentials.hpp"
#include "service/access/access.hpp"
#include "service/boards/boards.hpp"
#include "service/tasks/tasks.hpp"
#include "store/engine/unit/unit.hpp"
#include "store/open.hpp"

namespace andon::test {
namespace {

constexpr std::string_view kAdmin = "the-admin";

service::Caller admin() {
  return {{core::ActorKind::user, "ann"}, service::Role::admin, core::Source::api, {}};
}

}  // namespace

RunningServer::RunningServer(std::function<void(http::ServerOptions&)> const& change,
                             std::function<void(http::Backends&)> const& with)
    : store_(store::open_store("sqlite::memory:")),
      executor_(std::make_unique<api::LocalExecutor>(*store_, clock_, 2, "build-1")) {
  http::ServerOptions options;
  options.listen = {"127.0.0.1:0"};
  options.socket_path = socket_path();
  if (change) change(options);
  http::Backends backends{*executor_};
  if (with) with(backends);
  add_token(core::TokenKind::admin, kAdmin);
  add_token(core::TokenKind::person, "a-person");
  // Not through the server: a connection on its way out still counts as one.
  executor_->write(
      [](service::OperationContext& u) {
        service::CreateBoardRequest demo;
        demo.name = "demo";
        return service::create_board(u, demo).has_value();
      },
      admin());
  server_ = std::make_unique<http::Server>(std::move(options), backends);
  server_->start();
}

RunningServer::~RunningServer() {
  server_.reset();
  executor_.reset();
}

int RunningServer::port() const { return server_->port(); }

std::string RunningServer::text(std::string_view method, std::string_view target, std::string_view body,
                                HeaderList const& headers) const {
  std::string out{method};
  out.append(" ").append(target).append(" HTTP/1.1\r\n");
  auto const has = [&](std::string_view name) {
    return std::ranges::any_of(headers, [&](auto const& header) { return header.starts_with(name); });
  };
  if (!has("Host:")) out += "Host: " + host() + "\r\n";
  if (!has("Authorization:")) out += bearer(kAdmin) + "\r\n";
  if (!body.empty() && !has("Content-Type:")) out += "Content-Type: application/json\r\n";
  if (!body.empty() || method != "GET") out += "Content-Length: " + std::to_string(body.size()) + "\r\n";
  for (auto const& header : headers) out += header + "\r\n";
  out += "\r\n";
  return out.append(body);
}

WireAnswer RunningServer::call(std::string_view method, std::string_view target, std::string_view body,
                               HeaderList const& headers) const {
  Wire wire{port()};
  wire.send(text(method, target, body, headers));
  return wire.answer(method == "HEAD");
}

Wire RunningServer::stream(std::string_view target, HeaderList const& headers) const {
  Wire wire{port()};
  auto all = headers;
  all.emplace_back("Accept: text/event-stream");
  wire.send(text("GET", target, {}, all));
  return wire;
}

void RunningServer::add_token(core::TokenKind kind, std::string_view secret, core::RunId run,
                              core::TaskId task, core::Epoch epoch) {
  executor_->write([&](service::OperationContext& u) {
    store::Token token;
    token.hash = http::hash_of(secret);
    token.kind = kind;
    token.name = kind == core::TokenKind::run ? "developer" : "ann";
    token.run = run;
    token.task = task;
    token.epoch = epoch;
    if (kind == core::TokenKind::run) token.board = "demo";
    token.created = u.now;
    u.tx.add(std::move(token));
    u.changed_credentials.push_back(http::hash_of(secret));
    return true;
  });
}

void RunningServer::revoke(std::string_view secret) {
  core::TokenId id = 0;
  executor_->read([&](service::OperationContext& u) { id = u.tx.token(http::hash_of(secret))->id; });
  call("DELETE", "/api/v1/tokens/" + std::to_string(id));
}

void RunningServer::end_run(std::string_view secret) {
  executor_->write([&](service::OperationContext& u) {
    auto token = *u.tx.token(http::hash_of(secret));
    token.revoked = u.now;
    u.tx.put(token);
    u.changed_credentials.push_back(http::hash_of(secret));
    return true;
  });
}

void RunningServer::offer_code(std::string_view code) {
  executor_->write(
      [&](service::OperationContext& u) {
        return service::offer_sign_in(u, {http::hash_of(code)}).has_value();
      },
      admin());
}

std::string RunningServer::digest() {
  std::string out;
  executor_->read([&](service::OperationContext& u) {
    out = std::to_string(u.tx.last_seq());
    service::ListTasksRequest all;
    all.archived = true;
    if (auto const tasks = service::list_tasks(u, all)) out += reflect::to_json(*tasks);
  });
  return out;
}

core::RunId RunningServer::add_run() {
  auto const task = add_task("work");
  core::RunId id = 0;
  executor_->write([&](service::OperationContext& u) {
    core::Run run;
    run.task = task;
    run.board = "demo";
    run.worker = "developer";
    run.state = core::RunState::running;
    id = u.tx.add(std::move(run));
    auto held = *u.tx.task(task);
    held.claimed_by = "developer";
    held.claimed_at = u.now;
    held.claim_expires = u.now + std::chrono::minutes{1};
    held.epoch = 1;
    held.run = id;
    held.state.supervised = true;
    u.tx.put(held);
    return true;
  });
  return id;
}

core::TaskId RunningServer::add_task(std::string_view title, std::string_view board) const {
  auto const answer =
      call("POST", "/api/v1/tasks",
           R"({"title":")" + std::string{title} + R"(","board":")" + std::string{board} + R"("})");
  return core::TaskId{std::int64_t{std::atoll(member(answer.body, "id").c_str())}};
}

bool eventually(std::function<bool()> const& asked) {
  auto const end = std::chrono::steady_clock::now() + std::chrono::seconds{30};
  while (std::chrono::steady_clock::now() < end)
    if (asked()) return true;
  return false;
}

std::string member(std::string_view body, std::string_view name) {
  auto const at = body.find("\"" + std::string{name} + "\":");
  if (at == std::string_view::npos) return {};
  auto rest = body.substr(at + name.size() + 3);
  if (rest.starts_with('"')) {
    rest.remove_prefix(1);
    return std::string{rest.substr(0, rest.find('"'))};
  }
  return std::string{rest.substr(0, rest.find_first_of(",}]"))};
}

}  // namespace andon::test
