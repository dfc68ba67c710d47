#include "os/files/reachable_sockets.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <doctest/doctest.h>

#include "os/files/descriptor.hpp"
#include "os/files/file.hpp"
#include "support/scratch.hpp"

using namespace andon;
namespace fs = std::filesystem;

namespace {

os::Descriptor listen_at(fs::path const& path) {
  fs::create_directories(path.parent_path());
  os::Descriptor out{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
  REQUIRE(::bind(out.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
  return out;
}

}  // namespace

TEST_CASE("ReachableSockets.AreFoundWhereTheSessionHasThem") {
  test::Scratch const scratch;
  std::map<std::string, std::string> const variables{
      {"XDG_RUNTIME_DIR", (scratch / "run").native()},
      {"TMUX_TMPDIR", (scratch / "tmp").native()},
      {"SSH_AUTH_SOCK", (scratch / "agent.1").native()},
      {"DBUS_SESSION_BUS_ADDRESS", "unix:path=" + (scratch / "bus").native() + ",guid=1"}};
  auto const tmux = "tmp/tmux-" + std::to_string(::geteuid()) + "/default";
  std::vector<fs::path> const paths{scratch / "run/bus", scratch / "run/gnupg/S.gpg-agent", scratch / tmux,
                                    scratch / "agent.1", scratch / "bus"};
  std::vector<os::Descriptor> listening;
  for (auto const& path : paths) listening.push_back(listen_at(path));
  os::write_file(scratch / "run/docker.sock", "no socket");
  std::vector<fs::path> found;
  for (auto const& each : os::reachable_sockets([&](char const* name) {
         auto const at = variables.find(name);
         return at == variables.end() ? std::string{} : at->second;
       }))
    if (each.path.native().starts_with(scratch.path().native())) found.push_back(each.path);
  std::ranges::sort(found);
  auto expected = paths;
  std::ranges::sort(expected);
  CHECK(found == expected);
}
