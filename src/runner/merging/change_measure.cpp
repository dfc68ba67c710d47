#include "runner/merging/change_measure.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "core/runs/path_kinds.hpp"
#include "core/runs/secret_text.hpp"
#include "runner/merging/changed_entries.hpp"
#include "runner/merging/reverted_files.hpp"
#include "runner/output/plain_text.hpp"
#include "runner/worktrees/changed_files.hpp"
#include "runner/worktrees/repository.hpp"

namespace andon::runner {
namespace {

using core::LandedChange;
using core::LandedFile;
using Names = std::vector<std::string>;

constexpr std::size_t kMostMeasured = 20'000;  ///< files
constexpr std::size_t kMostSearched = 100;     ///< files whose added lines are read for secrets

/// The parts of an output that end with a zero byte.
Names zero_ended(std::string_view text) {
  Names out;
  for (auto end = text.find('\0'); end != std::string_view::npos; end = text.find('\0')) {
    if (end > 0) out.emplace_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  return out;
}

/// The whole difference under these options, whatever the settings of the repository say about submodules.
std::vector<std::string> difference(std::vector<std::string> options, LandingCommits const& commits) {
  options.insert(options.end(), {"--ignore-submodules=none", "--no-abbrev"});
  return diff_arguments(options, commits.tip, commits.joined);
}

/// The difference of one file.
std::vector<std::string> file_difference(std::vector<std::string> options, LandingCommits const& commits,
                                         ChangedEntry const& file) {
  auto out = difference(std::move(options), commits);
  out.insert(out.begin(), "--literal-pathspecs");
  out.push_back(file.path);
  if (file.from != file.path) out.push_back(file.from);
  return out;
}

/// The sizes of files, by raw name.
struct FileSizes {
  std::map<std::string, std::int64_t> bytes;
  bool is_cut = false;

  std::int64_t of(std::string const& name) const {
    auto const found = bytes.find(name);
    return found == bytes.end() ? 0 : found->second;
  }
};

FileSizes sizes_in(Git const& git, std::string const& commit, Names const& names) {
  FileSizes out;
  for (auto const& batch : in_batches(names)) {
    std::vector<std::string> question{"--literal-pathspecs", "ls-tree", "-r", "-l", "-z",
                                      "--full-tree",         commit,    "--"};
    question.insert(question.end(), batch.begin(), batch.end());
    auto const answer = git.run(question);
    out.is_cut = out.is_cut || !answer.good || is_cut_short(answer.out);
    for (auto const& line : zero_ended(answer.out)) {
      auto const tab = line.find('\t');
      if (tab == std::string::npos) continue;
      auto const blank = line.rfind(' ', tab);
      out.bytes[line.substr(tab + 1)] = std::strtoll(line.c_str() + blank, nullptr, 10);
    }
  }
  return out;
}

std::int64_t count_files(Git const& git, std::string const& commit) {
  auto const answer = git.run({"ls-tree", "-r", "-z", "--name-only", "--full-tree", commit});
  return std::ranges::count(answer.out, '\0');
}

/// True when the lines that a file gains hold a secret. `diff` is of that file alone.
bool gains_secret(std::string_view diff) {
  bool is_in_lines = false;
  while (!diff.empty()) {
    auto const line = diff.substr(0, diff.find('\n'));
    diff.remove_prefix(std::min(diff.size(), line.size() + 1));
    if (line.starts_with("@@ ")) is_in_lines = true;
    if (is_in_lines && line.starts_with('+') && core::holds_secret(line.substr(1))) return true;
  }
  return false;
}

struct SecretFiles {
  std::set<std::string> names;  ///< raw
  bool is_cut = false;
};

/// Git finds the files with suspicious lines; only those are read.
SecretFiles find_secrets(Git const& git, LandingCommits const& commits,
                         std::vector<ChangedEntry> const& changes) {
  SecretFiles out;
  auto const found = git.run(difference(
      {"--name-only", "-z", "--text", std::string{"-G"} + core::kMaybeSecret, "--diff-filter=d"}, commits));
  out.is_cut = !found.good || is_cut_short(found.out);
  auto const suspicious = zero_ended(found.out);
  std::set<std::string> const names{suspicious.begin(), suspicious.end()};
  std::size_t searched = 0;
  for (auto const& change : changes) {
    if (!names.contains(change.path)) continue;
    bool const is_read = searched++ < kMostSearched;
    auto const diff =
        is_read ? git.run(file_difference({"--text", "--unified=0"}, commits, change)) : GitAnswer{};
    if (!diff.good || gains_secret(diff.out)) out.names.insert(change.path);
  }
  return out;
}

std::string could_not(GitAnswer const& answer) {
  return "the change could not be measured: " + shown_reason(answer.complaint);
}

/// Counts the lines that the diff of one file adds and removes.
void count_lines(std::string_view diff, ChangedEntry& entry) {
  bool is_in_lines = false;
  while (!diff.empty()) {
    auto const line = diff.substr(0, diff.find('\n'));
    diff.remove_prefix(std::min(diff.size(), line.size() + 1));
    if (line.starts_with("@@ ")) is_in_lines = true;
    if (is_in_lines && line.starts_with('+')) ++entry.added;
    if (is_in_lines && line.starts_with('-')) ++entry.removed;
  }
}

/// Counts the lines of tests that git takes for binary. An attribute can make git do so with any text, whose
/// lines would then go unseen.
void count_hidden_tests(Git const& git, LandingCommits const& commits, ChangedEntries& read) {
  std::size_t counted = 0;
  for (auto& entry : read.entries) {
    if (!entry.is_binary || entry.is_submodule || !core::is_of_kind(entry.path, core::PathKind::test))
      continue;
    auto const answer = ++counted > kMostSearched
                            ? GitAnswer{}
                            : git.run(file_difference({"--text", "--unified=0"}, commits, entry));
    read.is_cut = read.is_cut || !answer.good;
    count_lines(answer.out, entry);
  }
}

LandedFile::Fate fate_of(char status) {
  switch (status) {
    case 'A':
    case 'C': return LandedFile::Fate::added;
    case 'D': return LandedFile::Fate::deleted;
    case 'R': return LandedFile::Fate::renamed;
    default: return LandedFile::Fate::changed;
  }
}

void add_files(Git const& git, LandingCommits const& commits, std::vector<ChangedEntry> const& changes,
               LandedChange& out) {
  Names before, after;
  for (auto const& change : changes) {
    if (change.status != 'A') before.push_back(change.from);
    if (change.status != 'D') after.push_back(change.path);
  }
  auto const old_sizes = sizes_in(git, commits.tip, before), new_sizes = sizes_in(git, commits.joined, after);
  auto const reverted = find_reverted(git, commits, changes);
  auto const secrets = find_secrets(git, commits, changes);
  out.is_cut = out.is_cut || old_sizes.is_cut || new_sizes.is_cut || reverted.is_cut || secrets.is_cut;
  for (auto const& change : changes) {
    LandedFile file{as_utf8(change.path), fate_of(change.status)};
    file.lines_added = change.added;
    file.lines_removed = change.removed;
    file.bytes_before = old_sizes.of(change.from);
    file.bytes_after = new_sizes.of(change.path);
    file.is_binary = change.is_binary;
    file.is_submodule = change.is_submodule;
    file.is_reverted = reverted.names.contains(change.path);
    file.holds_secret = secrets.names.contains(change.path);
    out.files.push_back(std::move(file));
  }
}

}  // namespace

std::expected<LandedChange, std::string> measure_change(Git const& git, LandingCommits const& commits) {
  auto const answer = git.run(difference({"--raw", "--numstat", "-z"}, commits));
  LandedChange out;
  out.is_cut = answer.too_long;
  if (answer.too_long) return out;
  if (!answer.good) return std::unexpected(could_not(answer));
  auto read = parse_entries(answer.out);
  count_hidden_tests(git, commits, read);
  out.is_cut = read.is_cut || read.entries.size() > kMostMeasured;
  if (read.entries.size() > kMostMeasured) read.entries.resize(kMostMeasured);
  bool const deletes = std::ranges::find(read.entries, 'D', &ChangedEntry::status) != read.entries.end();
  if (deletes) out.files_before = count_files(git, commits.tip);
  add_files(git, commits, read.entries, out);
  return out;
}

std::expected<Names, std::string> files_of_work(Git const& git, LandingCommits const& commits,
                                                Names const& paths) {
  if (paths.empty()) return Names{};
  std::vector<std::string> question{"--literal-pathspecs",
                                    "log",
                                    "--full-history",
                                    "-m",
                                    "--format=",
                                    "--name-only",
                                    "-z",
                                    "--no-renames",
                                    "--diff-filter=d",
                                    commits.tip + ".." + commits.joined,
                                    "--"};
  question.insert(question.end(), paths.begin(), paths.end());
  auto const answer = git.run(question);
  if (!answer.good) return std::unexpected(could_not(answer));
  std::set<std::string> out;
  for (auto const& name : zero_ended(answer.out)) out.insert(as_utf8(name));
  return Names{out.begin(), out.end()};
}

}  // namespace andon::runner
