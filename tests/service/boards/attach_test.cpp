#include <filesystem>
#include <fstream>

#include <doctest/doctest.h>

#include "service/test_app.hpp"
#include "store/contract/stores.hpp"
#include "support/scratch.hpp"

using namespace andon;
using test::agent;
using test::on;
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
  std::string request() const { return R"({"directory":")" + scratch_.path().native() + R"("})"; }
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
  CHECK(app.refusal("attach_board", files.request(), person("bob")) == "FORBIDDEN");
  CHECK(app.refusal("attach_board", R"({"directory":"kanban"})") == "INVALID_INPUT");
  CHECK(app.answer("attach_board", files.request()).contains(R"("name":"shop")"));
  CHECK(app.refusal("attach_board", files.request()) == "INVALID_INPUT");
  CHECK(app.refusal("edit_board", R"({"board":"shop","trusted":["file"]})", person("bob")) == "FORBIDDEN");
  CHECK(app.refusal("edit_board", R"({"board":"shop","prefix":"X"})") == "INVALID_INPUT");
  CHECK(app.refusal("create_board", R"({"name":"other","prefix":"shop"})") == "INVALID_INPUT");
  CHECK(app.refusal("delete_board", R"({"board":"shop"})") == "INVALID_INPUT");
  CHECK(app.refusal("detach_board", R"({"board":"classic"})") == "INVALID_INPUT");
}

TEST_CASE("Attach.AgentsGetWhatAPersonHasReadOnly") {
  TestApp app;
  Files const files({"Fix the cart"});
  app.answer("attach_board", files.request());
  app.add_worker("dev", R"("takes_unassigned":true)");
  auto const refused = app.error("pick_task", R"({"worker":"dev"})");
  CHECK(refused.code == core::Code::kNothingToPick);
  CHECK(refused.message.contains("1 approval"));
  CHECK(app.task("approve_task", R"({"id":"SHOP-1"})").approved);
  auto const run = app.start("dev");
  auto const task = app.get(run.task);
  CHECK(task.key == "SHOP-1");
  CHECK(files.says("001-fix-the-cart.md", "claimed_by: dev"));

  CHECK(app.refusal("detach_board", R"({"board":"shop"})") == "CONFLICT");
  app.finish(run);
  CHECK(files.says("001-fix-the-cart.md", "result: made it"));
  CHECK(app.answer("detach_board", R"({"board":"shop"})").contains(R"("status":"detached")"));
  CHECK(app.refusal("get_task", on(run.task)) == "TASK_NOT_FOUND");
  CHECK(files.says("001-fix-the-cart.md", "result: made it"));
}

TEST_CASE("Attach.WhatFollowsFromOtherWorkIsNotReadByIt") {
  TestApp app;
  Files const files({"First", "Waits", "Parent", "Child"});
  app.answer("attach_board", files.request());
  auto const edit = [&](std::string const& key, std::string const& members) {
    return app.task("update_task", R"({"id":")" + key + "\"," + members + "}");
  };
  auto const move = [&](std::string const& key, std::string const& status) {
    return app.task("move_task", R"({"id":")" + key + R"(","status":")" + status + "\"}");
  };
  edit("SHOP-2", R"("depends_on":["SHOP-1"])");
  edit("SHOP-4", R"("parent":"SHOP-3")");
  move("SHOP-1", "done");
  move("SHOP-4", "done");
  for (auto const* key : {"SHOP-2", "SHOP-3"})
    CHECK_FALSE(app.task("get_task", R"({"id":")" + std::string{key} + "\"}").approved);
  CHECK(move("SHOP-2", "doing").approved);
  CHECK(app.task("claim_task", R"({"id":"SHOP-3","by":"ann"})").approved);
}

TEST_CASE("Attach.AColumnsNewNameReadsNoTask") {
  TestApp app;
  Files const files({"Half done"}, "doing");
  app.answer("attach_board", files.request());
  app.answer("edit_board", R"({"board":"shop","rename_columns":{"doing":"making"}})");
  auto const task = app.task("get_task", R"({"id":"SHOP-1"})");
  CHECK(task.status == "making");
  CHECK_FALSE(task.approved);
}

TEST_CASE("Attach.SignOfLifeOfAnAgentIsNoWriteToItsFile") {
  TestApp app;
  Files const files({"Fix the cart"});
  app.answer("attach_board", files.request());
  app.add_worker("dev", R"("takes_unassigned":true)");
  app.task("approve_task", R"({"id":"SHOP-1"})");
  auto const run = app.start("dev");
  auto const before = app.get(run.task);
  auto const written = files.text("001-fix-the-cart.md");
  app.clock.advance(std::chrono::seconds{30});
  app.answer("heartbeat", on(run.task, "\"epoch\":" + std::to_string(run.epoch)), agent(run));
  auto const after = app.get(run.task);
  CHECK(after.claim_expires > before.claim_expires);
  CHECK(after.claimed_at == before.claimed_at);
  CHECK(files.text("001-fix-the-cart.md") == written);
}
