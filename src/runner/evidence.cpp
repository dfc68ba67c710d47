#include "runner/evidence.hpp"

#include <set>

#include "os/capture.hpp"
#include "os/program.hpp"
#include "os/system_error.hpp"
#include "runner/plain_text.hpp"

namespace andon::runner {
namespace {

constexpr core::Duration kLimit{10'000};
constexpr std::size_t kMostOutput = 4U << 20U;
constexpr std::string_view kMostCommits = "--max-count=100";

std::string search_path() {
  for (std::string_view const variable : os::own_environment())
    if (variable.starts_with("PATH=")) return std::string{variable.substr(5)};
  return "/usr/local/bin:/usr/bin:/bin";
}

/// Runs git in a directory of somebody else's making. Empty when it fails.
std::string git(std::filesystem::path const& directory, std::vector<std::string> const& settings,
                std::vector<std::string> const& arguments) {
  static std::string const path = search_path();
  auto const program = os::find_program("git", path);
  if (!program || directory.empty()) return {};
  os::Command command{
      .program = *program,
      .argv = {"git", "--no-optional-locks", "--no-pager", "-c", "core.hooksPath=/dev/null", "-c",
               "core.fsmonitor=false", "-c", "diff.external=", "-c", "protocol.ext.allow=never", "-c",
               "core.quotePath=false", "-c", "submodule.recurse=false"},
      .env = {"PATH=" + path, "HOME=/nonexistent", "LC_ALL=C", "GIT_CONFIG_NOSYSTEM=1",
              "GIT_CONFIG_GLOBAL=/dev/null", "GIT_TERMINAL_PROMPT=0", "GIT_ATTR_NOSYSTEM=1",
              "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0=*"},
      .cwd = directory};
  for (auto const& setting : settings) {
    command.argv.emplace_back("-c");
    command.argv.push_back(setting);
  }
  command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
  try {
    auto const done = os::capture(std::move(command), {.time = kLimit, .bytes = kMostOutput});
    return done.status.code == 0 && !done.timed_out ? done.out : std::string{};
  } catch (os::SystemError const&) {
    return {};  // the directory went away: there is nothing to see
  }
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    auto const end = text.find(separator);
    if (end != 0) parts.emplace_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return parts;
}

/// Settings that turn off every filter the repository configures: they are commands.
std::vector<std::string> without_filters(std::filesystem::path const& directory) {
  std::vector<std::string> settings;
  for (auto const& key :
       split(git(directory, {}, {"config", "--name-only", "-z", "--get-regexp", "^filter\\."}), '\0'))
    settings.push_back(key.ends_with(".required") ? key + "=false" : key + "=");
  return settings;
}

void add_names(std::set<std::string>& names, std::string_view list) {
  for (auto& name : split(list, '\0')) names.insert(std::move(name));
}

}  // namespace

std::string head_commit(std::filesystem::path const& directory) {
  auto const lines = split(git(directory, {}, {"rev-parse", "--verify", "--quiet", "HEAD"}), '\n');
  return lines.empty() ? std::string{} : lines.front();
}

Evidence collect_evidence(std::filesystem::path const& directory, std::string const& head_before) {
  Evidence evidence;
  if (git(directory, {}, {"rev-parse", "--is-inside-work-tree"}) != "true\n") return evidence;
  if (auto const names = split(git(directory, {}, {"symbolic-ref", "--short", "--quiet", "HEAD"}), '\n');
      !names.empty())
    evidence.branch = as_utf8(names.front());
  std::set<std::string> changed;
  if (auto const head = head_commit(directory); !head_before.empty() && head != head_before) {
    evidence.commits = split(
        git(directory, {}, {"rev-list", "--reverse", std::string{kMostCommits}, head_before + ".." + head}),
        '\n');
    add_names(changed, git(directory, {},
                           {"diff-tree", "-r", "-z", "--name-only", "--no-ext-diff", "--no-textconv",
                            "--no-commit-id", head_before, head}));
  }
  auto const quiet = without_filters(directory);
  add_names(changed, git(directory, quiet,
                         {"diff", "-z", "--name-only", "--no-ext-diff", "--no-textconv",
                          "--ignore-submodules", "HEAD"}));
  add_names(changed, git(directory, quiet, {"ls-files", "-z", "--others", "--exclude-standard"}));
  evidence.files_changed = static_cast<int>(changed.size());
  return evidence;
}

}  // namespace andon::runner
