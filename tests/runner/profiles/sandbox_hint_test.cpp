#include "runner/profiles/sandbox_hint.hpp"

#include <filesystem>
#include <unistd.h>

#include <doctest/doctest.h>

#include "os/files/file.hpp"
#include "os/processes/confinement.hpp"
#include "os/processes/own_terminals.hpp"
#include "support/scratch.hpp"

using namespace andon;
using namespace andon::runner;

namespace {

namespace fs = std::filesystem;

/// A home directory with an agent in the sandbox of the profile "claude".
struct Home {
  test::Scratch scratch;
  fs::path home = fs::canonical(scratch.path()) / "home";
  fs::path data = home / ".local/share/andon";
  fs::path work = home / "src/shop";

  Home() {
    for (auto const* each : {".local/share/andon/runs", ".aws", ".ssh", ".cache", "src/shop", "bin"})
      fs::create_directories(home / each);
    os::write_file(home / ".aws/config", "x");
    os::write_file(home / ".ssh/id", "x");
    os::write_file(home / "bin/tool", "x");
  }

  SandboxSpec spec() const {
    SandboxSpec out;
    out.reads = {"/usr", (home / "bin").native()};
    out.changes = {(home / ".cache").native(), "/dev/null"};
    out.work = work;
    out.profile = "claude";
    out.home = home;
    out.kept_closed = {data.native()};
    return out;
  }
  std::string hint(std::string const& output) const { return sandbox_hint(output, spec(), Confined::checks); }
};

}  // namespace

TEST_CASE("SandboxHint.NamesAClosedPlaceInTheWordsOfManyPrograms") {
  Home const place;
  auto const home = place.home.native();
  for (std::string const& words :
       {"cat: " + home + "/.aws/config: Permission denied",
        "Error: EACCES: permission denied, open '" + home + "/.aws/config'",
        "PermissionError: [Errno 13] Permission denied: '" + home + "/.aws/config'",
        "error: failed to open: " + home + "/.aws/config\n\nCaused by:\n  Permission denied (os error 13)",
        "open " + home + "/.aws/config: permission denied\nmake: *** [all] Error 1\n"}) {
    CAPTURE(words);
    CHECK(place.hint(words) == "the sandbox closes " + home +
                                   "/.aws/config; if agents may have it, add it to the \"folders\" of the "
                                   "agent profile \"claude\"");
  }
  CHECK(place.hint("mkdir: cannot create directory '" + home + "/.tool/a': Permission denied")
            .contains("closes " + home + "/.tool/;"));
  CHECK(place.hint("mkdir: cannot create directory '" + home + "/.tool': Permission denied")
            .contains("closes " + home + "/.tool/;"));
  CHECK(place.hint("cannot create " + home + "/.aws/new: Permission denied")
            .contains("closes " + home + "/.aws;"));
  CHECK(place.hint("cannot create " + home + "/bin/tool: Permission denied").contains("/bin/tool;"));
}

TEST_CASE("SandboxHint.SaysNothingWhereNoSettingWouldHelp") {
  Home const place;
  auto const home = place.home.native();
  for (std::string const& words :
       {std::string{}, std::string{"Permission denied"}, std::string{"all is well"},
        home + "/.cache/x: Permission denied",              // is open
        place.work.native() + "/x: Permission denied",      // is open
        home + "/.ssh/id: Permission denied",               // nobody is invited to open keys
        place.data.native() + "/token: Permission denied",  // nor the data
        place.data.native() + "/runs: Permission denied", home + "/.local: Permission denied",
        home + ": Permission denied", std::string{"/: Permission denied"},
        std::string{"/dev: Permission denied"}, std::string{"/dev/pts/3: Permission denied"},
        std::string{"/proc/1/nothing/there: Permission denied"},
        home + "/.aws/config: No such file or directory",
        "/" + std::string(5000, 'x') + ": Permission denied"}) {
    CAPTURE(words);
    CHECK(place.hint(words).empty());
  }
  auto without_profile = place.spec();
  without_profile.profile.clear();
  CHECK(sandbox_hint(home + "/.aws/config: Permission denied", without_profile, Confined::checks).empty());
}

TEST_CASE("SandboxHint.BelievesNoPathThatItCouldNotUseItself" * doctest::skip(::geteuid() == 0)) {
  Home const place;
  auto const closed = place.home / "closed";
  fs::create_directories(closed);
  fs::permissions(closed, fs::perms::none);
  CHECK(place.hint("cat: " + closed.native() + "/x: Permission denied").empty());
  fs::permissions(closed, fs::perms::owner_all);
}

TEST_CASE("SandboxHint.NamesTheSettingOfTerminals") {
  Home const place;
  auto spec = place.spec();
  for (std::string const words :
       {"forkpty(3) failed.", "OSError: out of pty devices",
        "script: failed to create pseudo-terminal: Permission denied", "open /dev/ptmx: permission denied"}) {
    CAPTURE(words);
    auto const hint = [&] { return sandbox_hint(words, spec, Confined::checks); };
    spec.own_terminals = false;
    CHECK(hint().contains(os::can_have_own_terminals() ? "\"terminals\": \"auto\"" : "\"folders\""));
    spec.own_terminals = true;
    CHECK(hint().empty() == os::can_have_own_terminals());
    spec.changes.emplace_back("/dev/pts");
    spec.own_terminals = false;
    CHECK(hint().empty());
    spec.changes.pop_back();
  }
  auto const of_root = place.hint("Bad owner or permissions on /etc/ssh/ssh_config.d/20-x.conf");
  CHECK(of_root.contains("\"terminals\": \"off\"") == (os::can_have_own_terminals() && ::geteuid() != 0));
}

TEST_CASE("SandboxHint.NamesTheProxyThatOnlyTheServerHas") {
  Home const place;
  auto spec = place.spec();
  auto const words = "curl: (6) Could not resolve host: example.org";
  CHECK(sandbox_hint(words, spec, Confined::agent).empty());
  spec.proxies_held_back = {"HTTPS_PROXY"};
  CHECK(sandbox_hint(words, spec, Confined::agent).contains("add HTTPS_PROXY to the \"env_pass\""));
  CHECK(sandbox_hint(words, spec, Confined::checks).empty());
}

TEST_CASE("SandboxHint.NamesTheLevelOfAWorkerThatOnlyReads") {
  Home const place;
  auto spec = place.spec();
  spec.agent_only_reads_work = true;
  auto const words = "touch: cannot touch '" + (place.work / "x").native() + "': Permission denied";
  CHECK(sandbox_hint(words, spec, Confined::agent).contains("\"permissions\""));
  CHECK(sandbox_hint(words, spec, Confined::checks).empty());
}

TEST_CASE("SandboxHint.IsForFailedChecksAndChangesNoVerdict") {
  Home const place;
  core::CheckResult result;
  result.output = (place.home / ".aws/config").native() + ": Permission denied\n";
  auto const output = result.output;
  add_sandbox_hint(result, std::nullopt, Confined::checks);
  CHECK(result.output == output);
  result.passed = true;
  add_sandbox_hint(result, place.spec(), Confined::checks);
  CHECK(result.output == output);
  result.passed = false;
  add_sandbox_hint(result, place.spec(), Confined::checks);
  CHECK(result.output.starts_with(output + "\nHint: the sandbox closes "));
  CHECK_FALSE(result.passed);
}

TEST_CASE("SandboxHint.IsBoundedForHostileOutput") {
  Home const place;
  std::string many;
  for (int i = 0; i < 20'000; ++i) many += "/x/y/" + std::to_string(i) + ": permission denied\n";
  CHECK(place.hint(many).size() < 1'000);
  CHECK(place.hint(std::string(1U << 20U, '/')).empty());
  CHECK(place.hint(std::string(1U << 20U, '\n') + "eacces").empty());
}

TEST_CASE("SandboxHint.SaysToRootThatItsCapabilitiesAreTaken") {
  Home const place;
  for (auto const* words : {"tar: a: Cannot change ownership to uid 1000, gid 1000: Operation not permitted",
                            "Error: EPERM: operation not permitted, chown 'a'",
                            "PermissionError: [Errno 1] Operation not permitted: 'a'"}) {
    CAPTURE(words);
    auto const hint = place.hint(words);
    CHECK(hint.contains("capabilities") == (::geteuid() == 0));
    CHECK(hint.contains("\"claude\"") == (::geteuid() == 0));
  }
}
