#include "runner/profiles/sandbox.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "os/data/held_ports.hpp"

namespace andon::runner {
namespace {

namespace fs = std::filesystem;

constexpr std::array kSystem{"/usr", "/bin", "/sbin", "/lib",  "/lib32", "/lib64", "/libx32", "/etc",
                             "/opt", "/nix", "/gnu",  "/snap", "/proc",  "/sys",   "/run",    "/var/cache"};
/// Without `/dev/pts`: all terminals of the user lie in it, and their keys could be read and pressed there.
/// `os::OwnTerminals` puts another in its place.
constexpr std::array kDevices{"/dev/null",    "/dev/zero", "/dev/full", "/dev/random",
                              "/dev/urandom", "/dev/tty",  "/dev/shm"};
/// In the home directory: installed tools and settings without secrets.
constexpr std::array kToolsRead{".gitconfig",
                                ".config/git",
                                ".local/bin",
                                ".local/lib",
                                ".local/share/mise",
                                ".local/share/uv",
                                ".cargo/bin",
                                ".cargo/config.toml",
                                ".cargo/env",
                                ".rustup",
                                ".nvm",
                                ".volta",
                                ".fnm",
                                ".asdf",
                                ".pyenv",
                                ".rbenv",
                                ".sdkman",
                                ".bun",
                                ".deno",
                                ".dotnet",
                                "go/bin",
                                ".gradle/wrapper"};
/// In the home directory: caches that the tools of a repository's checks write.
constexpr std::array kToolsChanged{".cache",
                                   ".npm",
                                   ".cargo/registry",
                                   ".cargo/git",
                                   ".cargo/.package-cache",
                                   ".cargo/.package-cache-mutate",
                                   ".cargo/.global-cache",
                                   "go/pkg",
                                   ".m2/repository",
                                   ".gradle/caches",
                                   ".gradle/native",
                                   ".gradle/daemon",
                                   ".nuget/packages"};
/// In the data directory: the repository of the welcome board, which is for agents.
constexpr std::string_view kWelcome = "welcome/repo";
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

void open_tools(Openings& openings, fs::path const& home) {
  for (auto const* tool : kToolsRead) openings.read(home / tool);
  for (auto const* tool : kToolsChanged) openings.change(home / tool);
}

/// The path of an entry of `Profile::folders`; empty for a variable that is not set.
fs::path place_of(std::string_view folder, std::vector<std::string> const& environment) {
  if (folder.starts_with('$')) {
    auto const end = std::min(folder.find('/'), folder.size());
    auto const value = variable(environment, folder.substr(1, end - 1));
    return value.empty() ? fs::path{} : fs::path{value + std::string{folder.substr(end)}};
  }
  if (folder.starts_with("~/")) return fs::path{variable(environment, "HOME")} / folder.substr(2);
  return folder;
}

}  // namespace

bool has_sandbox(Profile const& profile) {
  return profile.sandbox != Sandbox::off && os::confinement_version() > 0;
}

std::string fault_of_work_directory(fs::path const& directory, fs::path const& data, fs::path const& home) {
  auto const place = resolved(directory);
  auto const closed = resolved(data);
  bool const is_welcome = holds(closed / kWelcome, place);
  if (holds(closed, place) && !is_welcome) return "it lies in Andon's data directory";
  if (holds(place, closed)) return "it holds Andon's data directory";
  if (!home.is_absolute()) return {};
  auto const own = resolved(home);
  if (is_welcome) return {};
  if (holds(place, own)) return "it holds the hidden folders of the home directory";
  if (!holds(own, place)) return {};
  auto const below = place.lexically_relative(own);
  return below.begin()->native().starts_with('.') ? "it lies in a hidden folder of the home directory" : "";
}

SandboxSpec sandbox_of(SandboxNeeds const& needs) {
  auto const home = variable(needs.environment, "HOME");
  Openings openings{needs.data, home};
  for (auto const* directory : kSystem) openings.read(directory);
  for (auto const* device : kDevices) openings.change(device);
  open_search_path(openings, variable(needs.environment, "PATH"));
  open_program(openings, needs.program, needs.data);
  openings.read(needs.andon_directory);
  if (!home.empty()) open_tools(openings, home);
  for (auto const& folder : needs.folders)
    if (auto const place = place_of(folder, needs.environment); !place.empty()) openings.change_within(place);
  openings.change("/tmp");
  openings.read_within(needs.run_dir);
  for (auto const* open : {"own", "tmp"}) openings.change_within(needs.run_dir / open);
  auto out = openings.take();
  out.work = resolved(needs.cwd);
  out.agent_only_reads_work = needs.only_reads_work;
  out.own_terminals = needs.own_terminals;
  out.held_ports = os::held_ports(needs.data);
  out.profile = needs.profile;
  if (!home.empty()) out.home = resolved(home).native();
  out.kept_closed = {resolved(needs.data).native()};
  return out;
}

std::vector<fs::path> directories_to_make(SandboxNeeds const& needs) {
  std::vector<fs::path> out;
  if (auto const home = variable(needs.environment, "HOME"); fs::path{home}.is_absolute())
    out.push_back(fs::path{home} / ".cache");
  for (auto const& folder : needs.folders)
    if (auto const place = place_of(folder, needs.environment); place.is_absolute() && folder.ends_with('/'))
      out.push_back(place.parent_path());
  return out;
}

std::optional<os::Confinement> confinement_of(SandboxSpec const& spec, Confined who,
                                              std::vector<std::string> const& git) {
  auto made = os::Confinement::make(os::Confinement::Closed::everything, os::Confinement::Network::open,
                                    spec.held_ports);
  if (!made) return std::nullopt;
  made->take_capabilities();
  if (spec.own_terminals) made->give_own_terminals();
  for (auto const& path : spec.reads) made->allow_reading(path);
  for (auto const& path : spec.changes) made->allow_changes(std::filesystem::path{path});
  bool const only_reads = spec.agent_only_reads_work && who == Confined::agent;
  auto const open = [&](fs::path const& path) {
    if (only_reads)
      made->allow_reading(path);
    else
      made->allow_changes(path);
  };
  open(spec.work);
  for (auto const& path : git) open(path);
  return made;
}

}  // namespace andon::runner
