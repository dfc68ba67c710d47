#include <algorithm>
#include <map>

#include <doctest/doctest.h>

#include "api/call.hpp"
#include "api/operation.hpp"
#include "service/limits/storage_meter.hpp"
#include "service/test_app.hpp"

using namespace andon;

namespace {

constexpr std::int64_t kMiB = 1LL << 20U;

service::Caller a_run() {
  service::RunScope scope{.run = core::RunId{1}, .task = 1, .epoch = 1};
  scope.board = "shop";
  return {{core::ActorKind::worker, "coder"}, service::Role::run, core::Source::api, scope};
}
service::Caller a_runner() { return {{core::ActorKind::runner, "east"}, service::Role::runner, {}, {}}; }

/// Puts long texts into every field that takes one.
void fill(reflect::Type const& type, void* object, std::string const& text, int depth = 0) {
  if (depth > 4) return;
  if (type.kind == reflect::Kind::text && type.choices.empty()) (void)type.set_text(object, text);
  if (type.kind == reflect::Kind::object)
    for (auto const& member : type.members()) fill(*member.type, member.at(object), text, depth + 1);
  if (type.kind == reflect::Kind::list) fill(*type.element, type.append(object), text, depth + 1);
  if (type.kind == reflect::Kind::optional) fill(*type.element, type.emplace(object), text, depth + 1);
  if (type.kind == reflect::Kind::map) fill(*type.element, type.insert(object, "key"), text, depth + 1);
}

/// The bytes of the requests that were let through of a flood with the largest ones; ends beyond `most`.
std::int64_t flood(test::TestApp& app, api::Operation const& operation, service::Caller const& caller,
                   std::int64_t most) {
  std::string const text(200'000, 'x');
  std::int64_t out = 0;
  while (out <= most) {
    api::Call call;
    call.operation = &operation;
    call.request = operation.make();
    call.caller = caller;
    fill(*operation.request, call.request.get(), text);
    std::int64_t size = service::kLeastStored;
    if (operation.file.taken) {
      size = 25 * kMiB;
      operation.file.taken(call.request.get()) = std::string(static_cast<std::size_t>(size), 'x');
    } else {
      std::string json;
      reflect::write_json(*operation.request, call.request.get(), json);
      size = std::max(size, std::ssize(json));
    }
    auto const answer = app.executor.run(std::move(call));
    if (!answer && answer.error().code == core::Code::kRateLimited) break;
    out += size;
  }
  return out;
}

}  // namespace

TEST_CASE("MeteredOperations.BoundWhatFloodsOfTheirLargestRequestsStore") {
  for (auto const& caller : {a_run(), a_runner()}) {
    test::TestApp app;
    auto const runs = caller.role == service::Role::runner ? service::kRunsOfRunner : 1;
    std::map<service::Stored, std::int64_t> stored;
    for (auto const& operation : api::operations()) {
      bool const writes = operation.effect != api::Effect::read && !operation.finish;
      if (!writes || !api::may_call(caller.role, operation)) continue;
      CAPTURE(operation.name);
      auto const most = service::bound_of(operation.stores).at_once * runs;
      stored[operation.stores] += flood(app, operation, caller, most);
      CHECK(stored[operation.stores] <= most);
    }
    CHECK(stored.contains(service::Stored::report));
  }
}

TEST_CASE("MeteredOperations.OfTextsThatStayAreNoReports") {
  // A report has no bound of a run in all, so that what it stores must end with the run or replace itself.
  for (auto const* name : {"add_note", "create_task", "create_tasks", "update_task", "write_plan",
                           "ask_permission", "add_memory", "reject_task"}) {
    CAPTURE(name);
    CHECK(api::find_operation(name)->stores == service::Stored::text);
  }
}
