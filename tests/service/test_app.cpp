#include "service/test_app.hpp"

#include <doctest/doctest.h>

#include "reflect/json.hpp"
#include "service/runs/dispatch.hpp"

namespace andon::test {
namespace {

constexpr core::TaskId kAll = 1'000'000;

service::Caller caller_of(core::ActorKind kind, std::string name, service::Role role, std::string source) {
  service::Caller caller;
  caller.actor = {kind, std::move(name)};
  caller.role = role;
  caller.source = std::move(source);
  return caller;
}

template <class T>
T parsed(std::string const& json) {
  auto out = reflect::read_json<T>(json);
  REQUIRE_MESSAGE(out, json);
  return *std::move(out);
}

}  // namespace

service::Caller ann() { return caller_of(core::ActorKind::user, "ann", service::Role::admin, "api"); }
service::Caller person(std::string name) {
  return caller_of(core::ActorKind::user, std::move(name), service::Role::person, "cli");
}
service::Caller agent(core::Run const& run) {
  auto caller = caller_of(core::ActorKind::worker, run.worker, service::Role::run, "worker");
  caller.run = service::RunScope{run.id, run.task, run.epoch, run.board, run.worker};
  return caller;
}

std::string on(std::int64_t id, std::string_view members) {
  return "{\"id\":" + std::to_string(id) + (members.empty() ? "" : "," + std::string{members}) + "}";
}

TestApp::TestApp(std::string_view board_template) : board(board_template) {
  answer("create_board", R"({"name":")" + board + R"(","template":")" + board + "\"}");
}

core::Result<std::string> TestApp::ask(std::string_view operation, std::string_view request,
                                       service::Caller const& caller) {
  api::Call call;
  call.operation = api::find_operation(operation);
  REQUIRE_MESSAGE(call.operation, operation);
  ANDON_TRY(auto const json, reflect::parse_json(request));
  ANDON_TRY(call.request, api::decode(*call.operation, json));
  call.caller = caller;
  return executor.run(std::move(call));
}

std::string TestApp::answer(std::string_view operation, std::string_view request,
                            service::Caller const& caller) {
  auto out = ask(operation, request, caller);
  REQUIRE_MESSAGE(
      out,
      operation << " " << request << ": "
                << (out ? "" : std::string{core::row(out.error().code).name} + " " + out.error().message));
  return *std::move(out);
}
core::Task TestApp::task(std::string_view operation, std::string_view request,
                         service::Caller const& caller) {
  return parsed<core::Task>(answer(operation, request, caller));
}
core::Run TestApp::run(std::string_view operation, std::string_view request, service::Caller const& caller) {
  return parsed<core::Run>(answer(operation, request, caller));
}

core::Error TestApp::error(std::string_view operation, std::string_view request,
                           service::Caller const& caller) {
  auto const before = digest();
  auto out = ask(operation, request, caller);
  REQUIRE_MESSAGE(!out, operation << " " << request << " was not refused");
  CHECK_MESSAGE(digest() == before, operation << " " << request << " was refused and changed something");
  CHECK_FALSE(out.error().message.empty());
  return out.error();
}
std::string TestApp::refusal(std::string_view operation, std::string_view request,
                             service::Caller const& caller) {
  return std::string{core::row(error(operation, request, caller).code).name};
}

core::Task TestApp::create(std::string_view title, std::string_view members, service::Caller const& caller) {
  auto const rest = members.empty() ? "" : "," + std::string{members};
  return task("create_task", "{\"title\":\"" + std::string{title} + "\"" + rest + "}", caller);
}
core::Task TestApp::get(core::TaskId id) { return task("get_task", on(id)); }
core::Task TestApp::move(core::TaskId id, std::string_view status) {
  return task("move_task", on(id, "\"status\":\"" + std::string{status} + "\""));
}
core::Task TestApp::stored(core::TaskId id) {
  core::Task out;
  executor.read([&](service::OperationContext& u) { out = u.tx.task(id).value(); });
  return out;
}

void TestApp::add_worker(std::string_view name, std::string_view members) {
  auto const rest = members.empty() ? "" : "," + std::string{members};
  answer("add_worker", "{\"name\":\"" + std::string{name} + "\",\"agent\":\"shell\"" + rest + "}");
}
core::Run TestApp::start(std::string_view worker) {
  executor.write([](service::OperationContext& u) { return service::set_runner(u, true), true; });
  auto const run = this->run("dispatch_next", "{\"worker\":\"" + std::string{worker} + "\"}");
  auto hash = std::to_string(run.id);
  hash.insert(0, 64 - hash.size(), 'a');
  answer("begin_run", on(run.id, "\"token_hash\":\"" + hash + "\""));
  return this->run("adopt_run", on(run.id, R"("pid":7,"process":"boot 7")"));
}
core::Run TestApp::finish(core::Run const& run, std::string_view members) {
  return this->run("finish_run", on(run.id, members));
}

std::vector<core::Event> TestApp::events(std::int64_t after) {
  std::vector<core::Event> out;
  store::EventFilter filter;
  filter.after = after;
  filter.limit = kAll;
  executor.read([&](service::OperationContext& u) { out = u.tx.events(filter); });
  return out;
}
std::vector<std::string> TestApp::kinds(std::int64_t after) {
  std::vector<std::string> out;
  for (auto const& event : events(after))
    out.emplace_back(core::kEventKindNames[static_cast<std::size_t>(event.kind)]);
  return out;
}
std::int64_t TestApp::last_seq() {
  std::int64_t seq = 0;
  executor.read([&](service::OperationContext& u) { seq = u.tx.last_seq(); });
  return seq;
}
service::Snapshot TestApp::snapshot() {
  service::Snapshot out;
  executor.read([&](service::OperationContext& u) { out = service::snapshot(u, {board, {}, {}}).value(); },
                ann());
  return out;
}
service::Changes TestApp::changes(std::int64_t since) {
  service::Changes out;
  executor.read([&](service::OperationContext& u) { out = service::changes_since(u, since, {board}, kAll); },
                ann());
  return out;
}

std::string TestApp::digest() {
  std::string out;
  auto const line = [&](auto const& object) { out += reflect::to_json(object) + '\n'; };
  executor.read([&](service::OperationContext& u) {
    for (auto const* board : u.tx.boards()) {
      auto const& b = *board;
      line(b);
      auto const load = u.tx.load(b.id);
      for (auto const& [name, n] : load.columns) out += name + '=' + std::to_string(n) + '\n';
      for (auto const& [name, n] : load.classes) out += name + '=' + std::to_string(n) + '\n';
    }
    for (auto const& worker : u.tx.workers()) line(worker);
    for (auto const& automation : u.tx.automations()) line(automation);
    store::TaskFilter all;
    all.archived = true;
    auto const listed = u.tx.list(all, {static_cast<std::size_t>(kAll), {}, {}, false});
    for (auto const& t : listed->tasks) {
      line(t);
      line(t.state);
      out += u.tx.body(t.id).value_or("") + '\n';
      for (auto const& run : u.tx.runs_of(t.id)) line(run);
    }
    for (auto const& token : u.tx.tokens()) out += token.hash + (token.revoked ? "-\n" : "+\n");
  });
  return out + std::to_string(last_seq());
}

}  // namespace andon::test
