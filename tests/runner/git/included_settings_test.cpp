#include <sys/stat.h>

#include "runner/git/settings_file.hpp"
#include "runner/worktrees/git_place.hpp"
#include "runner/worktrees/workspace.hpp"

using namespace andon;
using namespace andon::runner;
using test::at;
using test::GitPlace;

namespace {

/// A repository that includes `shared`, a file beside it, by the lines of `config`.
struct IncludingPlace : GitPlace {
  explicit IncludingPlace(std::string const& config) { at(repo, "printf '" + config + "' >>.git/config"); }
  /// Moves the settings that would make git run something into the included file.
  void set_included_traps() const {
    at(repo, "cp .git/config ../plain");
    set_traps();
    at(repo, "mv .git/config ../shared; mv ../plain .git/config");
  }
  /// Prepares a work tree and commits what is changed in it, as a run does. The subject of the commit, or why
  /// there is none.
  std::string run_a_task() const {
    auto const spec = workspace("7-cart");
    auto const made = prepare(spec);
    if (!made) return made.error().message;
    at(spec.directory, "echo two >a.txt; echo new >c.txt");
    runner::record_work(spec, *made, 911, {}, use_for(spec), test::finished());
    return at(spec.directory, "git log -1 --format=%s");
  }
};

}  // namespace

TEST_CASE("IncludedSettings.AreJudgedLikeThoseOfTheRepository") {
  for (std::string const config :
       {"[include]\\n path = ../../shared\\n", "[includeIf \"gitdir:**\"]\\n path = ../../shared\\n",
        "[includeIf \"onbranch:andon/**\"]\\n path = ../../shared\\n",
        "[includeIf \"gitdir:**/worktrees/**\"]\\n path = ../../shared\\n",
        "[include]\\n path = ../../nothing\\n[include]\\n path = ~/.gitconfig\\n"}) {
    CAPTURE(config);
    IncludingPlace const place{config};
    place.set_included_traps();
    CHECK(place.run_a_task() == "Fix the cart");
    CHECK_FALSE(place.was_sprung());
  }
}

TEST_CASE("IncludedSettings.AreJudgedWhereverTheyAreIncludedFrom") {
  IncludingPlace const place{"[include]\\n path = ../../first\\n"};
  place.set_included_traps();
  at(place.repo,
     "printf '[includeIf \"onbranch:andon/**\"]\\n path = second\\n' >../first;"
     "printf '[include]\\n path = shared\\n' >../second");
  CHECK(place.run_a_task() == "Fix the cart");
  CHECK_FALSE(place.was_sprung());
}

TEST_CASE("IncludedSettings.ThatCannotBeJudgedStopTheTaskWithAReason") {
  struct Row {
    std::string config;
    std::string says;
  };
  for (auto const& row :
       {Row{"[includeIf \"onbranch:x\"]\\n path = ~root/x\\n", "name that file by its full path"},
        Row{"[includeIf \"onbranch:x\"]\\n path = ../../pipe\\n", "is no regular file"},
        Row{"[includeIf \"onbranch:x\"]\\n path = ../../broken\\n", "bad config line 1"}}) {
    CAPTURE(row.config);
    IncludingPlace const place{row.config};
    REQUIRE(::mkfifo((place.scratch / "pipe").c_str(), 0600) == 0);
    at(place.repo, "echo ] >../broken");
    CHECK(place.run_a_task().find(row.says) != std::string::npos);
  }
}

TEST_CASE("IncludedSettings.AreFoundInWhatGitPrints") {
  std::string const printed{
      "core.bare\nfalse\0a.novalue\0include.path\nshared\0includeif.onbranch:x.y.path\n/etc/more\0"
      "include.path\n~/mine\0include.path\0a.long\nfirst\nsecond\0",
      137};
  auto const found = parse_settings("/srv/shop/.git/config", printed);
  REQUIRE(found);
  CHECK(found->keys == std::vector<std::string>{"core.bare", "a.novalue", "include.path",
                                                "includeif.onbranch:x.y.path", "include.path", "include.path",
                                                "a.long"});
  CHECK(found->includes == std::vector<std::filesystem::path>{"/srv/shop/.git/shared", "/etc/more"});
  CHECK(!parse_settings("/srv/config", std::string{"include.path\n~ann/x\0", 20}));
  CHECK(!parse_settings("/srv/config", std::string{"include.path\n%(prefix)/x\0", 25}));
}

TEST_CASE("Settings.ThatComeBetweenTwoCallsHaveNoEffect") {
  GitPlace const place;
  auto const git = open_git(place.repo);
  REQUIRE(git);
  auto const commit = [&] {
    at(place.repo, "echo more >>a.txt");
    return git->run({"commit", "-q", "-a", "-m", "more"}).good;
  };
  CHECK(commit());
  CHECK(commit());
  at(place.repo, "cp .git/config ../plain");
  place.set_traps();
  git->carry_out({"add", "a.txt"});
  commit();
  CHECK_FALSE(place.was_sprung());
  at(place.repo, "cp ../plain .git/config");
  CHECK(commit());
  CHECK_FALSE(place.was_sprung());
}
