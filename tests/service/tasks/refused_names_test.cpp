#include <array>

#include <doctest/doctest.h>

#include "service/boards/boards.hpp"
#include "service/tasks/create.hpp"
#include "service/tasks/edit.hpp"
#include "service/test_app.hpp"
#include "service/workers/workers.hpp"

using namespace andon;
using test::TestApp;

namespace {

/// One of each class of characters that separate, control or reorder lines.
std::array<std::string, 16> const kHidden{std::string{"a\0b", 3},
                                          "a\x01"
                                          "b",
                                          "a\nb",
                                          "a\rb",
                                          "a\x1b[2J",
                                          "a\x7f"
                                          "b",
                                          "a\u0085b",
                                          "a\u009bb",
                                          "a\u2028b",
                                          "a\u2029b",
                                          "a\u202eb",
                                          "a\u2066b",
                                          "a\u200fb",
                                          "a\u061cb",
                                          "a\ufeffb",
                                          "a\xff"
                                          "b"};
constexpr std::array kPaths{"../x", "/x", "a/b", "..", ".", ".hidden", "a\\b", "a/../b"};

}  // namespace

TEST_CASE("RefusedNames.TitlesTagsAndRolesHoldNoHiddenCharacters") {
  TestApp app("flow");
  app.create("Task");
  for (auto const& text : kHidden) {
    CAPTURE(text);
    CHECK(app.refusal<&service::create_task>({.title = text}) == "INVALID_INPUT");
    CHECK(app.refusal<&service::create_task>({.title = "One", .tags = {text}}) == "INVALID_INPUT");
    CHECK(app.refusal<&service::create_task>({.title = "One", .role = text}) == "INVALID_INPUT");
    CHECK(app.refusal<&service::edit_task>({.id = 1, .title = text}) == "INVALID_INPUT");
    CHECK(app.refusal<&service::edit_task>({.id = 1, .role = text}) == "INVALID_INPUT");
  }
}

TEST_CASE("RefusedNames.RolesAreNoPaths") {
  TestApp app("flow");
  app.create("Task");
  for (std::string const path : kPaths) {
    CAPTURE(path);
    CHECK(app.refusal<&service::create_task>({.title = "One", .role = path}) == "INVALID_INPUT");
    CHECK(app.refusal<&service::edit_task>({.id = 1, .role = path}) == "INVALID_INPUT");
    service::PutWorkerRequest worker;
    worker.name = "coder";
    worker.role = path;
    CHECK(app.refusal<&service::add_worker>(worker) == "INVALID_INPUT");
    service::CreateTaskRequest chained{.title = "One"};
    chained.next_tasks.push_back({.title = "Then", .role = path});
    CHECK(app.refusal<&service::create_task>(chained) == "INVALID_INPUT");
    service::EditBoardRequest board;
    board.board = "flow";
    board.review_by = core::ReviewBy{core::Reviewer::role, path};
    CHECK(app.refusal<&service::edit_board>(board) == "INVALID_INPUT");
  }
  CHECK(app.call<&service::edit_task>({.id = 1, .role = "code review"}).role == "code review");
}

TEST_CASE("RefusedNames.BoardsEndWithNoDot") {
  TestApp app;
  for (auto const* name : {"shop.", "shop..", ".", "..", ".shop", "a/b", "../x", "shop ", "sh op"}) {
    CAPTURE(name);
    service::CreateBoardRequest board;
    board.name = name;
    CHECK(app.refusal<&service::create_board>(board) == "INVALID_INPUT");
  }
}
