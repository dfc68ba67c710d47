#include "runner/profiles/sandbox.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace andon::runner {
namespace {

namespace fs = std::filesystem;

constexpr std::array kSystem{"/usr", "/bin", "/sbin", "/lib",  "/lib32", "/lib64", "/libx32", "/etc",
                             "/opt", "/nix", "/gnu",  "/snap", "/proc",  "/sys",   "/run",    "/var/cache"};
constexpr std::array kDevices{"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom",
                              "/dev/tty",  "/dev/ptmx", "/dev/pts",  "/dev/shm"};
constexpr std::string_view kPackages = "/node_modules";

std::string variable(std::vector<std::string> const& environment, std::string_view name) {
  for (std::string_view const entry : environment)
    if (entry.starts_with(name) && entry.substr(name.size()).starts_with('='))
      return std::string{entry.substr(name.size() + 1)};
  return {};
}

fs::path resolved(fs::path const& path) {
  std::error_code error;
  return fs::weakly_canonical(path, error);
}

/// Whether `inner` is `outer` or lies in it.
bool holds(fs::path const& outer, fs::path const& inner) {
  auto const [end, unused] = std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end());
  return end == outer.end();
}

/// Collects the paths to open, without those that would open a closed directory.
class Openings {
 public:
  Openings(fs::path data, fs::path home) : closed_{resolved(data), resolved(home)} {}

  void read(fs::path const& path) { add(spec_.reads, path); }
  void change(fs::path const& path) { add(spec_.changes, path); }
  /// Opens a path although it lies in a closed directory.
  void change_within(fs::path const& path) { spec_.changes.push_back(resolved(path)); }
  void read_within(fs::path const& path) { spec_.reads.push_back(resolved(path)); }
  bool would_open_too_much(fs::path const& path) const {
    auto const place = resolved(path);
    return std::ranges::any_of(closed_,
                               [&](fs::path const& each) { return !each.empty() && holds(place, each); });
  }
  SandboxSpec take() { return std::move(spec_); }

 private:
  void add(std::vector<std::string>& to, fs::path const& path) {
    if (!path.empty() && !would_open_too_much(path)) to.push_back(resolved(path));
  }

  std::array<fs::path, 2> closed_;
  SandboxSpec spec_;
};

/// Opens the directory of a program and its package: `PREFIX/lib/node_modules`, a virtual environment,
/// `share/NAME/versions`.
void open_program(Openings& openings, fs::path const& program, fs::path const& data) {
  auto const real = resolved(program);
  auto const is_administrators = holds(resolved(data), real);
  openings.read_within(program);
  if (is_administrators) return;
  openings.read(program.parent_path());
  openings.read(real.parent_path());
  openings.read(real.parent_path().parent_path());
  if (auto const at = real.native().rfind(kPackages); at != std::string::npos)
    openings.read(real.native().substr(0, at + kPackages.size()));
}

void open_search_path(Openings& openings, std::string_view path) {
  while (!path.empty()) {
    auto const end = path.find(':');
    openings.read(fs::path{path.substr(0, end)});
    if (end == std::string_view::npos) return;
    path.remove_prefix(end + 1);
  }
}

}  // namespace

SandboxSpec sandbox_of(SandboxNeeds const& needs) {
  auto const home = variable(needs.environment, "HOME");
  Openings openings{needs.data, home};
  for (auto const* directory : kSystem) openings.read(directory);
  for (auto const* device : kDevices) openings.change(device);
  open_search_path(openings, variable(needs.environment, "PATH"));
  open_program(openings, needs.program, needs.data);
  openings.read(needs.andon_directory);
  for (auto const& folder : needs.folders)
    openings.change_within(folder.starts_with("~/") ? fs::path{home} / folder.substr(2) : fs::path{folder});
  openings.change("/tmp");
  openings.change_within(needs.run_dir);
  openings.change_within(needs.cwd);
  return openings.take();
}

std::optional<os::Confinement> confinement_of(SandboxSpec const& spec, std::vector<std::string> const& more) {
  auto made = os::Confinement::make(os::Confinement::Closed::everything);
  if (!made) return std::nullopt;
  for (auto const& path : spec.reads) made->allow_reading(path);
  for (auto const& path : spec.changes) made->allow_changes(std::filesystem::path{path});
  for (auto const& path : more) made->allow_changes(std::filesystem::path{path});
  return made;
}

}  // namespace andon::runner
