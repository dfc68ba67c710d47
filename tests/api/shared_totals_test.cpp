#include "service/limits/storage_totals.hpp"
#include "service/runs/dispatch.hpp"
#include "service/tasks/claim.hpp"
#include "service/tasks/task_actions.hpp"
#include "service/test_app.hpp"
#include "store/contract/stores.hpp"

using namespace andon;
using namespace andon::test;

namespace {

/// One server of a store.
struct OneServer {
  OneServer(store::Store& store, os::Clock const& clock) : executor(store, clock) {}

  template <auto F>
  core::Result<ResponseOf<F>> ask(RequestOf<F> const& request, service::Caller const& caller = ann()) {
    for (int n = 0;; ++n) {
      auto answer = executor.run(api::call_of<F>(request, caller));
      // A store with passing faults asks to try again.
      if (!answer && n < 20 && answer.error().code != core::Code::kNoSpace) continue;
      if (!answer) return std::unexpected(answer.error());
      return std::move(*answer).template as<ResponseOf<F>>();
    }
  }
  template <auto F>
  ResponseOf<F> call(RequestOf<F> const& request, service::Caller const& caller = ann()) {
    auto answer = ask<F>(request, caller);
    REQUIRE_MESSAGE(answer, (answer ? "" : answer.error().message));
    return *std::move(answer);
  }
  core::Result<core::Task> note(core::Run const& run) {
    return ask<&service::note_task>({.id = run.task, .text = std::string(1'000, 'x')}, agent(run));
  }

  api::LocalExecutor executor;
};

core::Run start_run(OneServer& server) {
  server.call<&service::add_worker>([] {
    service::PutWorkerRequest request;
    request.name = "coder";
    request.agent = "shell";
    return request;
  }());
  service::CreateTaskRequest task;
  task.title = "T";
  task.status = "todo";
  task.assignee = "coder";
  server.call<&service::create_task>(task);
  server.executor.write([](service::OperationContext& u) { return service::set_runner(u, true), true; });
  auto const run = server.call<&service::dispatch_next>({.worker = "coder"});
  server.call<&service::begin_run>({.id = run.id, .token_hash = std::string(64, 'a')});
  return server.call<&service::adopt_run>({.id = run.id, .pid = 7, .process = "boot 7"});
}

/// Leaves room for that many bytes.
void use_up(OneServer& server, core::Run const& run, std::int64_t room) {
  auto const most = service::bound_of(service::Stored::text).of_run;
  server.executor.write(
      [&](service::OperationContext& ctx) {
        return service::count_stored(ctx, service::Stored::text, most - room).has_value();
      },
      agent(run));
}

}  // namespace

TEST_CASE("StorageTotals.HoldAfterARestartAndOverAllServersOfAStore") {
  for_each_store([](StoreUnderTest& store) {
    FakeClock const clock;
    add_board(*store);
    std::optional<OneServer> one{std::in_place, *store, clock};
    auto const run = start_run(*one);
    use_up(*one, run, 2'600);
    auto const other_store = store.second_server();
    std::optional<OneServer> other{std::in_place, other_store ? *other_store : *store, clock};
    CHECK(one->note(run));
    CHECK(other->note(run));
    auto const before = seen(*store, [](auto& tx) { return tx.last_seq(); });
    for (auto* server : {&*one, &*other}) {
      auto const refused = server->note(run);
      REQUIRE_FALSE(refused);
      CHECK(refused.error().code == core::Code::kNoSpace);
    }
    other.reset();
    if (store.lasts()) {
      one.reset();
      store.reopen();
      one.emplace(*store, clock);
      CHECK(one->note(run).error().code == core::Code::kNoSpace);
    }
    CHECK(seen(*store, [](auto& tx) { return tx.last_seq(); }) == before);
    CHECK(one->ask<&service::heartbeat>({.id = run.task, .epoch = run.epoch}, agent(run)));
  });
}

TEST_CASE("StorageTotals.CountWhatAUnitAddsBesidesItsRequest") {
  for_each_store([](StoreUnderTest& store) {
    add_board(*store);
    auto const added = keep(*store, [](store::Tx& tx) {
      core::Task task = a_task();
      task.body = std::string(10'000, 'x');
      task.next_tasks = {{.title = "A", .body = std::string(5'000, 'y')}};
      tx.add(task);
      auto event = an_event();
      event.data = R"({"reason":")" + std::string(1'000, 'z') + "\"}";
      tx.append(event);
      return tx.added_bytes();
    });
    CHECK(added > 16'000);
    CHECK(added < 17'000);
    CHECK(keep(*store, [](store::Tx& tx) { return tx.added_bytes(); }) == 0);
  });
}
