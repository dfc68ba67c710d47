#include <filesystem>
#include <fstream>

#include <doctest/doctest.h>

#include "service/house.hpp"
#include "store/contract/stores.hpp"
#include "support/scratch.hpp"

using namespace andon;
using test::agent;
using test::House;
using test::on;
using test::person;

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
  House house;
  Files const files({"Fix the cart"});
  CHECK(house.refusal("attach_board", files.request(), person("bob")) == "FORBIDDEN");
  CHECK(house.refusal("attach_board", R"({"directory":"kanban"})") == "INVALID_INPUT");
  CHECK(house.answer("attach_board", files.request()).contains(R"("name":"shop")"));
  CHECK(house.refusal("attach_board", files.request()) == "INVALID_INPUT");
  CHECK(house.refusal("edit_board", R"({"board":"shop","trusted":["file"]})", person("bob")) == "FORBIDDEN");
  CHECK(house.refusal("edit_board", R"({"board":"shop","prefix":"X"})") == "INVALID_INPUT");
  CHECK(house.refusal("create_board", R"({"name":"other","prefix":"shop"})") == "INVALID_INPUT");
  CHECK(house.refusal("delete_board", R"({"board":"shop"})") == "INVALID_INPUT");
  CHECK(house.refusal("detach_board", R"({"board":"classic"})") == "INVALID_INPUT");
}

TEST_CASE("Attach.AgentsGetWhatAPersonHasReadOnly") {
  House house;
  Files const files({"Fix the cart"});
  house.answer("attach_board", files.request());
  house.add_worker("dev", R"("takes_unassigned":true)");
  auto const refused = house.error("pick_task", R"({"worker":"dev"})");
  CHECK(refused.code == core::Code::kNothingToPick);
  CHECK(refused.message.contains("1 approval"));
  CHECK(house.task("approve_task", R"({"id":"SHOP-1"})").approved);
  auto const run = house.start("dev");
  auto const task = house.get(run.task);
  CHECK(task.key == "SHOP-1");
  CHECK(files.says("001-fix-the-cart.md", "claimed_by: dev"));

  CHECK(house.refusal("detach_board", R"({"board":"shop"})") == "CONFLICT");
  house.finish(run);
  CHECK(files.says("001-fix-the-cart.md", "result: made it"));
  CHECK(house.answer("detach_board", R"({"board":"shop"})").contains(R"("status":"detached")"));
  CHECK(house.refusal("get_task", on(run.task)) == "TASK_NOT_FOUND");
  CHECK(files.says("001-fix-the-cart.md", "result: made it"));
}

TEST_CASE("Attach.WhatFollowsFromOtherWorkIsNotReadByIt") {
  House house;
  Files const files({"First", "Waits", "Parent", "Child"});
  house.answer("attach_board", files.request());
  auto const edit = [&](std::string const& key, std::string const& members) {
    return house.task("update_task", R"({"id":")" + key + "\"," + members + "}");
  };
  auto const move = [&](std::string const& key, std::string const& status) {
    return house.task("move_task", R"({"id":")" + key + R"(","status":")" + status + "\"}");
  };
  edit("SHOP-2", R"("depends_on":["SHOP-1"])");
  edit("SHOP-4", R"("parent":"SHOP-3")");
  move("SHOP-1", "done");
  move("SHOP-4", "done");
  for (auto const* key : {"SHOP-2", "SHOP-3"})
    CHECK_FALSE(house.task("get_task", R"({"id":")" + std::string{key} + "\"}").approved);
  CHECK(move("SHOP-2", "doing").approved);
  CHECK(house.task("claim_task", R"({"id":"SHOP-3","by":"ann"})").approved);
}

TEST_CASE("Attach.AColumnsNewNameReadsNoTask") {
  House house;
  Files const files({"Half done"}, "doing");
  house.answer("attach_board", files.request());
  house.answer("edit_board", R"({"board":"shop","rename_columns":{"doing":"making"}})");
  auto const task = house.task("get_task", R"({"id":"SHOP-1"})");
  CHECK(task.status == "making");
  CHECK_FALSE(task.approved);
}

TEST_CASE("Attach.SignOfLifeOfAnAgentIsNoWriteToItsFile") {
  House house;
  Files const files({"Fix the cart"});
  house.answer("attach_board", files.request());
  house.add_worker("dev", R"("takes_unassigned":true)");
  house.task("approve_task", R"({"id":"SHOP-1"})");
  auto const run = house.start("dev");
  auto const before = house.get(run.task);
  auto const written = files.text("001-fix-the-cart.md");
  house.clock.advance(std::chrono::seconds{30});
  house.answer("heartbeat", on(run.task, "\"epoch\":" + std::to_string(run.epoch)), agent(run));
  auto const after = house.get(run.task);
  CHECK(after.claim_expires > before.claim_expires);
  CHECK(after.claimed_at == before.claimed_at);
  CHECK(files.text("001-fix-the-cart.md") == written);
}
