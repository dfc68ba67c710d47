#include "runner/git/work_place.hpp"

#include <filesystem>

#include "runner/worktrees/git_place.hpp"

using namespace andon;
using test::at;
using test::GitPlace;

TEST_CASE("WorkPlace.AFolderIsEnteredOnlyWithoutALink") {
  GitPlace const place;
  at(place.repo, "mkdir -p packages/app; ln -s app packages/alias; ln -s / out; ln -s packages inner");
  auto const found = runner::find_work_place(std::filesystem::canonical(place.repo));
  REQUIRE(found);
  CHECK(runner::enter_folder(*found, "").has_value());
  CHECK(runner::enter_folder(*found, "packages/app").has_value());
  for (auto const* link : {"packages/alias", "out/tmp", "out", "inner/app"}) {
    CAPTURE(link);
    auto const refused = runner::enter_folder(*found, link);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().contains("is reached through a link"));
  }
  for (auto const* missing : {"packages/web", "a.txt"})
    CHECK(runner::enter_folder(*found, missing).error().contains("is not there; commit it, or change"));
  CHECK_FALSE(runner::enter_folder(*found, "../work").has_value());
}
