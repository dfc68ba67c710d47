#include "runner/profiles/sandbox.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <unistd.h>

#include <doctest/doctest.h>

#include "os/data/held_ports.hpp"
#include "os/files/descriptor.hpp"
#include "os/files/pipe.hpp"
#include "os/network/free_port.hpp"
#include "os/processes/capture.hpp"
#include "os/processes/own_terminals.hpp"
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

namespace {

/// A terminal of a person, with an agent beside it. `number` is nothing where this machine has no terminals.
struct PersonsTerminal {
  os::Descriptor keys{::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)};
  std::optional<std::string> path;

  PersonsTerminal() {
    if (keys && ::grantpt(keys.get()) == 0 && ::unlockpt(keys.get()) == 0) path = ::ptsname(keys.get());
    os::set_nonblocking(keys);
  }
  /// The input that reached the person's side.
  std::string shown() const {
    std::array<char, 256> part{};
    auto const n = ::read(keys.get(), part.data(), part.size());
    return n > 0 ? std::string{part.data(), static_cast<std::size_t>(n)} : std::string{};
  }
};

os::Captured agent_says(os::Confinement const& confinement, std::string const& script) {
  return os::capture({.program = "/bin/sh",
                      .argv = {"sh", "-c", script},
                      .env = {"PATH=/usr/bin:/bin"},
                      .cwd = "/",
                      .confinement = confinement.handle()});
}

/// `script` needs a terminal of its own, in which util-linux's `script` runs a command.
std::string in_a_terminal(std::string const& command) {
  return "TERM=dumb script -qec '" + command + "' /dev/null </dev/null";
}

}  // namespace

TEST_CASE("Sandbox.OpensNoTerminalOfAPerson") {
  PersonsTerminal const person;
  if (!person.path) return;
  for (bool const has_own : {false, true}) {
    CAPTURE(has_own);
    Machine machine;
    machine.needs.own_terminals = has_own;
    auto spec = sandbox_of(machine.needs);
    spec.work = "/tmp";
    auto const confinement = confinement_of(spec, Confined::agent, {});
    if (!confinement) return;  // no Landlock
    auto const exit_code = [&](std::string const& script) {
      return agent_says(*confinement, script).status.code;
    };
    CHECK(exit_code("echo x >" + *person.path) != 0);
    CHECK(exit_code("exec 3<" + *person.path) != 0);
    CHECK(exit_code("umount /dev/ptmx; umount -l /dev/pts; echo x >" + *person.path) != 0);
    CHECK(exit_code("mount -t devpts devpts /mnt") != 0);
    CHECK(exit_code("echo x >/proc/" + std::to_string(::getpid()) + "/root" + *person.path) != 0);
    CHECK(exit_code("echo x >/proc/" + std::to_string(::getpid()) + "/fd/" +
                    std::to_string(person.keys.get())) != 0);
    CHECK(exit_code("nsenter -t " + std::to_string(::getpid()) + " -m true") != 0);
    for (auto const* device : {"null", "zero", "full", "random", "urandom"})
      CHECK(exit_code("exec 3<>/dev/" + std::string{device}) == 0);
    CHECK(person.shown().empty());
  }
}

TEST_CASE("Sandbox.HasTerminalsOfItsOwn" * doctest::skip(!os::can_have_own_terminals())) {
  Machine machine;
  auto spec = sandbox_of(machine.needs);
  spec.work = "/tmp";
  auto const confinement = confinement_of(spec, Confined::agent, {});
  if (!confinement) return;  // no Landlock
  auto const said = agent_says(*confinement, in_a_terminal("tty; id -u; ls /dev/pts; echo x >/dev/tty; pwd"));
  CHECK(said.status.code == 0);
  CHECK(said.out == "/dev/pts/0\r\n" + std::to_string(::geteuid()) + "\r\n0  ptmx\r\nx\r\n/\r\n");
}

TEST_CASE("Sandbox.LeavesNoCapabilitiesAlsoToRoot" * doctest::skip(os::confinement_version() == 0)) {
  Machine machine;
  for (bool const own_terminals : {true, false}) {
    CAPTURE(own_terminals);
    machine.needs.own_terminals = own_terminals;
    auto const confinement = confinement_of(sandbox_of(machine.needs), Confined::agent, {});
    REQUIRE(confinement);
    auto const said =
        agent_says(*confinement, "grep -E 'Cap(Inh|Prm|Eff|Amb)' /proc/self/status | cut -f2 | sort -u");
    CHECK(said.out == "0000000000000000\n");
    CHECK(agent_says(*confinement, "mount -t tmpfs none /mnt").status.code != 0);
    CHECK(agent_says(*confinement, "chroot / true").status.code != 0);
    CHECK(agent_says(*confinement, "cat /proc/" + std::to_string(::getpid()) + "/environ").status.code != 0);
  }
}

TEST_CASE("Sandbox.HasNoTerminalsWhereTheProfileSaysSo") {
  Machine machine;
  machine.needs.own_terminals = false;
  auto spec = sandbox_of(machine.needs);
  spec.work = "/tmp";
  auto const confinement = confinement_of(spec, Confined::agent, {});
  if (!confinement) return;  // no Landlock
  CHECK(agent_says(*confinement, in_a_terminal("true")).status.code != 0);
}

TEST_CASE("Sandbox.OpensTerminalsWhereTheProfileSaysSo") {
  Machine machine;
  machine.needs.folders = {"/dev/pts", "/dev/ptmx"};
  CHECK(machine.opens(sandbox_of(machine.needs).changes, "/dev/pts"));
}

TEST_CASE("Sandbox.OfAMachineWithoutHomeOpensNothingBeneathTheRoot") {
  Machine machine;
  machine.needs.environment = {"PATH=/usr/bin"};
  auto const spec = sandbox_of(machine.needs);
  CHECK_FALSE(machine.opens(spec.changes, "/.cache"));
  CHECK(directories_to_make(machine.needs).empty());
}

TEST_CASE("Sandbox.NoAgentWorksWhereSecretsLie") {
  Machine const machine;
  auto const data = machine.needs.data;
  auto const fault = [&](fs::path const& place) {
    return fault_of_work_directory(place, data, machine.home);
  };
  for (auto const* good : {"src/shop", "work", "a.b/c"}) {
    CAPTURE(good);
    CHECK(fault(machine.home / good).empty());
  }
  CHECK(fault(machine.scratch / "srv/shop").empty());
  CHECK(fault(data / "welcome/repo").empty());
  fs::create_directories(machine.home / "src");
  fs::create_directories(machine.home / ".ssh");
  fs::create_directory_symlink(machine.home / ".ssh", machine.home / "src/link");
  for (std::string const bad :
       {"", ".", ".ssh", ".config/nvim", "src/../.ssh", "src/link", ".local/share/andon/work/runs/2/work",
        ".local/share/andon", ".local/share/andon/welcome", ".local/share"}) {
    CAPTURE(bad);
    CHECK_FALSE(fault(machine.home / bad).empty());
  }
  CHECK_FALSE(fault(machine.scratch.path()).empty());
  CHECK_FALSE(fault_of_work_directory(machine.scratch / "data/x", machine.scratch / "data", {}).empty());
}

TEST_CASE("Sandbox.KeepsAgentsFromThePortsOfTheServerAndFromNoOther") {
  if (os::confinement_version() < 4) return;
  Machine machine;
  int held = 20'000;
  while (!os::is_port_free(held) || !os::is_port_free(held + 1)) ++held;
  fs::create_directories(machine.needs.data);
  os::keep_held_ports(machine.needs.data, {static_cast<std::uint16_t>(held)});
  auto spec = sandbox_of(machine.needs);
  CHECK(spec.held_ports == std::vector<int>{held});
  spec.work = "/tmp";
  auto const confinement = confinement_of(spec, Confined::agent, {});
  REQUIRE(confinement);
  auto const listens = [&](int port, std::string const& family, std::string const& protocol) {
    auto const address = family == "AF_INET" ? "127.0.0.1" : "::1";
    auto const said =
        agent_says(*confinement, "python3 -c 'import socket; s = socket.socket(socket." + family +
                                     ", socket.SOCK_STREAM, " + protocol + "); s.bind((\"" + address +
                                     "\", " + std::to_string(port) + ")); s.listen()'");
    CAPTURE(said.out);
    return said.status.code == 0;
  };
  if (agent_says(*confinement, "python3 -c 0").status.code != 0) return;
  constexpr auto kMptcp = "262";
  constexpr auto kSmc = "256";
  for (std::string const family : {"AF_INET", "AF_INET6"}) {
    CAPTURE(family);
    for (std::string const protocol : {"0", "6", kMptcp, kSmc}) CHECK_FALSE(listens(held, family, protocol));
  }
  for (int const port : {held + 1, 0}) CHECK(listens(port, "AF_INET", "0"));
  auto const open =
      agent_says(*confinement, "python3 -c 'import ctypes; print(ctypes.CDLL(None).syscall(425, 1, 0))'");
  CHECK(open.out.starts_with("-1"));
}
