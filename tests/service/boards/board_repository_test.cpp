#include "service/boards/board_repository.hpp"

#include <doctest/doctest.h>

#include "service/test_app.hpp"

using namespace andon;
using test::TestApp;
using Kind = service::RepositoryFindingKind;

namespace {

service::EditBoardRequest edit_with(service::ExaminedRepository examined) {
  service::EditBoardRequest out;
  out.board = "classic";
  out.repo = "/srv/mono/packages/app";
  out.worktree = true;
  out.examined = std::move(examined);
  return out;
}

/// What is asked about a board before it is changed; empty for nothing.
service::ExamineRepositoryRequest question(TestApp& app, service::EditBoardRequest const& request,
                                           service::Role role = service::Role::admin) {
  service::ExamineRepositoryRequest out;
  auto const ask = [&](service::OperationContext& ctx) {
    auto const asked = service::repository_of_edited_board(ctx, request);
    REQUIRE(asked);
    out = *asked;
  };
  app.executor.read(ask, {.role = role});
  return out;
}

}  // namespace

TEST_CASE("BoardRepository.WhatCannotWorkIsRefusedWithItsRemedy") {
  TestApp app;
  auto const seq = app.last_seq();
  auto const error = app.error<&service::edit_board>(edit_with(
      {"/srv/mono", "", "", {{Kind::note, "a", "b"}, {Kind::refused, "it is bare", "no", "clone it"}}}));
  CHECK(error.code == core::Code::kInvalidInput);
  CHECK(error.field == "repo");
  CHECK(error.message == "it is bare: no; clone it");
  CHECK(app.last_seq() == seq);
}

TEST_CASE("BoardRepository.NotesAreToldAndTheFolderIsTaken") {
  TestApp app;
  auto const board = app.call<&service::edit_board>(edit_with(
      {"/srv/mono", "packages/app", "main", {{Kind::fact, "x", "y"}, {Kind::note, "a", "b", "c"}}}));
  CHECK(board.repo == "/srv/mono");
  CHECK(board.folder == "packages/app");
  CHECK(board.warnings == std::vector<std::string>{"a: b; c"});
}

TEST_CASE("BoardRepository.IsExaminedWhenABoardWithWorkTreesGetsItAnew") {
  TestApp app;
  service::EditBoardRequest request;
  request.board = "classic";
  request.repo = "/srv/shop";
  CHECK(question(app, request).repo == "");
  request.worktree = true;
  CHECK(question(app, request).repo == "/srv/shop");
  CHECK(question(app, request, service::Role::person).repo == "");
  app.call<&service::edit_board>(request);
  CHECK(question(app, request).repo == "");
  request.folder = "app";
  CHECK(question(app, request).folder == "app");
}
