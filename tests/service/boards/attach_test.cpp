#include "service/boards/attach.hpp"

#include <filesystem>
#include <fstream>

#include <doctest/doctest.h>

#include "service/boards/boards.hpp"
#include "service/tasks/claim.hpp"
#include "service/tasks/edit.hpp"
#include "service/tasks/move.hpp"
#include "service/tasks/pick.hpp"
#include "service/tasks/task_actions.hpp"
#include "service/tasks/tasks.hpp"
#include "service/test_app.hpp"
#include "store/contract/stores.hpp"
#include "support/scratch.hpp"

using namespace andon;
using test::agent;
using test::person;
using test::TestApp;

namespace {

/// A directory of files with tasks in one column, the ready one if none is said.
class Files {
 public:
  explicit Files(std::vector<std::string> const& titles, std::string const& status = "todo") {
    auto const store = store::open_store("markdown:" + scratch_.path().native());
    test::add_board(*store);
    for (auto const& title : titles) test::add_task(*store, test::a_task(title).in(status));
    store->close();
  }
  service::AttachBoardRequest request() const { return {.directory = scratch_.path().native()}; }
  std::string text(std::string const& name) const {
    std::ifstream in{scratch_ / "tasks" / name};
    return {std::istreambuf_iterator<char>{in}, {}};
  }
  bool says(std::string const& name, std::string_view what) const { return text(name).contains(what); }

 private:
  test::Scratch scratch_;
};

}  // namespace

TEST_CASE("Attach.IsForTheAdministrator") {
  TestApp app;
  Files const files({"Fix the cart"});
  CHECK(app.refusal<&service::attach_board>(files.request(), person("bob")) == "FORBIDDEN");
  CHECK(app.refusal<&service::attach_board>({.directory = "kanban"}) == "INVALID_INPUT");
  CHECK(app.call<&service::attach_board>(files.request()).name == "shop");
  CHECK(app.refusal<&service::attach_board>(files.request()) == "INVALID_INPUT");
  CHECK(app.refusal<&service::edit_board>({{.trusted = std::vector<std::string>{"file"}}, "shop"},
                                          person("bob")) == "FORBIDDEN");
  CHECK(app.refusal<&service::edit_board>({{.prefix = "X"}, "shop"}) == "INVALID_INPUT");
  CHECK(app.refusal<&service::create_board>({{.prefix = "shop"}, "other"}) == "INVALID_INPUT");
  CHECK(app.refusal<&service::delete_board>({.board = "shop"}) == "INVALID_INPUT");
  CHECK(app.refusal<&service::detach_board>({.board = "classic"}) == "INVALID_INPUT");
}

TEST_CASE("Attach.AgentsGetWhatAPersonHasReadOnly") {
  TestApp app;
  Files const files({"Fix the cart"});
  app.call<&service::attach_board>(files.request());
  app.add_worker("dev", {.takes_unassigned = true});
  auto const refused = app.error<&service::pick_task>({.worker = "dev"});
  CHECK(refused.code == core::Code::kNothingToPick);
  CHECK(refused.message.contains("1 approval"));
  CHECK(app.call<&service::approve_task>({.id = "SHOP-1"}).approved);
  auto const run = app.start("dev");
  auto const task = app.get(run.task);
  CHECK(task.key == "SHOP-1");
  CHECK(files.says("001-fix-the-cart.md", "claimed_by: dev"));

  CHECK(app.refusal<&service::detach_board>({.board = "shop"}) == "CONFLICT");
  app.finish(run);
  CHECK(files.says("001-fix-the-cart.md", "result: made it"));
  CHECK(app.answer<&service::detach_board>({.board = "shop"}).contains(R"("status":"detached")"));
  CHECK(app.refusal<&service::get_task>({.id = run.task}) == "TASK_NOT_FOUND");
  CHECK(files.says("001-fix-the-cart.md", "result: made it"));
}

TEST_CASE("Attach.WhatFollowsFromOtherWorkIsNotReadByIt") {
  TestApp app;
  Files const files({"First", "Waits", "Parent", "Child"});
  app.call<&service::attach_board>(files.request());
  auto const move = [&](std::string const& key, std::string const& status) {
    return app.call<&service::move_task>({.id = key, .status = status});
  };
  app.call<&service::edit_task>({.id = "SHOP-2", .depends_on = std::vector<service::TaskRef>{"SHOP-1"}});
  app.call<&service::edit_task>({.id = "SHOP-4", .parent = "SHOP-3"});
  move("SHOP-1", "done");
  move("SHOP-4", "done");
  for (auto const* key : {"SHOP-2", "SHOP-3"})
    CHECK_FALSE(app.call<&service::get_task>({.id = std::string{key}}).approved);
  CHECK(move("SHOP-2", "doing").approved);
  CHECK(app.call<&service::claim_task>({.id = "SHOP-3", .by = "ann"}).approved);
}

TEST_CASE("Attach.AColumnsNewNameReadsNoTask") {
  TestApp app;
  Files const files({"Half done"}, "doing");
  app.call<&service::attach_board>(files.request());
  app.call<&service::edit_board>({{}, "shop", {}, {{"doing", "making"}}});
  auto const task = app.call<&service::get_task>({.id = "SHOP-1"});
  CHECK(task.status == "making");
  CHECK_FALSE(task.approved);
}

TEST_CASE("Attach.SignOfLifeOfAnAgentIsNoWriteToItsFile") {
  TestApp app;
  Files const files({"Fix the cart"});
  app.call<&service::attach_board>(files.request());
  app.add_worker("dev", {.takes_unassigned = true});
  app.call<&service::approve_task>({.id = "SHOP-1"});
  auto const run = app.start("dev");
  auto const before = app.get(run.task);
  auto const written = files.text("001-fix-the-cart.md");
  app.clock.advance(std::chrono::seconds{30});
  app.call<&service::heartbeat>({.id = run.task, .epoch = run.epoch}, agent(run));
  auto const after = app.get(run.task);
  CHECK(after.claim_expires > before.claim_expires);
  CHECK(after.claimed_at == before.claimed_at);
  CHECK(files.text("001-fix-the-cart.md") == written);
}
