#include "cli/commands/machine/sandbox_findings.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include "os/data/file_lock.hpp"
#include "os/files/reachable_sockets.hpp"
#include "os/processes/confinement.hpp"
#include "os/processes/own_terminals.hpp"

namespace andon::cli {
namespace {

using store::Finding;

Finding confinement() {
  auto const version = os::confinement_version();
  if (version == 0)
    return {Finding::Kind::fact, "agents",
            "no sandbox: this kernel has no Landlock, so agents can do whatever their user can"};
  std::string const terminals = os::can_have_own_terminals()
                                    ? "They have terminals of their own"
                                    : "They have no terminals: this user may make no namespaces";
  constexpr int kWithPorts = 4;
  std::string const ports =
      version >= kWithPorts ? ""
                            : ". They can listen on the server's port while it starts again, which Linux 6.7 "
                              "can forbid (Landlock 4)";
  return {Finding::Kind::fact, "agents",
          "those of the built-in profiles, of profiles that extend them, and of profiles with \"sandbox\": "
          "\"on\", are held to their directories (Landlock " +
              std::to_string(version) + "); the others can do whatever their user can. " + terminals + ports};
}

/// The user of the server that has the data open, or else of one started from here.
uid_t user_of_server(os::DataDirectory const& data) {
  struct stat about{};
  auto const server = os::lock_holder(data.db.native() + ".lock");
  bool const is_known = server && ::stat(("/proc/" + std::to_string(*server)).c_str(), &about) == 0;
  return is_known ? about.st_uid : ::geteuid();
}

Finding root() {
  return {
      Finding::Kind::fact, "root",
      "do not run the server as root: its agents are root then. In the sandbox they have no capabilities, "
      "but "
      "own the files of root that it opens; an agent without a sandbox can do everything. Give the server a "
      "user of its own: andon service install --system --run-as USER"};
}

Finding open_sockets(std::vector<os::ReachableSocket> const& sockets) {
  std::string names;
  for (auto const& each : sockets)
    names += (names.empty() ? "" : ", ") + std::string{each.of} + " (" + each.path.native() + ")";
  return {Finding::Kind::fact, "sockets",
          "the sandbox does not close Unix sockets, and agents of this user can ask these to act outside of "
          "it: " +
              names + ". Give the server a user without them"};
}

}  // namespace

std::vector<Finding> sandbox_findings(os::DataDirectory const& data, Environment const& env) {
  std::vector<Finding> out{confinement()};
  if (user_of_server(data) == 0) out.push_back(root());
  auto const sockets = os::reachable_sockets([&](char const* name) { return env.variable(name); });
  if (!sockets.empty()) out.push_back(open_sockets(sockets));
  return out;
}

}  // namespace andon::cli
