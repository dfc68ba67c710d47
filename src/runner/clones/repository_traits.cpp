// Each trait is a row: a function that looks for it, or a setting with the sentence that it gets.

#include "runner/clones/repository_traits.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <ranges>
#include <set>
#include <unistd.h>

#include "core/text/ascii.hpp"
#include "os/files/file.hpp"
#include "os/system_error.hpp"
#include "runner/clones/clone_origin.hpp"
#include "runner/git/hooks.hpp"
#include "runner/objects/large_files.hpp"
#include "runner/output/plain_text.hpp"

namespace andon::runner {
namespace {

namespace fs = std::filesystem;
using service::RepositoryFinding;
using enum service::RepositoryFindingKind;

constexpr std::size_t kLargestAttributes = 1U << 20U;
constexpr std::size_t kShownCommit = 7;

RepositoryFinding note_on(std::string what, std::string effect, std::string remedy = {}) {
  return {note, std::move(what), std::move(effect), std::move(remedy)};
}

std::string joined(std::set<std::string> const& names) { return shown_names({names.begin(), names.end()}); }

// --- what is committed

/// The attributes that matter here, from all files of the commit and from `info/attributes`.
struct Attributes {
  std::set<std::string> filters;
  std::set<std::string> encodings;
  bool ident = false;
};

void read_attribute(std::string_view word, Attributes& out) {
  constexpr std::string_view kFilter = "filter=";
  constexpr std::string_view kEncoding = "working-tree-encoding=";
  if (word.starts_with(kFilter)) out.filters.insert(as_utf8(std::string{word.substr(kFilter.size())}));
  if (word.starts_with(kEncoding)) out.encodings.insert(as_utf8(std::string{word.substr(kEncoding.size())}));
  if (word == "ident") out.ident = true;
}

void read_attributes(std::string_view text, Attributes& out) {
  for (auto const line : std::views::split(text, '\n')) {
    std::string row{std::string_view{line}};
    std::ranges::replace_if(row, [](char c) { return c == '\t' || c == '\r'; }, ' ');
    if (row.find_first_not_of(' ') == std::string::npos || row[row.find_first_not_of(' ')] == '#') continue;
    for (auto const word : std::views::split(row, ' ')) read_attribute(std::string_view{word}, out);
  }
}

Attributes attributes_of(Repository const& repository) {
  Attributes out;
  read_attributes(repository.git
                      .run({"grep", "-h", "-I", "--no-color", "-E", "filter=|working-tree-encoding=|ident",
                            repository.tip, "--", ":(glob)**/.gitattributes"})
                      .out,
                  out);
  try {
    auto const file = fs::path{repository.git.place().common_directory} / "info/attributes";
    read_attributes(os::read_file_if_there(file, kLargestAttributes).value_or(""), out);
  } catch (os::SystemError const&) {  // NOLINT(bugprone-empty-catch): git reads no such file either
  }
  return out;
}

/// The way to allow filters. Each needs a command of the user.
std::string remedy_for(std::set<std::string> const& filters) {
  auto const held = held_filters({filters.begin(), filters.end()});
  std::set<std::string> without;
  for (auto const& name : filters)
    if (!held.contains(name)) without.insert(name);
  if (without.empty()) return "let \"filters\" of the board allow it";
  return "first configure " + joined(without) + ": " + kNoFilterCommand +
         "; then let \"filters\" of the board "
         "allow it";
}

void find_filters(std::set<std::string> filters, RepositoryFindings& out) {
  constexpr char kEffect[] =
      "work trees have these files as git stores them, and work that changes one is blocked, unless "
      "\"filters\" of the board allows it";
  if (filters.erase(kLargeFileFilter) > 0)
    out.push_back(note_on("files are stored by git-lfs (filter=lfs)",
                          std::string{kEffect} + "; with a clone URL such work is blocked in any case, since "
                                                 "Andon fetches and uploads no LFS objects",
                          remedy_for({kLargeFileFilter})));
  if (!filters.empty())
    out.push_back(note_on("files have filters: " + joined(filters), kEffect, remedy_for(filters)));
}

void find_attributes(Repository const& repository, RepositoryFindings& out) {
  auto const found = attributes_of(repository);
  find_filters(found.filters, out);
  if (!found.encodings.empty())
    out.push_back(note_on("files have another encoding in work trees: " + joined(found.encodings),
                          "git converts them in the work trees of tasks as in yours"));
  if (found.ident)
    out.push_back({fact, "files have the attribute ident", "git replaces $Id$ in work trees as in yours"});
}

/// Files and submodules of the commit.
struct Entries {
  std::size_t files = 0;
  std::size_t submodules = 0;
};

std::optional<Entries> entries_of(Repository const& repository) {
  auto const listed = repository.git.run({"ls-tree", "-r", "--format=%(objectmode)", repository.tip});
  if (!listed.good) return std::nullopt;
  Entries out;
  for (auto const mode : std::views::split(listed.out, '\n'))
    ++(std::string_view{mode} == "160000" ? out.submodules : out.files);
  --out.files;  // behind the last line end
  return out;
}

std::string mebibytes(std::string const& kibibytes) {
  std::size_t size = 0;
  std::from_chars(kibibytes.data(), kibibytes.data() + kibibytes.size(), size);
  return std::to_string((size + 1023) / 1024) + " MiB";
}

/// A line of `git count-objects -v`.
std::string counted(std::vector<std::string> const& lines, std::string_view name) {
  for (std::string_view const line : lines)
    if (line.starts_with(name) && line.substr(name.size()).starts_with(": "))
      return std::string{line.substr(name.size() + 2)};
  return "0";
}

/// `1 file`, `2 files`.
std::string plural_of(std::size_t count, std::string const& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

void find_size(Repository const& repository, RepositoryFindings& out) {
  auto const entries = entries_of(repository);
  auto const counts = repository.git.list({"count-objects", "-v"});
  if (entries && entries->submodules > 0)
    out.push_back(note_on(plural_of(entries->submodules, "submodule"),
                          "none is in a new work tree: the folder of each is empty there",
                          R"(let the set-up get them: --setup '[["git","submodule","update","--init"]]')"));
  out.push_back({fact,
                 (entries ? plural_of(entries->files, "file") : std::string{"an unknown number of files"}) +
                     ", " + counted(counts, "in-pack") + " objects in packs of " +
                     mebibytes(counted(counts, "size-pack")) + " and " + counted(counts, "count") +
                     " loose ones",
                 "each task gets a work tree with all files; the objects are shared"});
}

// --- the place

bool is_linked_place(core::WorkPlace const& place) { return place.git_directory != place.common_directory; }

bool is_submodule_place(core::WorkPlace const& place) {
  return place.git_directory != (fs::path{place.directory} / ".git").native() && !is_linked_place(place);
}

std::string head_of(Repository const& repository) {
  return repository.git.text({"symbolic-ref", "--short", "--quiet", "HEAD"}).value_or("");
}

void find_kind(Repository const& repository, RepositoryFindings& out) {
  auto const& place = repository.git.place();
  auto const lands = "work begins at " + repository.default_branch + " and lands there";
  if (is_linked_place(place))
    out.push_back(note_on("a linked work tree of " + place.common_directory,
                          lands + "; the other work trees and branches stay as they are"));
  if (is_submodule_place(place))
    out.push_back(note_on("a submodule, whose repository is " + place.git_directory,
                          lands + "; the repository around it does not follow",
                          "commit the new commit of the submodule there yourself"));
}

void find_branch(Repository const& repository, RepositoryFindings& out) {
  auto const& branch = repository.default_branch;
  auto const here = head_of(repository);
  auto const commit = repository.tip.substr(0, kShownCommit);
  if (here == branch) {
    out.push_back({fact, "the branch is " + branch + " (" + commit + ")",
                   "work begins there and lands there, and the files here move along"});
    return;
  }
  out.push_back(note_on(here.empty() ? "no branch is checked out" : "the branch " + here + " is checked out",
                        "work begins at " + branch + " (" + commit + ") and lands there; the files here stay",
                        here.empty() ? "" : "for work on " + here + " set \"branch\" of the board"));
}

void find_history(Repository const& repository, RepositoryFindings& out) {
  auto const& git = repository.git;
  std::error_code none;
  if (fs::file_size(fs::path{git.place().common_directory} / "shallow", none) > 0 && !none)
    out.push_back(note_on("the history is shallow", "Andon's clone has no more history than that, and works",
                          "agents see all of it after: git fetch --unshallow"));
  if (!is_partial(git)) return;
  if (auto const whole = check_whole(repository); !whole)
    out.push_back({refused, "a partial clone", whole.error().message});
  else
    out.push_back({fact, "a partial clone with all objects of " + repository.default_branch,
                   "it works until a later commit comes without its objects"});
}

void find_hooks(Repository const& repository, RepositoryFindings& out) {
  if (auto const names = hook_names(repository.git.place()); !names.empty())
    out.push_back(note_on("hooks: " + shown_names(names),
                          "Andon runs none of them, and agents do not have them",
                          "put what must hold for work into \"checks\" of the board"));
}

using LocalSettings = std::map<std::string, std::string>;

void read_settings(Git const& git, char const* scope, LocalSettings& out) {
  auto const listed = git.run({"config", scope, "--includes", "-z", "--list"});
  if (!listed.good) return;  // a work tree without settings of its own
  for (auto const part : std::views::split(listed.out, '\0')) {
    std::string_view const line{part};
    auto const end = line.find('\n');
    // A key without a value is true.
    if (!line.empty())
      out[std::string{line.substr(0, end)}] =
          end == std::string_view::npos ? "true" : std::string{line.substr(end + 1)};
  }
}

enum class If { set, on, off };

/// A local setting that matters, and what Andon does with it.
struct SettingRow {
  char const* key;
  If when;
  service::RepositoryFindingKind kind;
  char const* effect;
  char const* remedy = "";
};
constexpr std::array kSettingRows{
    SettingRow{"commit.gpgsign", If::on, note, "Andon has no key: commits that it makes are not signed"},
    SettingRow{"core.hookspath", If::set, note, "Andon runs no hooks, and agents do not have them",
               "put what must hold for work into \"checks\" of the board"},
    SettingRow{
        "core.sparsecheckout", If::on, note,
        "the work trees of tasks have all files; what lands moves the files that are checked out here"},
    SettingRow{"core.fsmonitor", If::set, fact, "Andon's git asks no monitor"},
    SettingRow{"core.autocrlf", If::set, fact, "the work trees of tasks have it too"},
    SettingRow{"core.eol", If::set, fact, "the work trees of tasks have it too"},
    SettingRow{"core.safecrlf", If::set, note,
               "the work trees of tasks have it too: an agent's commit may be refused for its line ends"},
    SettingRow{"core.filemode", If::off, note,
               "the work trees of tasks have it too: a changed mode of a file is no change"},
    SettingRow{"core.ignorecase", If::on, note,
               "the work trees of tasks have it too: names that differ in case alone are one file"},
    SettingRow{"core.symlinks", If::off, note,
               "the work trees of tasks have it too: symbolic links are small text files there"},
    SettingRow{"core.excludesfile", If::set, note,
               "Andon's git does not read it: what it ignores here becomes work there",
               "put the patterns into .gitignore or info/exclude"},
    SettingRow{"core.attributesfile", If::set, note, "Andon's git does not read it",
               "put the attributes into .gitattributes or info/attributes"},
};

bool is_met(If when, std::string const& value) {
  bool const is_off = value.empty() || value == "0" || core::is_ascii_equal(value, "false") ||
                      core::is_ascii_equal(value, "no") || core::is_ascii_equal(value, "off");
  return when == If::set ? !is_off : is_off == (when == If::off);
}

void find_settings(Repository const& repository, RepositoryFindings& out) {
  LocalSettings settings;
  read_settings(repository.git, "--local", settings);
  read_settings(repository.git, "--worktree", settings);
  for (auto const& row : kSettingRows)
    if (auto const found = settings.find(row.key); found != settings.end() && is_met(row.when, found->second))
      out.push_back(
          {row.kind, std::string{row.key} + " is " + shown_reason(found->second), row.effect, row.remedy});
}

using Trait = void (*)(Repository const&, RepositoryFindings&);
constexpr std::array<Trait, 2> kTraitsOfContent{&find_attributes, &find_size};
constexpr std::array<Trait, 5> kTraitsOfPlace{&find_kind, &find_branch, &find_history, &find_hooks,
                                              &find_settings};

RepositoryFindings found_by(std::span<Trait const> traits, Repository const& repository) {
  RepositoryFindings out;
  for (auto const trait : traits) trait(repository, out);
  return out;
}

}  // namespace

RepositoryFindings traits_of_content(Repository const& repository) {
  return found_by(kTraitsOfContent, repository);
}

RepositoryFindings traits_of_place(Repository const& repository) {
  return found_by(kTraitsOfPlace, repository);
}

}  // namespace andon::runner
