#include "service/test_app.hpp"

#include <doctest/doctest.h>

#include "api/operation.hpp"
#include "reflect/json.hpp"
#include "service/boards/boards.hpp"
#include "service/runs/dispatch.hpp"
#include "service/tasks/move.hpp"
#include "service/tasks/tasks.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::test {
namespace {

constexpr core::TaskId kAll = 1'000'000;

service::Caller caller_of(core::ActorKind kind, std::string name, service::Role role, core::Source source) {
  service::Caller caller;
  caller.actor = {kind, std::move(name)};
  caller.role = role;
  caller.source = source;
  return caller;
}

}  // namespace

service::Caller ann() {
  return caller_of(core::ActorKind::user, "ann", service::Role::machine, core::Source::api);
}
service::Caller person(std::string name) {
  return caller_of(core::ActorKind::user, std::move(name), service::Role::person, core::Source::cli);
}
service::Caller agent(core::Run const& run) {
  auto caller = caller_of(core::ActorKind::worker, run.worker, service::Role::run, core::Source::worker);
  caller.run = service::RunScope{run.id, run.task, run.epoch, run.board, run.worker};
  return caller;
}

TestApp::TestApp(std::string_view board_template) : board(board_template) {
  service::CreateBoardRequest request;
  request.name = board;
  request.template_ = board;
  call<&service::create_board>(request);
}

core::Result<api::Answer> TestApp::ask(AnyCall const& call, service::Caller const& caller) {
  auto made = call.by(caller);
  made.tells_verbs = tells_verbs;
  return executor.run(std::move(made));
}
std::string TestApp::answer(AnyCall const& call, service::Caller const& caller) {
  return answered(call, caller).text();
}
api::Answer TestApp::answered(AnyCall const& call, service::Caller const& caller) {
  auto out = ask(call, caller);
  REQUIRE_MESSAGE(out, call.operation << ": "
                                      << (out ? ""
                                              : std::string{core::row(out.error().code).name} + " " +
                                                    out.error().message));
  return *std::move(out);
}
core::Error TestApp::error(AnyCall const& call, service::Caller const& caller) {
  auto const before = digest();
  return refused(call.operation, ask(call, caller), before);
}
core::Error TestApp::refused(std::string_view operation, core::Result<api::Answer> const& answer,
                             std::string const& before) {
  REQUIRE_MESSAGE(!answer, operation << " was not refused");
  CHECK_MESSAGE(digest() == before, operation << " was refused and changed something");
  CHECK_FALSE(answer.error().message.empty());
  return answer.error();
}
core::Result<api::Answer> TestApp::ask_of_json(api::Operation const& operation, std::string_view request,
                                               service::Caller const& caller) {
  api::Call call;
  call.operation = &operation;
  ANDON_TRY(auto const json, reflect::parse_json(request));
  ANDON_TRY(call.request, api::decode(operation, json));
  call.caller = caller;
  return executor.run(std::move(call));
}
core::Error TestApp::error_of_json(api::Operation const& operation, std::string_view request,
                                   service::Caller const& caller) {
  auto const before = digest();
  return refused(operation.name, ask_of_json(operation, request, caller), before);
}
std::string TestApp::refusal(AnyCall const& call, service::Caller const& caller) {
  return std::string{core::row(error(call, caller).code).name};
}

core::Task TestApp::create(std::string_view title, service::CreateTaskRequest request,
                           service::Caller const& caller) {
  request.title = title;
  return call<&service::create_task>(request, caller);
}
core::Task TestApp::get(core::TaskId id) { return call<&service::get_task>({.id = id}); }
core::Task TestApp::move(core::TaskId id, std::string_view status) {
  return call<&service::move_task>({.id = id, .status = std::string{status}});
}
core::Task TestApp::stored(core::TaskId id) {
  core::Task out;
  executor.read([&](service::OperationContext& u) { out = u.tx.task(id).value(); });
  return out;
}

void TestApp::add_worker(std::string_view name, service::PutWorkerRequest request) {
  request.name = name;
  if (!request.agent && !request.agents) request.agent = "shell";
  call<&service::add_worker>(request);
}
core::Run TestApp::start(std::string_view worker) {
  executor.write([](service::OperationContext& u) { return service::set_runner(u, true), true; });
  auto const run = call<&service::dispatch_next>({.worker = std::string{worker}});
  auto hash = std::to_string(run.id);
  hash.insert(0, 64 - hash.size(), 'a');
  call<&service::begin_run>({.id = run.id, .token_hash = hash});
  return call<&service::adopt_run>({.id = run.id, .pid = 7, .process = "boot 7"});
}
core::Run TestApp::finish(core::Run const& run, service::FinishRunRequest request) {
  request.id = run.id;
  return call<&service::finish_run>(request);
}
std::vector<core::Event> TestApp::events(core::EventSeq after) {
  std::vector<core::Event> out;
  store::EventFilter filter;
  filter.after = after;
  filter.limit = kAll;
  executor.read([&](service::OperationContext& u) { out = u.tx.events(filter); });
  return out;
}
std::vector<std::string> TestApp::kinds(core::EventSeq after) {
  std::vector<std::string> out;
  for (auto const& event : events(after))
    out.emplace_back(core::kEventKindNames[static_cast<std::size_t>(event.kind)]);
  return out;
}
core::EventSeq TestApp::last_seq() {
  core::EventSeq seq = 0;
  executor.read([&](service::OperationContext& u) { seq = u.tx.last_seq(); });
  return seq;
}
service::Snapshot TestApp::snapshot() {
  service::Snapshot out;
  executor.read([&](service::OperationContext& u) { out = service::snapshot(u, {board, {}, {}}).value(); },
                ann());
  return out;
}
service::Changes TestApp::changes(core::EventSeq since) {
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
