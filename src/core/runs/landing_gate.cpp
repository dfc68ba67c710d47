// The gate before a landing: a change is counted under each limit of its board, and what exceeds one becomes
// a question for a person. The rows of `kGates` say which file counts for how much under which limit; two
// limits are about the whole change. A limit below 0 is none.
#include "core/runs/landing_gate.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "core/runs/executed_paths.hpp"
#include "core/runs/hidden_text.hpp"
#include "core/runs/path_kinds.hpp"
#include "core/runs/path_pattern.hpp"
#include "core/runs/test_lines.hpp"
#include "core/tasks/pick.hpp"
#include "core/text/visible_text.hpp"

namespace andon::core {
namespace {

using Fate = LandedFile::Fate;

constexpr std::size_t kMostNamed = 20;  ///< files of one finding
constexpr std::size_t kMostShown = 3;   ///< of these in a sentence
/// Share of a repository with fewer files says little.
constexpr std::int64_t kFewFiles = 20;
/// The finding that paths are left out, which is no limit of a board.
constexpr std::string_view kLeftOut = "left_out";
/// A file of fewer bytes is not emptied but small.
constexpr std::int64_t kSmallFile = 100;
/// A file of fewer bytes may get other content.
constexpr std::int64_t kOverwritten = 500;
/// An emptied file keeps at most one part of so many.
constexpr std::int64_t kEmptied = 20;

using Kind = LandedLine::Kind;

bool is_new_content(LandedFile const& file) { return file.fate != Fate::deleted; }
bool is_test(std::string_view path) { return is_of_kind(path, PathKind::test); }

std::int64_t is_deleted(LandedFile const& file, LandedChange const&) { return file.fate == Fate::deleted; }

/// True for code that keeps at most a twentieth of its content. Tests are judged by their assertions.
bool is_overwritten(LandedFile const& file) {
  bool const is_judged = !file.is_binary && file.bytes_before >= kOverwritten && is_code(file.path) &&
                         !is_test(file.from) && manifests_of(file.path).empty() &&
                         !is_of_kind(file.path, PathKind::generated);
  return is_judged && (file.bytes_before - file.bytes_lost) * kEmptied <= file.bytes_before;
}

/// A file of code that is renamed to what is no code is emptied in effect.
std::int64_t is_emptied(LandedFile const& file, LandedChange const&) {
  if (file.is_submodule) return 0;
  if (file.fate == Fate::renamed) return !is_test(file.from) && !stays_code(file.from, file.path);
  bool const is_elsewhere = !file.is_binary && file.bytes_lost * 2 < file.bytes_before;
  bool const keeps_nothing = !is_elsewhere && file.bytes_after * kEmptied <= file.bytes_before;
  return file.fate == Fate::changed && file.bytes_before >= kSmallFile &&
         (keeps_nothing || is_overwritten(file));
}

std::int64_t is_moved(LandedFile const& file, LandedChange const&) { return file.is_uprooted; }

std::int64_t is_reverted(LandedFile const& file, LandedChange const&) { return file.is_reverted; }

std::int64_t is_outside(LandedFile const& file, LandedChange const& change) {
  return !change.touches.empty() && !any_overlap({file.path}, change.touches);
}

std::int64_t test_lines_lost(LandedFile const& file, LandedChange const&) {
  return is_test(file.from) ? std::max<std::int64_t>(0, file.lines_lost) : 0;
}

/// A file of tests that goes with its assertions, or that no test runner takes for one any more.
std::int64_t is_lost_test(LandedFile const& file, LandedChange const&) {
  if (!is_test(file.from)) return 0;
  if (file.fate == Fate::renamed) return !stays_test(file.from, file.path);
  return file.fate == Fate::deleted && file.assertions_lost > 0;
}

std::int64_t assertions_lost(LandedFile const& file, LandedChange const&) {
  return is_test(file.from) ? std::max<std::int64_t>(0, file.assertions_lost) : 0;
}

std::int64_t weak_lines(LandedFile const& file, LandedChange const&) { return file.weak_lines; }

std::int64_t is_generated(LandedFile const& file, LandedChange const&) {
  if (!is_new_content(file)) return 0;
  return is_of_kind(file.path, PathKind::generated) ||
         (file.fate == Fate::added && is_of_kind(file.path, PathKind::generated_when_new));
}

/// True when the change has a manifest in the folder of a lock file or below it.
bool has_manifest(LandedChange const& change, std::string_view lock) {
  auto const manifests = manifests_of(lock);
  auto const folder = folder_of_path(lock);
  return std::ranges::any_of(change.files, [&](LandedFile const& other) {
    return other.path.starts_with(folder) && std::ranges::any_of(manifests, [&](std::string_view manifest) {
             return is_manifest(other.path, manifest);
           });
  });
}

std::int64_t is_lone_lock(LandedFile const& file, LandedChange const& change) {
  return !manifests_of(file.path).empty() && !has_manifest(change, file.path);
}

std::int64_t is_secret(LandedFile const& file, LandedChange const&) {
  return is_new_content(file) && (file.secret_lines > 0 || is_of_kind(file.path, PathKind::secret));
}

std::int64_t lines_changed(LandedFile const& file, LandedChange const&) {
  return file.lines_added + file.lines_removed;
}

/// Text that is changed counts by its growth: its lines count by themselves.
std::int64_t new_bytes(LandedFile const& file, LandedChange const&) {
  bool const is_all_new = file.fate == Fate::added || (file.fate == Fate::changed && file.is_binary);
  if (is_all_new) return file.bytes_after;
  return std::max<std::int64_t>(0, file.bytes_after - file.bytes_before);
}

std::int64_t is_new_binary(LandedFile const& file, LandedChange const&) {
  return file.is_binary && !file.is_submodule && (file.fate == Fate::added || file.fate == Fate::changed);
}

std::int64_t is_submodule(LandedFile const& file, LandedChange const&) {
  return file.is_submodule || file.path == ".gitmodules";
}

std::int64_t hidden_lines(LandedFile const& file, LandedChange const&) { return file.hidden_lines; }
std::int64_t is_odd(LandedFile const& file, LandedChange const&) { return !file.oddity.empty(); }
std::int64_t counts_elsewhere(LandedFile const&, LandedChange const&) { return 0; }

bool is_executed(std::string const& path, LandedChange const& change, std::vector<std::string> const& paths) {
  return !executor_of(path).empty() || is_read_by(path, change.tools) ||
         std::ranges::find(change.check_files, path) != change.check_files.end() ||
         (!paths.empty() && any_overlap({path}, paths));
}

/// One limit: how much a file counts under it, and the sentence about that.
struct GateRow {
  std::int64_t LandLimits::* most;
  std::string_view limit;
  std::int64_t (*count)(LandedFile const&, LandedChange const&);
  std::string_view one;      ///< behind the number, for one
  std::string_view many;     ///< behind any other number
  Kind shown = Kind::plain;  ///< of the lines that a person sees
};
constexpr std::array kGates{
    GateRow{&LandLimits::deleted_files, "deleted_files", &is_deleted, "file deleted", "files deleted"},
    GateRow{&LandLimits::deleted_percent, "deleted_percent", &is_deleted, "percent of all files deleted",
            "percent of all files deleted"},
    GateRow{&LandLimits::emptied_files, "emptied_files", &is_emptied,
            "file emptied, overwritten or renamed to what is no code",
            "files emptied, overwritten or renamed to what is no code"},
    GateRow{&LandLimits::moved_files, "moved_files", &is_moved, "file moved away with its whole top folder",
            "files moved away with their whole top folder"},
    GateRow{&LandLimits::reverted_files, "reverted_files", &is_reverted,
            "file set back to what it was before others changed it",
            "files set back to what they were before others changed them"},
    GateRow{&LandLimits::outside_touches, "outside_touches", &is_outside, "file outside the task's touches",
            "files outside the task's touches"},
    GateRow{&LandLimits::test_lines, "test_lines", &test_lines_lost, "line of tests removed",
            "lines of tests removed"},
    GateRow{&LandLimits::lost_tests, "lost_tests", &is_lost_test, "test gone", "tests gone"},
    GateRow{&LandLimits::lost_assertions, "lost_assertions", &assertions_lost, "assertion of tests gone",
            "assertions of tests gone", Kind::assertion},
    GateRow{&LandLimits::weak_tests, "weak_tests", &weak_lines,
            "line that skips a test or asserts what is always true",
            "lines that skip tests or assert what is always true", Kind::weak},
    GateRow{&LandLimits::generated_files, "generated_files", &is_generated, "generated or vendored file",
            "generated or vendored files"},
    GateRow{&LandLimits::lock_files, "lock_files", &is_lone_lock, "lock file changed without its manifest",
            "lock files changed without their manifests"},
    GateRow{&LandLimits::secret_files, "secret_files", &is_secret, "file that looks like a secret",
            "files that look like secrets", Kind::secret},
    GateRow{&LandLimits::secret_commits, "secret_commits", &counts_elsewhere,
            "place in the history of the work that looks like a secret",
            "places in the history of the work that look like secrets"},
    GateRow{&LandLimits::hidden_text, "hidden_text", &hidden_lines,
            "line with text that a reader does not see", "lines with text that a reader does not see",
            Kind::hidden},
    GateRow{&LandLimits::odd_files, "odd_files", &is_odd, "link, program or file with a misleading name",
            "links, programs or files with misleading names", Kind::odd},
    GateRow{&LandLimits::lines, "lines", &lines_changed, "line changed", "lines changed"},
    GateRow{&LandLimits::bytes, "bytes", &new_bytes, "byte of new content", "bytes of new content"},
    GateRow{&LandLimits::binary_files, "binary_files", &is_new_binary, "binary file", "binary files"},
    GateRow{&LandLimits::submodules, "submodules", &is_submodule, "submodule changed", "submodules changed"},
    GateRow{&LandLimits::check_files, "check_files", &counts_elsewhere,
            "file changed that checks, CI, agents, editors or package managers execute",
            "files changed that checks, CI, agents, editors or package managers execute", Kind::obeyed},
};

/// Rounded up, so that no share above a limit passes.
std::int64_t percent_of(std::int64_t part, std::int64_t whole) {
  return whole < kFewFiles ? 0 : (100 * part + whole - 1) / whole;
}

/// The lines of a file as a person reads them.
void add_lines(LandedFile const& file, Kind kind, std::vector<std::string>& out) {
  for (auto const& line : file.lines) {
    if (line.kind != kind || out.size() == kMostNamed) continue;
    auto const number = line.number > 0 ? ":" + std::to_string(line.number) : std::string{};
    out.push_back(visible_line(file.path + number + ": " + line.text));
  }
}

LandFinding measured(GateRow const& row, LandedChange const& change, LandLimits const& limits) {
  auto const most = limits.*row.most;
  LandFinding out{std::string{row.limit}, 0, most, {}, {}, {}};
  for (auto const& file : change.files) {
    bool const is_of_checks = row.most == &LandLimits::check_files;
    auto const count = is_of_checks ? is_check(file, change, limits.check_paths) : row.count(file, change);
    out.count += count;
    if (count <= 0) continue;
    if (out.files.size() < kMostNamed) out.files.push_back(file.path);
    if (row.shown != Kind::plain) add_lines(file, row.shown, out.lines);
    if (is_of_checks) add_lines(file, Kind::plain, out.lines);
    out.content += file.path + '\n' + file.digest + '\n';
  }
  if (row.most == &LandLimits::deleted_percent) out.count = percent_of(out.count, change.files_before);
  if (change.is_cut) out.count = std::max(out.count, most + 1);
  return out;
}

bool is_allowed(LandFinding const& found, LandFinding const& allowed) {
  return found.limit == allowed.limit && found.content == allowed.content;
}

std::string names_in_words(std::vector<std::string> const& files) {
  std::string out;
  auto const shown = std::span{files}.first(std::min(files.size(), kMostShown));
  for (auto const& file : shown) out += (out.empty() ? "" : ", ") + visible_line(file);
  return files.size() > kMostShown ? out + ", …" : out;
}

std::string_view words_of(LandFinding const& found) {
  bool const is_one = found.count == 1;
  if (found.limit == kKnownSecrets)
    return is_one ? "place in the history of the work with a secret of this machine"
                  : "places in the history of the work with secrets of this machine";
  if (found.limit == kOldChecks)
    return is_one ? "check that passes only with its files as the work changes them"
                  : "checks that pass only with their files as the work changes them";
  if (found.limit == kUnknownTests) return "comparison of tests that could not be made";
  if (found.limit == kLeftOut) return is_one ? "path of the work left out" : "paths of the work left out";
  auto const row = std::ranges::find(kGates, found.limit, &GateRow::limit);
  if (row == kGates.end()) return found.limit;
  return is_one ? row->one : row->many;
}

constexpr std::array<std::string_view, 13> kInterpreters{
    "sh", "bash", "dash", "zsh", "env", "python", "python3", "node", "deno", "bun", "perl", "ruby", "php"};

std::string as_path(std::string_view word) {
  while (word.starts_with("./")) word.remove_prefix(2);
  return std::string{word};
}

}  // namespace

std::vector<LandFinding> findings_of(LandedChange const& change, LandLimits const& limits) {
  std::vector<LandFinding> out;
  for (auto const& row : kGates) {
    auto const most = limits.*row.most;
    if (most < 0) continue;
    auto found = measured(row, change, limits);
    if (found.count > most) out.push_back(std::move(found));
  }
  return out;
}

bool is_check(LandedFile const& file, LandedChange const& change, std::vector<std::string> const& paths) {
  bool const has_obeyed = std::ranges::find(file.lines, Kind::obeyed, &LandedLine::kind) != file.lines.end();
  return has_obeyed || is_executed(file.path, change, paths) || is_executed(file.from, change, paths);
}

LandFinding left_out_of(std::int64_t count, std::vector<std::string> const& first) {
  auto const named = std::min(first.size(), kMostNamed);
  LandFinding out{std::string{kLeftOut}, count, 0, {}, {}, {}};
  out.files.assign(first.begin(), first.begin() + static_cast<std::ptrdiff_t>(named));
  for (auto const& path : first) out.content += path + '\n';
  return out;
}

LandFinding finding_of(std::string_view limit, std::int64_t count, std::vector<std::string> lines) {
  LandFinding out{std::string{limit}, count, 0, {}, {}, {}};
  if (lines.size() > kMostNamed) lines.resize(kMostNamed);
  out.lines = std::move(lines);
  return out;
}

bool is_about_history(LandFinding const& finding) {
  return finding.limit == "secret_commits" || finding.limit == kKnownSecrets;
}

bool is_about_secrets(LandFinding const& finding) {
  return finding.limit == "secret_files" || is_about_history(finding);
}

void add_lost_tests(std::vector<LandFinding>& findings, LandLimits const& limits,
                    std::vector<std::string> const& lost) {
  if (limits.lost_tests < 0 || static_cast<std::int64_t>(lost.size()) <= limits.lost_tests) return;
  auto row = std::ranges::find(findings, "lost_tests", &LandFinding::limit);
  if (row == findings.end()) {
    findings.push_back({"lost_tests", 0, limits.lost_tests, {}, {}, {}});
    row = std::prev(findings.end());
  }
  row->count += static_cast<std::int64_t>(lost.size());
  for (auto const& line : lost) {
    if (row->lines.size() < kMostNamed) row->lines.push_back(line);
    row->content += line + '\n';
  }
}

std::vector<LandFinding> beyond(std::vector<LandFinding> found, std::vector<LandFinding> const& allowed) {
  std::erase_if(found, [&](LandFinding const& one) {
    return std::ranges::any_of(allowed, [&](LandFinding const& other) { return is_allowed(one, other); });
  });
  return found;
}

std::string in_words(std::vector<LandFinding> const& findings) {
  std::string out;
  for (auto const& found : findings) {
    auto const what = words_of(found);
    out += (out.empty() ? "" : "; ") + std::to_string(found.count) + " " + std::string{what} + " (at most " +
           std::to_string(found.most) + ")";
    if (!found.files.empty()) out += ": " + names_in_words(found.files);
  }
  return out;
}

std::vector<std::string> files_of_check(std::vector<std::string> const& command) {
  std::vector<std::string> out;
  if (command.empty()) return out;
  out.push_back(as_path(command.front()));
  if (std::ranges::find(kInterpreters, name_of_path(command.front())) == kInterpreters.end()) return out;
  auto const script = std::ranges::find_if(command.begin() + 1, command.end(),
                                           [](std::string const& word) { return !word.starts_with('-'); });
  if (script != command.end()) out.push_back(as_path(*script));
  return out;
}

}  // namespace andon::core
