#include "os/files/reachable_sockets.hpp"

#include <algorithm>
#include <array>
#include <sys/stat.h>
#include <unistd.h>

namespace andon::os {
namespace {

namespace fs = std::filesystem;

/// A place of sockets: `path` beneath the directory in `variable`, or else beneath `otherwise`. `{uid}`
/// stands for the number of the user. With `is_directory`, each socket in it.
struct Place {
  std::string_view of;
  char const* variable;
  std::string_view otherwise;
  std::string_view path;
  bool is_directory = false;
};
constexpr std::array kPlaces{
    Place{"docker", nullptr, "/run", "docker.sock"},
    Place{"docker", "XDG_RUNTIME_DIR", "/run/user/{uid}", "docker.sock"},
    Place{"podman", nullptr, "/run", "podman/podman.sock"},
    Place{"podman", "XDG_RUNTIME_DIR", "/run/user/{uid}", "podman/podman.sock"},
    Place{"containerd", nullptr, "/run", "containerd/containerd.sock"},
    Place{"systemd", "XDG_RUNTIME_DIR", "/run/user/{uid}", "systemd/private"},
    Place{"D-Bus", "XDG_RUNTIME_DIR", "/run/user/{uid}", "bus"},
    Place{"ssh-agent", "SSH_AUTH_SOCK", "", ""},
    Place{"gpg-agent", "XDG_RUNTIME_DIR", "/run/user/{uid}", "gnupg", true},
    Place{"keyring", "XDG_RUNTIME_DIR", "/run/user/{uid}", "keyring", true},
    Place{"tmux", "TMUX_TMPDIR", "/tmp", "tmux-{uid}", true},
    Place{"screen", nullptr, "/run/screen", "", true},
};

std::string with_user(std::string_view text) {
  constexpr std::string_view kUser = "{uid}";
  std::string out{text};
  if (auto const at = out.find(kUser); at != std::string::npos)
    out.replace(at, kUser.size(), std::to_string(::geteuid()));
  return out;
}

/// The path in `unix:path=PATH,guid=…;…`; empty without one.
fs::path path_of_bus(std::string_view address) {
  constexpr std::string_view kPath = "unix:path=";
  auto const at = address.find(kPath);
  if (at == std::string_view::npos) return {};
  auto const rest = address.substr(at + kPath.size());
  return rest.substr(0, rest.find_first_of(",;"));
}

class Found {
 public:
  void add(std::string_view of, fs::path const& path) {
    struct stat about{};
    if (::stat(path.c_str(), &about) != 0 || !S_ISSOCK(about.st_mode)) return;
    bool const is_known = std::ranges::any_of(all_, [&](auto const& each) { return each.path == path; });
    if (!is_known && ::access(path.c_str(), W_OK) == 0) all_.push_back({of, path});
  }
  void add_each(std::string_view of, fs::path const& directory) {
    std::error_code unreadable;
    for (auto at = fs::directory_iterator{directory, unreadable};
         !unreadable && at != fs::directory_iterator{}; at.increment(unreadable))
      add(of, at->path());
  }
  std::vector<ReachableSocket> take() { return std::move(all_); }

 private:
  std::vector<ReachableSocket> all_;
};

}  // namespace

std::vector<ReachableSocket> reachable_sockets(std::function<std::string(char const*)> const& variable) {
  Found found;
  for (auto const& place : kPlaces) {
    fs::path path = place.variable ? variable(place.variable) : std::string{};
    if (path.empty()) path = with_user(place.otherwise);
    if (!place.path.empty()) path /= with_user(place.path);
    if (place.is_directory)
      found.add_each(place.of, path);
    else
      found.add(place.of, path);
  }
  found.add("D-Bus", path_of_bus(variable("DBUS_SESSION_BUS_ADDRESS")));
  return found.take();
}

}  // namespace andon::os
