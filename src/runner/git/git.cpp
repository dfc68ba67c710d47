#include "runner/git/git.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "core/text/ascii.hpp"
#include "os/processes/capture.hpp"
#include "os/processes/confinement.hpp"
#include "os/processes/log.hpp"
#include "os/processes/program.hpp"
#include "os/system_error.hpp"
#include "runner/git/git_environment.hpp"
#include "runner/git/git_settings.hpp"
#include "runner/git/outlying_parts.hpp"
#include "runner/git/settings_file.hpp"
#include "runner/git/work_place.hpp"

namespace andon::runner {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostOutput = 64U << 20U;  ///< the names of some 300,000 files
constexpr std::size_t kMostSettings = 2'000;     ///< more do not fit into a process environment
constexpr std::size_t kMostIncluded = 50;        ///< files with settings
constexpr core::Duration kProbeLimit{5'000};
constexpr char kTooManySettings[] = "the repository has too many settings";

/// The environment of a call. Settings are variables instead of `-c`, which cannot express a name with `=`.
std::vector<std::string> environment(Environment const& settings, Environment const& more) {
  auto out = git_environment("none");
  out.emplace_back("GIT_EDITOR=false");
  out.emplace_back("GIT_SEQUENCE_EDITOR=false");
  out.push_back("GIT_CONFIG_COUNT=" + std::to_string(settings.size()));
  for (std::size_t i = 0; i < settings.size(); ++i) {
    out.push_back("GIT_CONFIG_KEY_" + std::to_string(i) + "=" + settings[i].first);
    out.push_back("GIT_CONFIG_VALUE_" + std::to_string(i) + "=" + settings[i].second);
  }
  for (auto const& [name, value] : more) out.push_back(name + "=" + value);
  return out;
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

/// The git program, and the directory with its internal programs.
struct Program {
  fs::path file;
  fs::path parts;
  std::optional<os::Confinement::Closed> closed;  ///< how far it can be confined
};

/// The libraries and data of programs, which hold nothing private.
constexpr std::array kSystem{"/usr",    "/bin", "/lib", "/lib32", "/lib64",
                             "/libx32", "/etc", "/opt", "/nix",   "/gnu"};

/// Starting a program needs the loader that the program names, which is one of these.
constexpr std::array kLoaders{"/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1",
                              "/lib/ld-linux-armhf.so.3",    "/lib/ld-linux-riscv64-lp64d.so.1",
                              "/lib/ld-musl-x86_64.so.1",    "/lib/ld-musl-aarch64.so.1"};

using Network = os::Confinement::Network;

std::optional<os::Confinement> confinement_of(Program const& program, Network network = Network::open) {
  auto made = program.closed ? os::Confinement::make(*program.closed, network) : std::nullopt;
  if (!made) return std::nullopt;
  for (auto const* directory : kSystem) made->allow_data(directory);
  made->allow_data("/dev/urandom");
  made->allow_data(program.file);
  made->allow_data(program.parts);
  made->allow_executing(program.file);
  made->allow_executing(program.parts);
  for (auto const* loader : kLoaders) made->allow_executing(loader);
  made->allow_changes("/dev/null");
  return made;
}

os::Captured ask(Program const& program, char const* question, os::Confinement const* confinement) {
  return os::capture({.program = program.file,
                      .argv = {"git", question},
                      .env = environment({}, {}),
                      .cwd = "/",
                      .confinement = confinement ? confinement->handle() : os::ConfinementHandle{}},
                     {.time = kProbeLimit});
}

/// Whether this git runs in a confinement. An unusual one, such as a script that starts the real git, does
/// not.
bool works_confined(Program const& program) try {
  auto const confinement = confinement_of(program);
  return confinement && ask(program, "--version", &*confinement).status.code == 0;
} catch (os::SystemError const&) {
  return false;
}

std::optional<Program> find_git() {
  auto const found = os::find_program("git", search_path_of_git());
  if (!found) return std::nullopt;
  Program program{*found, {}, std::nullopt};
  auto said = ask(program, "--exec-path", nullptr);
  said.out.resize(said.printed);
  if (said.out.ends_with('\n')) said.out.pop_back();
  program.parts = said.out;
  if (!program.parts.is_absolute()) return program;
  for (auto const closed : {os::Confinement::Closed::everything, os::Confinement::Closed::changes}) {
    program.closed = closed;
    if (works_confined(program)) return program;
  }
  program.closed.reset();
  return program;
}

std::optional<Program> const& installed() {
  static auto const program = find_git();
  return program;
}

/// One call: its opened directory, and what it may change.
struct Call {
  Program const& program;
  core::WorkPlace const& place;
  GitUse const& use;
  fs::path const& new_objects;
  fs::path const& index;
  os::Descriptor directory;
  std::optional<os::Confinement> confinement;
};

/// An entry of a list of object directories. Quotes keep a colon in it from ending it.
std::string quoted_directory(fs::path const& directory) {
  std::string out = "\"";
  for (char const each : directory.native()) {
    if (each == '"' || each == '\\') out += '\\';
    out += each;
  }
  return out + "\"";
}

/// Variables that fix git's directories, so that neither `.git` nor `core.worktree` changes them, and the
/// lender, so that it counts whatever the repository says.
Environment where(Call const& call) {
  auto const& place = call.place;
  Environment out{{"GIT_DIR", place.git_directory}, {"GIT_WORK_TREE", "."}};
  if (!call.index.empty()) out.emplace_back("GIT_INDEX_FILE", call.index);
  if (place.common_directory != place.git_directory)
    out.emplace_back("GIT_COMMON_DIR", place.common_directory);
  std::string borrowed;
  if (!call.new_objects.empty()) {
    out.emplace_back("GIT_OBJECT_DIRECTORY", call.new_objects);
    borrowed = quoted_directory(fs::path{place.common_directory} / "objects") + ":";
  }
  if (!call.use.lender.empty()) borrowed += quoted_directory(call.use.lender);
  if (!borrowed.empty()) out.emplace_back("GIT_ALTERNATE_OBJECT_DIRECTORIES", borrowed);
  return out;
}

GitAnswer run_git(Call const& call, std::vector<std::string> const& arguments, Environment const& settings,
                  Environment const& more, int input = -1) {
  auto variables = where(call);
  variables.insert(variables.end(), more.begin(), more.end());
  os::Command command{.program = call.program.file,
                      .argv = {"git", "--no-optional-locks", "--no-pager"},
                      .env = environment(settings, variables),
                      .cwd_handle = call.directory.get(),
                      .in = input,
                      .confinement = os::handle_of(call.confinement)};
  command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
  auto done = os::capture(std::move(command), {.time = call.use.limit,
                                               .bytes = kMostOutput,
                                               .stop = call.use.stop,
                                               .file_bytes = call.use.file_bytes});
  auto complaint = done.timed_out ? std::string{"git took too long"} : done.out.substr(done.printed);
  done.out.resize(done.printed);
  bool const is_good = done.status.code == 0 && !done.timed_out;
  return {is_good, std::move(done.out), std::move(complaint), done.timed_out, done.cut, done.status.signal};
}

/// Whether a setting is one of `git_settings`. Names of sections and settings ignore case.
bool is_ours(std::string_view key) {
  return std::ranges::any_of(git_settings(),
                             [&](auto const& setting) { return core::is_ascii_equal(setting.first, key); });
}

std::unexpected<GitAnswer> refused(std::string complaint) {
  return std::unexpected(GitAnswer{false, {}, std::move(complaint), false});
}

/// The settings in one file; none when it is not there, as for git.
std::expected<SettingsFile, GitAnswer> read_settings(Call const& call, fs::path const& file) {
  std::error_code unreadable;
  auto const about = fs::status(file, unreadable);
  if (!fs::exists(about)) return SettingsFile{};
  // Git would wait for a pipe.
  if (!fs::is_regular_file(about)) return refused(file.native() + " holds settings but is no regular file");
  auto printed = run_git(call, {"config", "--no-includes", "--file", file.native(), "-z", "--list"},
                         git_settings(), call.use.marks);
  if (!printed.good) return std::unexpected(std::move(printed));
  if (printed.cut) return refused(kTooManySettings);
  auto out = parse_settings(file, printed.out);
  if (!out) return refused(out.error());
  return *std::move(out);
}

/// The keys of all files that the settings include, also of those whose condition is not met now: git starts
/// itself in other work trees and on other branches, where the condition may be met.
std::expected<std::vector<std::string>, GitAnswer> included_keys(Call const& call) {
  std::vector<fs::path> files{fs::path{call.place.common_directory} / "config",
                              fs::path{call.place.git_directory} / "config.worktree"};
  std::vector<std::string> keys;
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (i == kMostIncluded) return refused("the settings of the repository include too many files");
    auto found = read_settings(call, files[i]);
    if (!found) return std::unexpected(std::move(found.error()));
    keys.insert(keys.end(), found->keys.begin(), found->keys.end());
    for (auto& file : found->includes)
      if (std::ranges::find(files, file) == files.end()) files.push_back(std::move(file));
  }
  return keys;
}

std::expected<std::vector<std::string>, GitAnswer> keys_for(Call const& call) {
  auto found =
      run_git(call, {"config", "--includes", "--name-only", "-z", "--list"}, git_settings(), call.use.marks);
  if (!found.good) return std::unexpected(std::move(found));
  if (found.cut) return refused(kTooManySettings);
  auto keys = split(found.out, '\0');
  if (std::ranges::none_of(keys, is_include)) return keys;
  auto included = included_keys(call);
  if (!included) return included;
  keys.insert(keys.end(), included->begin(), included->end());
  std::ranges::sort(keys);
  keys.erase(std::ranges::unique(keys).begin(), keys.end());
  return keys;
}

/// Andon's own settings. The filters come last, so that no other value of theirs counts.
Environment own_settings(GitUse const& use) {
  auto out = git_settings();
  out.insert(out.end(), use.filters.settings.begin(), use.filters.settings.end());
  return out;
}

std::expected<Environment, GitAnswer> settings_for(Call const& call) {
  auto const keys = keys_for(call);
  if (!keys) return std::unexpected(keys.error());
  Environment settings;
  for (auto const& key : *keys)
    for (auto& setting : without_effect(key))
      if (!is_ours(setting.first)) settings.push_back(std::move(setting));
  if (settings.size() > kMostSettings) return refused(kTooManySettings);
  auto const ours = own_settings(call.use);
  settings.insert(settings.end(), ours.begin(), ours.end());
  return settings;
}

/// Git uses a shell to start the replacement of a configured merge driver.
bool needs_shell(Environment const& settings) {
  return std::ranges::any_of(settings, [](auto const& setting) {
    return setting.first.starts_with("merge.") && setting.first.ends_with(".driver");
  });
}

/// Opens what the programs of filters need: the programs of the system, and their own files.
void allow_filters(os::Confinement& confinement, GitUse const& use) {
  if (use.filters.empty()) return;
  for (auto const* directory : kSystem) confinement.allow_reading(directory);
  for (auto const& program : use.filters.programs) confinement.allow_reading(program);
  // The large files of the clone lie beside the objects that it lends.
  if (!use.lender.empty()) confinement.allow_data(use.lender.parent_path() / "lfs");
}

std::optional<os::Confinement> confinement_for(Program const& program, core::WorkPlace const& place,
                                               GitUse const& use, os::Descriptor const& directory,
                                               std::vector<std::string> const& outlying,
                                               fs::path const& also) {
  auto made = confinement_of(program, use.filters.empty() ? Network::open : Network::closed);
  if (!made) return made;
  allow_filters(*made, use);
  made->allow_changes(directory);
  made->allow_changes(fs::path{place.git_directory});
  made->allow_changes(fs::path{place.common_directory});
  for (auto const& part : outlying) made->allow_data(part);
  if (!use.lender.empty()) made->allow_data(use.lender);
  if (!also.empty()) made->allow_changes(also);
  return made;
}

/// The variables of a call, besides those of git. Programs of filters put large files beside git's.
Environment variables_for(GitUse const& use, core::WorkPlace const& place, Environment more) {
  more.insert(more.end(), use.marks.begin(), use.marks.end());
  if (use.filters.empty()) return more;
  auto const& ours = filter_environment();
  more.insert(more.end(), ours.begin(), ours.end());
  more.emplace_back("TMPDIR", place.git_directory);
  return more;
}

std::string failure_of(std::vector<std::string> const& arguments, GitAnswer const& answer) {
  auto why = answer.cut ? "it printed more than Andon reads" : answer.complaint;
  while (why.ends_with('\n')) why.pop_back();
  if (why.empty()) why = "it failed";
  return "git " + (arguments.empty() ? std::string{} : arguments.front()) + ": " + why;
}

}  // namespace

Git::Git(core::WorkPlace place, GitUse use) : place_(std::move(place)), use_(std::move(use)) {}

GitAnswer Git::run(std::vector<std::string> const& arguments, Environment more, int input) const try {
  auto const& program = installed();
  if (!program) return {false, {}, "git is not installed", false};
  if (*gave_up_) return {false, {}, "git took too long before", true};
  auto directory = enter(place_);
  if (!directory) return {false, {}, directory.error(), false};
  auto const outlying = outlying_parts(place_);
  auto unreadable = why_unreadable(place_, use_, outlying);
  if (!unreadable && program->closed != os::Confinement::Closed::everything)
    unreadable = link_among_objects(place_);
  if (unreadable) return {false, {}, *std::move(unreadable), false};
  auto confinement = confinement_for(*program, place_, use_, *directory, outlying, also_changed_);
  Call call{*program, place_, use_, new_objects_, index_, *std::move(directory), std::move(confinement)};
  auto settings = is_own_ ? own_settings(use_) : settings_for(call);
  // Caches that an agent may have damaged.
  if (settings && !use_.lender.empty())
    for (auto const* cache : {"core.commitGraph", "core.multiPackIndex"})
      settings->emplace_back(cache, "false");
  if (settings && call.confinement && needs_shell(*settings)) call.confinement->allow_executing("/bin/sh");
  if (settings) more = variables_for(use_, place_, std::move(more));
  auto answer = settings ? run_git(call, arguments, *settings, more, input) : settings.error();
  *gave_up_ = answer.too_long;
  return answer;
} catch (os::SystemError const& error) {
  return {false, {}, error.what(), false};  // the directory is gone
}

std::optional<std::string> Git::text(std::vector<std::string> const& arguments) const {
  auto answer = run(arguments);
  if (!answer.good || answer.cut) return std::nullopt;
  if (answer.out.ends_with('\n')) answer.out.pop_back();
  return std::move(answer.out);
}

std::vector<std::string> Git::list(std::vector<std::string> const& arguments, char separator) const {
  auto const answer = run(arguments);
  if (answer.good && !answer.cut) return split(answer.out, separator);
  throw GitFailure(failure_of(arguments, answer));
}

void Git::carry_out(std::vector<std::string> const& arguments, Environment more, int input) const {
  if (auto const answer = run(arguments, std::move(more), input); !answer.good)
    throw GitFailure(failure_of(arguments, answer));
}

void Git::attempt(std::vector<std::string> const& arguments) const {
  if (auto const answer = run(arguments); !answer.good)
    os::log(os::Level::warning, failure_of(arguments, answer) + " (in " + place_.directory + ")");
}

Git Git::with_filters(HeldFilters filters) const {
  auto out = *this;
  out.use_.filters = std::move(filters);
  return out;
}

Git Git::over(core::WorkPlace const& tree, fs::path index) const {
  auto out = changing(index.parent_path());
  out.place_.directory = tree.directory;
  out.place_.directory_id = tree.directory_id;
  out.index_ = std::move(index);
  return out;
}

Git Git::changing(fs::path directory) const {
  auto out = *this;
  out.also_changed_ = std::move(directory);
  return out;
}

Git Git::adding_objects_to(fs::path objects) const {
  auto out = changing(objects.parent_path());
  out.new_objects_ = std::move(objects);
  return out;
}

Git Git::as_own() const {
  auto out = *this;
  out.is_own_ = true;
  return out;
}

std::expected<Git, std::string> open_git(fs::path const& top, GitUse use) {
  auto place = find_work_place(top);
  if (!place) return std::unexpected(place.error());
  return Git{*std::move(place), std::move(use)};
}

}  // namespace andon::runner
