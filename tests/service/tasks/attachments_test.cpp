#include "service/tasks/attachments.hpp"

#include <doctest/doctest.h>

#include "service/tasks/task_actions.hpp"
#include "service/tasks/tasks.hpp"
#include "service/test_app.hpp"

using namespace andon;
using test::agent;
using test::TestApp;

namespace {

/// A request whose content is stored already.
service::AttachRequest attaching(core::TaskId task, std::string name, std::string id = "0a") {
  service::AttachRequest out{.id = {std::to_string(task)}, .name = name, .epoch = {}, .sha256 = "aa"};
  out.stored.id = id;
  out.stored.name = std::move(name);
  out.stored.size = 4;
  out.stored.type = "image/png";
  out.stored.sha256 = "aa";
  return out;
}

service::DetachRequest detaching(core::TaskId task, std::string name) {
  return {.id = {std::to_string(task)}, .name = std::move(name), .epoch = {}};
}

/// Runs the function in a unit of its own, without a content: a store in memory keeps none.
template <auto F, class Request>
core::Result<core::Task> written(TestApp& app, Request const& request,
                                 service::Caller const& caller = test::ann()) {
  core::Result<core::Task> out;
  app.executor.write(
      [&](service::OperationContext& unit) {
        out = F(unit, request);
        return out.has_value();
      },
      caller);
  return out;
}
constexpr auto attach = &written<&service::attach_file, service::AttachRequest>;
constexpr auto detach = &written<&service::detach_file, service::DetachRequest>;

std::string code_of(core::Result<core::Task> const& answer) {
  return answer ? "" : std::string{core::row(answer.error().code).name};
}

}  // namespace

TEST_CASE("Attachments.AreRecordedWithTheirAuthorAndTime") {
  TestApp app("classic");
  auto const task = app.create("Fix it");
  auto const attached = attach(app, attaching(task.id, "shot.png"), test::ann());
  REQUIRE(attached);
  auto const& after = *attached;
  REQUIRE(after.attachments.size() == 1);
  CHECK(after.attachments.front().by.starts_with("user:"));
  CHECK(after.attachments.front().at == after.updated);
  CHECK(after.rev > task.rev);
  CHECK(app.call<&service::list_attachments>({.id = {std::to_string(task.id)}}).items == after.attachments);
}

TEST_CASE("Attachments.HaveNamesOfTheirOwn") {
  TestApp app("classic");
  auto const task = app.create("Fix it");
  REQUIRE(attach(app, attaching(task.id, "shot.png"), test::ann()));
  auto const refused = attach(app, attaching(task.id, "SHOT.png", "0b"), test::ann());
  CHECK(code_of(refused) == "CONFLICT");
  CHECK(refused.error().field == "name");
  auto const emptied = detach(app, detaching(task.id, "shot.PNG"), test::ann());
  REQUIRE(emptied);
  CHECK(emptied->attachments.empty());
  CHECK(code_of(detach(app, detaching(task.id, "shot.png"), test::ann())) == "NOT_FOUND");
}

TEST_CASE("Attachments.AreAtMostAHundred") {
  TestApp app("classic");
  auto const task = app.create("Fix it");
  for (std::size_t n = 0; n < core::kMostAttachments; ++n)
    REQUIRE(attach(app, attaching(task.id, "f" + std::to_string(n), std::to_string(n)), test::ann()));
  CHECK(code_of(attach(app, attaching(task.id, "one more", "ff"), test::ann())) == "CONFLICT");
}

TEST_CASE("Attachments.OfATaskAreBoundedTogether") {
  TestApp app("classic");
  auto const task = app.create("Fix it");
  for (int n = 0; n < 20; ++n) {
    auto request = attaching(task.id, "f" + std::to_string(n), std::to_string(n));
    request.stored.size = core::kMostAttachmentBytes;
    REQUIRE(attach(app, request, test::ann()));
  }
  CHECK(code_of(attach(app, attaching(task.id, "one more", "ff"), test::ann())) == "TOO_LARGE");
  service::AttachRequest early{.id = {std::to_string(task.id)}, .name = "one more"};
  early.content = "x";
  core::Result<store::AttachmentPlace> place;
  app.executor.read([&](service::OperationContext& unit) { place = service::place_for(unit, early); });
  REQUIRE_FALSE(place);
  CHECK(place.error().code == core::Code::kTooLarge);
  REQUIRE(detach(app, detaching(task.id, "f0"), test::ann()));
  CHECK(attach(app, attaching(task.id, "one more", "ff"), test::ann()));
}

TEST_CASE("Attachments.OfARunBelongToItsOwnTask") {
  TestApp app("queue");
  app.add_worker("dev", {.name = {}, .takes_unassigned = true});
  app.create("Code", {.status = "ready"});
  auto const other = app.create("Other");
  auto const run = app.start("dev");
  CHECK(attach(app, attaching(run.task, "shot.png"), agent(run)));
  CHECK(code_of(attach(app, attaching(other.id, "shot.png"), agent(run))) == "FORBIDDEN");
  REQUIRE(attach(app, attaching(other.id, "shot.png"), test::ann()));
  CHECK(code_of(detach(app, detaching(other.id, "shot.png"), agent(run))) == "FORBIDDEN");
}

TEST_CASE("Attachments.OfAWorkerBeforeTheStartVoidTheApproval") {
  TestApp app("queue");
  auto const task = app.create("Task", {.status = "ready"});
  auto caller = test::person("dev");
  caller.actor = {core::ActorKind::worker, "dev"};
  auto const after = attach(app, attaching(task.id, "shot.png"), caller);
  REQUIRE(after);
  CHECK_FALSE(after->approved);
  CHECK(after->stage == core::Stage::backlog);
}

/// A content of a task that does not exist yet may belong to a request that is under way.
TEST_CASE("Attachments.ContentsThatNoRecordNamesAreLeftBehind") {
  TestApp app("classic");
  auto const task = app.create("Fix it");
  REQUIRE(attach(app, attaching(task.id, "shot.png"), test::ann()));
  std::vector<store::AttachmentPlace> const places{
      {{}, task.id, "0a", "shot.png"}, {{}, task.id, "0b", "shot.png"}, {{}, core::TaskId{99}, "0a", "x"}};
  std::vector<store::AttachmentPlace> left;
  app.executor.read([&](service::OperationContext& unit) { left = service::left_behind(unit, places); });
  REQUIRE(left.size() == 1);
  CHECK(left.front() == places[1]);
}
