#include "runner/prompts/assignment.hpp"

#include <doctest/doctest.h>

#include "os/files/file.hpp"
#include "runner/profiles/profiles.hpp"
#include "runner/runs/run_files.hpp"
#include "support/scratch.hpp"

using namespace andon;
using namespace andon::runner;
namespace fs = std::filesystem;

namespace {

/// A data directory in which run 5 has worked with profile `talker` and told its session.
struct Place {
  Place() {
    os::make_directories(data);
    fs::create_directories(work);
    brief.worker.name = "dev";
    brief.board.name = "shop";
    brief.earlier =
        service::EarlierConversation{5, "session-5", core::Usage{.input = 280}, "talker", work.native()};
  }
  Assignment assigned(std::string_view more = R"(,"resume_argv":["talk","{session}"])",
                      std::string const& id = "talker") const {
    auto const profile =
        test::profile_from(R"({"schema":1,"id":")" + id + R"(","argv":["talk"])" + std::string{more} + "}");
    REQUIRE(profile);
    auto assignment = assignment_of(brief, *profile, data);
    REQUIRE(assignment);
    return *std::move(assignment);
  }

  test::Scratch scratch;
  os::DataDirectory data = os::data_directory(scratch.path());
  fs::path work = data.runs() / "5" / "work";
  service::RunBrief brief;
};

}  // namespace

TEST_CASE("Assignment.AConversationGoesOnWhereItWasBegun") {
  Place const place;
  auto const assignment = place.assigned();
  CHECK(assignment.session == "session-5");
  CHECK(assignment.cwd == place.work);
  CHECK(assignment.used_before.input == 280);
  CHECK(assignment.prompt.continues);
}

TEST_CASE("Assignment.AConversationNeedsTheSameProgramAndPlace") {
  Place place;
  CHECK(place.assigned("").session.empty());
  CHECK(place.assigned(R"(,"resume_argv":["other"])", "other").session.empty());
  place.brief.board.repo = place.scratch / "repo";
  CHECK(place.assigned().session.empty());
  CHECK(place.assigned().cwd == place.scratch / "repo");
  place.brief.board.repo = place.work;
  CHECK(place.assigned().session == "session-5");
  fs::remove(place.work);
  CHECK(place.assigned().session.empty());
  place.brief.board.repo.clear();
  CHECK(place.assigned().session.empty());
}

TEST_CASE("Assignment.NothingThatAnAgentCanWriteChoosesThePlaceOfTheNextAttempt") {
  Place place;
  auto const secret = place.scratch / "home/.ssh";
  fs::create_directories(secret);
  RunSpec spec;
  spec.run = 5;
  spec.agent = "talker";
  spec.cwd = secret;
  write_spec(RunFiles{place.work.parent_path()}, spec);
  CHECK(place.assigned().cwd == place.work);

  fs::remove(place.work);
  fs::create_directory_symlink(secret, place.work);
  CHECK(place.assigned().cwd.empty());
  CHECK(place.assigned().session.empty());

  place.brief.earlier->cwd = secret;
  CHECK(place.assigned().cwd.empty());
}

TEST_CASE("Assignment.ASessionIsANameAndNeverAnOption") {
  Place place;
  for (auto const* session : {"--dangerously-skip-permissions", "-x", "a b", "a/b", "a\nb", ""}) {
    CAPTURE(session);
    place.brief.earlier->session = session;
    CHECK(place.assigned().session.empty());
  }
}

TEST_CASE("Assignment.AMissingRoleDocumentIsNamed") {
  Place place;
  place.brief.worker.prompt_file = "roles/dev.md";
  auto const profile = test::built_in("generic");
  auto const refused = assignment_of(place.brief, profile, place.data);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().field == "prompt_file");
  CHECK(refused.error().message.find("roles/dev.md") != std::string::npos);
  os::make_private_directory(place.scratch / "roles");
  os::write_file(place.scratch / "roles/dev.md", "You are careful.");
  CHECK(assignment_of(place.brief, profile, place.data)->prompt.role_document == "You are careful.");
}

TEST_CASE("Assignment.TheProfileSaysWhereTheRoleStands") {
  auto const profile_with = [](PromptRule rule) {
    Profile profile;
    profile.prompt = std::move(rule);
    return profile;
  };
  PromptParts parts;
  parts.role_document = "You are careful.";
  auto const prepended = told(profile_with({.via = PromptVia::stdin_, .role = RoleVia::prepend}), parts);
  CHECK(prepended.role.empty());
  CHECK(prepended.prompt.starts_with("You are careful.\n"));
  CHECK(told(profile_with({.via = PromptVia::stdin_, .role = RoleVia::file}), parts).role ==
        "You are careful.\n");
  auto const none = told(profile_with({.via = PromptVia::stdin_, .role = RoleVia::none}), parts);
  CHECK(none.role.empty());
  CHECK(none.prompt.find("careful") == std::string::npos);
}

TEST_CASE("Assignment.OfAPlanningRunIsReadOnlyWhateverTheLevelOfItsWorker") {
  Place place;
  place.brief.worker.permissions = core::Permissions::full;
  CHECK(place.assigned().prompt.worker.permissions == core::Permissions::full);
  place.brief.run.plans = true;
  place.brief.plan = core::Plan{.text = "Do all."};
  auto const assignment = place.assigned();
  CHECK(assignment.prompt.worker.permissions == core::Permissions::readonly);
  CHECK(assignment.prompt.plans);
  CHECK(assignment.prompt.plan.value_or(core::Plan{}).text == "Do all.");
}
