#include <doctest/doctest.h>

#include "api/call.hpp"
#include "api/operation.hpp"
#include "service/tasks/task_actions.hpp"
#include "service/test_app.hpp"
#include "store/engine/unit/unit.hpp"

using namespace andon;
using namespace andon::test;

namespace {

/// A key as JSON and URLs would escape it.
constexpr std::string_view kSecret = "sk/of \"somebody\" \\1234";
constexpr std::string_view kText = "before sk/of \"somebody\" \\1234 after";

std::string without_secret(core::RunId, std::string_view text) {
  std::string out{text};
  for (std::size_t at = 0; (at = out.find(kSecret, at)) != std::string::npos;)
    out.replace(at, kSecret.size(), "[redacted]");
  return out;
}

/// The secret in a text of its own, as JSON has it between its quotes.
std::string escaped() {
  std::string out;
  reflect::write_string(std::string{kSecret}, out);
  return out.substr(1, out.size() - 2);
}

/// Puts the secret into every text at any depth.
void put_secret(reflect::Type const& type, void* object, int depth = 0) {
  using reflect::Kind;
  if (depth > 4) return;
  if (type.kind == Kind::text) (void)type.set_text(object, kText);
  if (type.kind == Kind::json) *static_cast<boost::json::value*>(object) = std::string{kText};
  if (type.kind == Kind::object)
    for (auto const& member : type.members()) put_secret(*member.type, member.at(object), depth + 1);
  if (type.kind == Kind::list) put_secret(*type.element, type.append(object), depth + 1);
  if (type.kind == Kind::optional) put_secret(*type.element, type.emplace(object), depth + 1);
  if (type.kind == Kind::map) put_secret(*type.element, type.insert(object, "key"), depth + 1);
}

/// A write that a run may call, about itself and its task.
api::Call a_call(api::Operation const& operation, core::Run const& run) {
  api::Call call;
  call.operation = &operation;
  call.request = operation.make();
  call.caller = agent(run);
  auto const* id = reflect::find_member(*operation.request, "id");
  auto const number = operation.path.starts_with("/runs") ? std::int64_t{run.id} : std::int64_t{run.task};
  if (id && id->type->set_integer) id->type->set_integer(id->at(call.request.get()), number);
  if (id && id->type->set_text) (void)id->type->set_text(id->at(call.request.get()), std::to_string(number));
  return call;
}

template <class Visit>
void each_write_of_a_run(Visit const& visit) {
  int writes = 0;
  for (auto const& operation : api::operations()) {
    if (operation.effect == api::Effect::read || !api::may_call(service::Role::run, operation)) continue;
    CAPTURE(operation.name);
    visit(operation);
    ++writes;
  }
  CHECK(writes > 15);
}

/// A board with a run at work, whose secret is known.
struct WatchedRun {
  TestApp app{"queue"};
  core::Run run;

  WatchedRun() {
    app.add_worker("coder");
    app.create("T", {.status = "ready", .assignee = "coder"});
    run = app.start("coder");
    app.executor.redact_with(&without_secret);
  }
  std::string stored() {
    auto out = app.digest();
    for (auto const& event : app.events()) out += event.data + '\n' + event.mutation + '\n';
    app.executor.read([&](service::OperationContext& u) {
      for (auto const& [name, value] : u.tx.settings()) out += name + '=' + value + '\n';
    });
    return out;
  }
  void check_that_nothing_is_stored() {
    auto const all = stored();
    CHECK_FALSE(all.contains(kSecret));
    CHECK_FALSE(all.contains(escaped()));
  }
};

}  // namespace

TEST_CASE("RedactedOperations.SeeNoSecretInAnyTextOfARequest") {
  core::Run const run{.id = 1, .task = 1, .board = "queue", .worker = "coder"};
  each_write_of_a_run([&](api::Operation const& operation) {
    auto call = a_call(operation, run);
    put_secret(*operation.request, call.request.get());
    call.idempotency_key = kText;
    if (operation.file.taken) operation.file.taken(call.request.get()) = kText;
    if (!api::redact(call, &without_secret)) return;
    std::string json;
    reflect::write_json(*operation.request, call.request.get(), json);
    CHECK_FALSE(json.contains(escaped()));
    CHECK_FALSE(call.idempotency_key.contains(kSecret));
    if (operation.file.taken) CHECK_FALSE(operation.file.taken(call.request.get()).contains(kSecret));
  });
}

TEST_CASE("RedactedOperations.StoreNoSecretFromAnyField") {
  each_write_of_a_run([&](api::Operation const& operation) {
    for (auto const& member : operation.request->members()) {
      CAPTURE(member.name);
      WatchedRun it;
      auto call = a_call(operation, it.run);
      // A field alone reaches the store where all together are refused.
      if (auto const* text = reflect::find_member(*operation.request, "text"))
        (void)text->type->set_text(text->at(call.request.get()), "a text");
      if (auto const* title = reflect::find_member(*operation.request, "title");
          title && title->type->set_text)
        (void)title->type->set_text(title->at(call.request.get()), "a title");
      if (member.name != "id") put_secret(*member.type, member.at(call.request.get()));
      call.idempotency_key = "key-" + std::string{kText};
      (void)it.app.executor.run(std::move(call));
      it.check_that_nothing_is_stored();
    }
  });
}

TEST_CASE("RedactedOperations.KeepTheRestOfATextAndOfAFile") {
  WatchedRun it;
  it.app.call<&service::note_task>({.id = it.run.task, .text = std::string{kText}}, agent(it.run));
  CHECK(it.stored().contains("before [redacted] after"));
  it.check_that_nothing_is_stored();
  auto const no_text = std::string(1, '\0') + std::string{kText};
  auto const* attach = api::find_operation("attach_file");
  for (auto const& [content, kept] :
       {std::pair{std::string{kText}, std::string{"before [redacted] after"}}, std::pair{no_text, no_text}}) {
    auto call = a_call(*attach, it.run);
    attach->file.taken(call.request.get()) = content;
    REQUIRE(api::redact(call, &without_secret));
    CHECK(attach->file.taken(call.request.get()) == kept);
  }
}

TEST_CASE("RedactedOperations.OfPeopleStayAsTheyAre") {
  WatchedRun it;
  it.app.call<&service::note_task>({.id = it.run.task, .text = std::string{kText}});
  CHECK(it.stored().contains(escaped()));
}
