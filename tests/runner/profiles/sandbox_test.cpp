#include "runner/profiles/sandbox.hpp"

#include <algorithm>
#include <filesystem>

#include <doctest/doctest.h>

#include "support/scratch.hpp"

using namespace andon;
using namespace andon::runner;

namespace {

namespace fs = std::filesystem;

struct Machine {
  test::Scratch scratch;
  fs::path home = scratch / "home";
  SandboxNeeds needs{.program = "/usr/bin/env",
                     .andon_directory = "/usr/bin",
                     .data = home / ".local/share/andon",
                     .run_dir = home / ".local/share/andon/work/runs/1",
                     .cwd = home / "src/shop",
                     .environment = {"HOME=" + home.native(), "PATH=/usr/bin:" + (home / "bin").native()},
                     .folders = {}};

  bool opens(std::vector<std::string> const& list, fs::path const& path) const {
    return std::ranges::find(list, fs::weakly_canonical(path).native()) != list.end();
  }
};

}  // namespace

TEST_CASE("Sandbox.OpensToolsAndKeepsTheRestOfTheHomeClosed") {
  Machine machine;
  auto const spec = sandbox_of(machine.needs);
  CHECK(machine.opens(spec.changes, machine.home / ".cache"));
  CHECK(machine.opens(spec.changes, machine.home / ".cargo/registry"));
  CHECK(machine.opens(spec.reads, machine.home / ".rustup"));
  CHECK(machine.opens(spec.reads, machine.home / "bin"));
  CHECK(spec.work == fs::weakly_canonical(machine.needs.cwd).native());
  for (auto const* closed : {"", ".ssh", ".aws", ".local/share/andon", ".cargo/credentials.toml", ".npmrc"}) {
    CAPTURE(closed);
    CHECK_FALSE(machine.opens(spec.reads, machine.home / closed));
    CHECK_FALSE(machine.opens(spec.changes, machine.home / closed));
  }
}

TEST_CASE("Sandbox.KeepsADataDirectoryInACacheClosed") {
  Machine machine;
  machine.needs.data = machine.home / ".cache/andon";
  CHECK_FALSE(machine.opens(sandbox_of(machine.needs).changes, machine.home / ".cache"));
}

TEST_CASE("Sandbox.OpensTheFoldersOfTheProgramWhereItsVariablesPutThem") {
  Machine machine;
  machine.needs.folders = {"~/.codex/", "$CODEX_HOME", "$XDG_DATA_HOME/opencode/", "$UNSET", "$UNSET/x/"};
  machine.needs.environment.push_back("CODEX_HOME=/srv/codex");
  machine.needs.environment.push_back("XDG_DATA_HOME=/srv/data");
  auto const spec = sandbox_of(machine.needs);
  CHECK(machine.opens(spec.changes, machine.home / ".codex/"));
  CHECK(machine.opens(spec.changes, "/srv/codex"));
  CHECK(machine.opens(spec.changes, "/srv/data/opencode/"));
  CHECK_FALSE(machine.opens(spec.changes, "/x/"));
  CHECK(directories_to_make(machine.needs) ==
        std::vector<fs::path>{machine.home / ".cache", machine.home / ".codex", "/srv/data/opencode"});
}

TEST_CASE("Sandbox.OfAMachineWithoutHomeOpensNothingBeneathTheRoot") {
  Machine machine;
  machine.needs.environment = {"PATH=/usr/bin"};
  auto const spec = sandbox_of(machine.needs);
  CHECK_FALSE(machine.opens(spec.changes, "/.cache"));
  CHECK(directories_to_make(machine.needs).empty());
}
