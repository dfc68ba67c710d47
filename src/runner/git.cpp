#include "runner/git.hpp"

#include "os/capture.hpp"
#include "os/program.hpp"
#include "os/system_error.hpp"

namespace andon::runner {
namespace {

constexpr core::Duration kLimit{120'000};
constexpr std::size_t kMostOutput = 4U << 20U;

/// What no repository may decide.
Environment const& our_settings() {
  static Environment const settings{
      {"safe.directory", "*"},
      {"core.hooksPath", "/dev/null"},
      {"core.fsmonitor", "false"},
      {"core.attributesFile", "/dev/null"},
      {"core.sshCommand", "false"},
      {"core.askPass", "false"},
      {"core.editor", "false"},
      {"core.pager", "cat"},
      {"core.alternateRefsCommand", "false"},
      {"core.quotePath", "false"},
      {"credential.helper", ""},
      {"protocol.allow", "never"},
      {"submodule.recurse", "false"},
      {"diff.external", ""},
      {"diff.submodule", "short"},
      {"status.submoduleSummary", "false"},
      {"commit.gpgSign", "false"},
      {"gpg.program", "false"},
      {"gc.auto", "0"},
      {"maintenance.auto", "false"},
      {"rerere.enabled", "false"},
      {"rebase.autoStash", "false"},
      {"rebase.updateRefs", "false"},
      {"merge.autoStash", "false"},
      {"checkout.guess", "false"},
      {"advice.detachedHead", "false"},
      {"log.showSignature", "false"},
      {"user.name", "Andon"},
      {"user.email", "andon@andon.invalid"},
  };
  return settings;
}

/// What to say instead of a command that the repository configures; nothing where the key is no command.
std::optional<std::string> harmless(std::string_view key) {
  if (key.starts_with("filter.")) return key.ends_with(".required") ? "false" : "";
  if (key.starts_with("merge.") && key.ends_with(".driver")) return "git merge-file -q %A %O %B";
  if (key.starts_with("diff.") && (key.ends_with(".command") || key.ends_with(".textconv"))) return "";
  if (key.starts_with("credential.") && key.ends_with(".helper")) return "";
  if (key.starts_with("gpg.") && key.ends_with(".program")) return "false";
  return std::nullopt;
}

std::string const& search_path() {
  static std::string const path = [] {
    for (std::string_view const variable : os::own_environment())
      if (variable.starts_with("PATH=")) return std::string{variable.substr(5)};
    return std::string{"/usr/local/bin:/usr/bin:/bin"};
  }();
  return path;
}

/// Settings go by variables and not by `-c`: a name that holds `=` could not be said there.
std::vector<std::string> environment(Environment const& settings, Environment const& more) {
  std::vector<std::string> out{"PATH=" + search_path(),
                               "HOME=/nonexistent",
                               "LC_ALL=C",
                               "GIT_CONFIG_NOSYSTEM=1",
                               "GIT_ATTR_NOSYSTEM=1",
                               "GIT_CONFIG_GLOBAL=/dev/null",
                               "GIT_TERMINAL_PROMPT=0",
                               "GIT_EDITOR=false",
                               "GIT_SEQUENCE_EDITOR=false",
                               "GIT_ALLOW_PROTOCOL=none",
                               "GIT_NO_LAZY_FETCH=1",
                               "GIT_NO_REPLACE_OBJECTS=1",
                               "GIT_CONFIG_COUNT=" + std::to_string(settings.size())};
  for (std::size_t i = 0; i < settings.size(); ++i) {
    out.push_back("GIT_CONFIG_KEY_" + std::to_string(i) + "=" + settings[i].first);
    out.push_back("GIT_CONFIG_VALUE_" + std::to_string(i) + "=" + settings[i].second);
  }
  for (auto const& [name, value] : more) out.push_back(name + "=" + value);
  return out;
}

GitAnswer run_git(std::filesystem::path const& directory, std::vector<std::string> const& arguments,
                  Environment const& settings, Environment const& more) {
  static auto const program = os::find_program("git", search_path());
  if (!program) return {false, {}, "git is not installed", false};
  if (directory.empty()) return {false, {}, "no directory", false};
  os::Command command{.program = *program,
                      .argv = {"git", "--no-optional-locks", "--no-pager"},
                      .env = environment(settings, more),
                      .cwd = directory};
  command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
  try {
    auto done = os::capture(std::move(command), {.time = kLimit, .bytes = kMostOutput});
    auto complaint = done.timed_out ? std::string{"git took too long"} : done.out.substr(done.printed);
    done.out.resize(done.printed);
    return {done.status.code == 0 && !done.timed_out, std::move(done.out), std::move(complaint),
            done.timed_out};
  } catch (os::SystemError const& error) {
    return {false, {}, error.what(), false};  // the directory went away
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

Environment settings_for(std::filesystem::path const& directory) {
  auto settings = our_settings();
  auto const found =
      run_git(directory, {"config", "--includes", "--name-only", "-z", "--list"}, settings, {});
  for (auto const& key : split(found.good ? found.out : std::string{}, '\0'))
    if (auto value = harmless(key)) settings.emplace_back(key, *std::move(value));
  return settings;
}

}  // namespace

Git::Git(std::filesystem::path directory, Environment marks)
    : directory_(std::move(directory)), marks_(std::move(marks)), settings_(settings_for(directory_)) {}

GitAnswer Git::run(std::vector<std::string> const& arguments, Environment more) const {
  more.insert(more.end(), marks_.begin(), marks_.end());
  return run_git(directory_, arguments, settings_, more);
}

std::optional<std::string> Git::text(std::vector<std::string> const& arguments) const {
  auto answer = run(arguments);
  if (!answer.good) return std::nullopt;
  if (answer.out.ends_with('\n')) answer.out.pop_back();
  return std::move(answer.out);
}

std::vector<std::string> Git::list(std::vector<std::string> const& arguments, char separator) const {
  auto const answer = run(arguments);
  return answer.good ? split(answer.out, separator) : std::vector<std::string>{};
}

}  // namespace andon::runner
