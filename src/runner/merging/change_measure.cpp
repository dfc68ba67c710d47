#include "runner/merging/change_measure.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "core/runs/hidden_text.hpp"
#include "core/runs/path_kinds.hpp"
#include "runner/merging/change_text.hpp"
#include "runner/merging/changed_entries.hpp"
#include "runner/merging/obeyed_changes.hpp"
#include "runner/merging/odd_files.hpp"
#include "runner/merging/patch_lines.hpp"
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
constexpr std::size_t kMostSearched = 100;     ///< files of hidden text, which are read one by one
constexpr std::int64_t kFewFiles = 20;         ///< a part of fewer files says little
constexpr std::int64_t kLargePart = 5;         ///< one of so many

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

std::string could_not(GitAnswer const& answer) {
  return "the change could not be measured: " + shown_reason(answer.complaint);
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

/// Text that git takes for binary. An attribute can make git do so with any text, and so can a zero byte, and
/// its lines would then go unseen.
bool is_hidden_text(ChangedEntry const& entry) {
  return entry.is_binary && !entry.is_submodule &&
         (core::is_of_kind(entry.path, core::PathKind::test) || core::is_code(entry.path));
}

void read_hidden_text(Git const& git, LandingCommits const& commits, ChangedEntry entry, MeasuredChange& out,
                      LandedFile& file) {
  entry.is_binary = false;
  auto const answer = git.run(file_difference({"--text", "--unified=1"}, commits, entry));
  std::vector<LandedFile> one{file};
  auto const secrets = read_change_text(answer.out, {entry}, one);
  out.is_cut = out.is_cut || !answer.good || answer.cut || !secrets;
  if (secrets) out.secret_lines.insert(secrets->begin(), secrets->end());
  file = std::move(one.front());
  PatchLines::Line line;
  for (PatchLines lines{answer.out}; lines.next(line);) {
    if (line.kind == PatchLines::Kind::added) ++file.lines_added;
    if (line.kind == PatchLines::Kind::removed) ++file.lines_removed;
  }
}

void read_texts(Git const& git, LandingCommits const& commits, std::vector<ChangedEntry> const& entries,
                MeasuredChange& out) {
  auto const answer = git.run(difference({"--patch", "--unified=1"}, commits));
  auto secrets = read_change_text(answer.out, entries, out.files);
  out.is_cut = out.is_cut || !answer.good || answer.cut || !secrets;
  if (secrets) out.secret_lines = *std::move(secrets);
  std::size_t hidden = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (!is_hidden_text(entries[i])) continue;
    if (++hidden > kMostSearched)
      out.is_cut = true;
    else
      read_hidden_text(git, commits, entries[i], out, out.files[i]);
  }
}

std::string top_folder(std::string const& path) {
  auto const slash = path.find('/');
  return slash == std::string::npos ? std::string{} : path.substr(0, slash);
}

/// Marks renamed files that left a top folder of which nothing stays, and all renamed files when they are a
/// large part of the repository.
void mark_uprooted(Git const& git, LandingCommits const& commits, std::vector<ChangedEntry> const& entries,
                   LandedChange& out) {
  auto const renamed = std::ranges::count(entries, 'R', &ChangedEntry::status);
  if (renamed == 0) return;
  bool const is_large = out.files_before >= kFewFiles && renamed * kLargePart > out.files_before;
  auto const left = git.list({"ls-tree", "-z", "--name-only", commits.joined}, '\0');
  std::set<std::string> const there{left.begin(), left.end()};
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].status != 'R') continue;
    auto const folder = top_folder(entries[i].from);
    out.files[i].is_uprooted = is_large || (!folder.empty() && !there.contains(folder));
  }
}

void add_sizes(Git const& git, LandingCommits const& commits, std::vector<ChangedEntry> const& entries,
               LandedChange& out) {
  Names before, after;
  for (auto const& entry : entries) {
    if (entry.status != 'A') before.push_back(entry.from);
    if (entry.status != 'D') after.push_back(entry.path);
  }
  auto const old_sizes = sizes_in(git, commits.tip, before), new_sizes = sizes_in(git, commits.joined, after);
  out.is_cut = out.is_cut || old_sizes.is_cut || new_sizes.is_cut;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    out.files[i].bytes_before = old_sizes.of(entries[i].from);
    out.files[i].bytes_after = new_sizes.of(entries[i].path);
  }
}

LandedFile file_of(ChangedEntry const& entry) {
  LandedFile out{as_utf8(entry.path), fate_of(entry.status)};
  out.from = as_utf8(entry.from);
  out.lines_added = entry.added;
  out.lines_removed = entry.removed;
  out.is_binary = entry.is_binary;
  out.is_submodule = entry.is_submodule;
  return out;
}

void add_files(Git const& git, LandingCommits const& commits, std::vector<ChangedEntry> const& entries,
               MeasuredChange& out) {
  for (auto const& entry : entries) out.files.push_back(file_of(entry));
  add_sizes(git, commits, entries, out);
  auto const reverted = find_reverted(git, commits, entries);
  out.is_cut = out.is_cut || reverted.is_cut;
  for (std::size_t i = 0; i < entries.size(); ++i)
    out.files[i].is_reverted = reverted.names.contains(entries[i].path);
  mark_uprooted(git, commits, entries, out);
  read_texts(git, commits, entries, out);
  find_odd_files(git, entries, out);
  find_obeyed_changes(git, entries, out);
}

}  // namespace

std::expected<MeasuredChange, std::string> measure_change(Git const& git, LandingCommits const& commits,
                                                          CheckSources const& checks) {
  auto const answer = git.run(difference({"--raw", "--numstat", "-z"}, commits));
  MeasuredChange out;
  out.check_files = checks.files;
  out.tools = checks.tools;
  out.is_cut = answer.too_long;
  if (answer.too_long) return out;
  if (!answer.good) return std::unexpected(could_not(answer));
  auto read = parse_entries(answer.out);
  out.is_cut = read.is_cut || read.entries.size() > kMostMeasured;
  if (read.entries.size() > kMostMeasured) read.entries.resize(kMostMeasured);
  bool const takes = std::ranges::any_of(
      read.entries, [](ChangedEntry const& entry) { return entry.status == 'D' || entry.status == 'R'; });
  if (takes) out.files_before = count_files(git, commits.tip);
  add_files(git, commits, read.entries, out);
  out.entries = std::move(read.entries);
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
