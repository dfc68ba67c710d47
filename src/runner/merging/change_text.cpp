// The patch is read twice. First the lines that the change adds and removes are counted over all files, by a
// hash of each line without the blanks around it. In the second pass a removed line that the change adds
// somewhere is moved, not lost. A line of a test counts as moved only into another test, so that assertions
// cannot be kept in a text that nobody runs.
#include "runner/merging/change_text.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <unordered_map>

#include "core/runs/hidden_text.hpp"
#include "core/runs/path_kinds.hpp"
#include "core/runs/test_lines.hpp"
#include "os/digest.hpp"
#include "runner/merging/patch_lines.hpp"
#include "runner/output/plain_text.hpp"
#include "runner/secrets/history_secrets.hpp"
#include "runner/secrets/secret_rules.hpp"

namespace andon::runner {
namespace {

using core::LandedFile;
using core::LandedLine;
using core::TestLine;
using Kind = LandedLine::Kind;

constexpr std::size_t kMostLinesOfKind = 20;  ///< of one file
constexpr std::size_t kMostPlainLines = 6;
constexpr std::size_t kLongestShown = 200;
constexpr std::size_t kTrivial = 4;                  ///< a shorter line stands in every file
constexpr std::size_t kMostExamined = 1024U << 20U;  ///< bytes that expressions look at
constexpr std::size_t kLongestTold = 4'096;          ///< a longer line is no line of a test

std::string_view without_blanks_around(std::string_view line) {
  auto const first = line.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
}

/// Lines by their hash, with the number of times that they are still to be matched.
class LineCounts {
 public:
  void add(std::string_view line) { ++counts_[std::hash<std::string_view>{}(line)]; }
  bool take(std::string_view line) {
    auto const found = counts_.find(std::hash<std::string_view>{}(line));
    if (found == counts_.end() || found->second == 0) return false;
    --found->second;
    return true;
  }

 private:
  std::unordered_map<std::size_t, int> counts_;
};

struct ChangeLines {
  LineCounts added;
  LineCounts added_to_tests;
  LineCounts removed;
};

/// The files of a patch in the order of their entries. A change of type has two headers.
class FileOrder {
 public:
  explicit FileOrder(std::vector<ChangedEntry> const& entries) : entries_(entries) {}

  /// The index of the file of the next header; nothing when there is none.
  std::optional<std::size_t> next() {
    if (is_half_) {
      is_half_ = false;
      return at_ - 1;
    }
    if (at_ == entries_.size()) return std::nullopt;
    is_half_ = entries_[at_].status == 'T';
    return at_++;
  }
  bool is_complete() const { return at_ == entries_.size() && !is_half_; }

 private:
  std::vector<ChangedEntry> const& entries_;
  std::size_t at_ = 0;
  bool is_half_ = false;
};

bool is_test_file(std::string const& path) { return core::is_of_kind(path, core::PathKind::test); }

std::optional<ChangeLines> count_lines_of(std::string_view patch, std::vector<ChangedEntry> const& entries) {
  ChangeLines out;
  FileOrder order{entries};
  bool is_test = false;
  PatchLines::Line line;
  for (PatchLines lines{patch}; lines.next(line);) {
    if (line.kind == PatchLines::Kind::file) {
      auto const file = order.next();
      if (!file) return std::nullopt;
      is_test = is_test_file(entries[*file].path);
      continue;
    }
    auto const text = without_blanks_around(line.text);
    if (text.size() < kTrivial || line.kind == PatchLines::Kind::context) continue;
    if (line.kind == PatchLines::Kind::removed) out.removed.add(text);
    if (line.kind == PatchLines::Kind::added) out.added.add(text);
    if (line.kind == PatchLines::Kind::added && is_test) out.added_to_tests.add(text);
  }
  if (!order.is_complete()) return std::nullopt;
  return out;
}

std::size_t indentation_of(std::string_view line) {
  return std::min(line.find_first_not_of(" \t"), line.size());
}

/// True for a line that can be reached although one before it in the same column ends the block.
bool is_reached_otherwise(std::string_view text) {
  static constexpr std::string_view kBeginnings[] = {
      "}", ")",  "]",    "end", "else", "elif", "except", "finally", "case",  "default",   "def ",  "class ",
      "@", "fi", "done", ";;",  "#",    "//",   "/*",     "*",       "func ", "async def", "catch", "rescue"};
  return std::ranges::any_of(kBeginnings, [&](std::string_view begin) { return text.starts_with(begin); });
}

/// A file by its names before and after.
struct FileKind {
  bool was_test;
  bool is_test;
  bool is_rust;  ///< its tests stand beside the code
};

/// The lines that a file gains, with their numbers.
struct AddedLines {
  std::string text;
  std::vector<std::int64_t> numbers;
};

/// Reads the lines of one file after the other.
class FileText {
 public:
  FileText(ChangedEntry const& entry, LandedFile& file, ChangeLines& lines)
      : file_(file),
        lines_(lines),
        hidden_(entry.path),
        kind_{is_test_file(entry.from), is_test_file(entry.path), entry.path.ends_with(".rs")},
        path_(entry.path) {
    changes_ = entry.path + '\n' + entry.status + entry.mode_before + entry.mode_after + '\n';
    bool const has_lines = !entry.is_binary && !entry.is_submodule;
    if (!has_lines) changes_ += entry.after;
  }

  void take(PatchLines::Line const& line) {
    auto const text = without_blanks_around(line.text);
    judge_line_behind_end(line, text);
    if (line.kind == PatchLines::Kind::context) return;
    bool const is_added = line.kind == PatchLines::Kind::added;
    (changes_ += is_added ? '+' : '-').append(line.text) += '\n';
    show(Kind::plain, kMostPlainLines, line, (is_added ? "+ " : "- ") + shown(text));
    if (is_added)
      take_added(line, text);
    else
      take_removed(line, text);
  }

  /// Adds the lines with secrets.
  void end(std::set<std::string>& secrets, SecretEffort& effort) {
    find_secrets(secrets, effort);
    file_.digest = os::hex(os::sha256(changes_));
    file_.lines_lost -= lines_gained_;
    file_.assertions_lost -= assertions_gained_;
  }

 private:
  static std::string shown(std::string_view text) { return as_utf8(head(text, kLongestShown)); }

  void show(Kind kind, std::size_t most, PatchLines::Line const& line, std::string text) {
    auto& shown = shown_[static_cast<std::size_t>(kind)];
    if (shown++ < most) file_.lines.push_back({kind, line.number, std::move(text)});
  }

  static TestLine told(std::string_view text) {
    return text.size() > kLongestTold ? TestLine::other : core::test_line_of(text);
  }

  void take_removed(PatchLines::Line const& line, std::string_view text) {
    bool const is_moved =
        text.size() >= kTrivial && (kind_.was_test ? lines_.added_to_tests : lines_.added).take(text);
    if (is_moved) return;
    file_.bytes_lost += static_cast<std::int64_t>(line.text.size()) + 1;
    if (text.size() < kTrivial) return;
    ++file_.lines_lost;
    if (!kind_.was_test || told(text) != TestLine::assertion) return;
    ++file_.assertions_lost;
    show(Kind::assertion, kMostLinesOfKind, line, shown(text));
  }

  void take_added(PatchLines::Line const& line, std::string_view text) {
    (added_.text += line.text) += '\n';
    added_.numbers.push_back(line.number);
    bool const is_moved = text.size() >= kTrivial && lines_.removed.take(text);
    if (is_moved) return;
    if (auto const hidden = hidden_.in(line.text); !hidden.empty()) {
      ++file_.hidden_lines;
      show(Kind::hidden, kMostLinesOfKind, line, hidden);
    }
    if (text.size() >= kTrivial) ++lines_gained_;
    take_test_line(line, text);
  }

  void take_test_line(PatchLines::Line const& line, std::string_view text) {
    if (!kind_.is_test && !kind_.is_rust) return;
    auto const part = told(text);
    bool const is_weak = part == TestLine::truth ||
                         (part == TestLine::skip && (kind_.is_test || text.starts_with("#[ignore")));
    if (is_weak) {
      ++file_.weak_lines;
      show(Kind::weak, kMostLinesOfKind, line, shown(text));
    }
    if (kind_.is_test && part == TestLine::assertion) ++assertions_gained_;
    if (kind_.is_test && core::ends_block(text)) end_ = {line.number, indentation_of(line.text), shown(text)};
  }

  /// A line in the column of an added `return` just before it is never reached.
  void judge_line_behind_end(PatchLines::Line const& line, std::string_view text) {
    if (end_.number == 0 || line.kind == PatchLines::Kind::removed) return;
    bool const is_behind = line.number == end_.number + 1 && !text.empty() &&
                           indentation_of(line.text) == end_.indentation && end_.indentation > 0 &&
                           !is_reached_otherwise(text);
    if (is_behind) {
      ++file_.weak_lines;
      show(Kind::weak, kMostLinesOfKind, {line.kind, end_.number, {}}, end_.text);
    }
    end_ = {};
  }

  void find_secrets(std::set<std::string>& secrets, SecretEffort& effort) {
    std::optional<std::size_t> last;  // two rules may know one token
    for (auto const& hit : SecretRules::embedded().in_text(path_, added_.text, effort)) {
      if (hit.line >= added_.numbers.size() || hit.line == last) continue;
      last = hit.line;
      auto rest = std::string_view{added_.text};
      for (auto line = hit.line; line > 0; --line) rest.remove_prefix(rest.find('\n') + 1);
      secrets.insert(path_ + '\n' + digest_of_line(rest.substr(0, rest.find('\n'))));
      ++file_.secret_lines;
      show(Kind::secret, kMostLinesOfKind, {PatchLines::Kind::added, added_.numbers[hit.line], {}},
           "looks like a secret: " + hit.rule);
    }
  }

  struct BlockEnd {
    std::int64_t number = 0;
    std::size_t indentation = 0;
    std::string text{};
  };

  LandedFile& file_;
  ChangeLines& lines_;
  core::HiddenText hidden_;
  FileKind kind_;
  std::string path_;  ///< raw
  std::string changes_;
  AddedLines added_;
  std::int64_t lines_gained_ = 0;
  std::int64_t assertions_gained_ = 0;
  BlockEnd end_{};
  std::array<std::size_t, 8> shown_{};
};

}  // namespace

std::optional<std::set<std::string>> read_change_text(std::string_view patch,
                                                      std::vector<ChangedEntry> const& entries,
                                                      std::vector<LandedFile>& files) {
  auto lines = count_lines_of(patch, entries);
  if (!lines) return std::nullopt;
  std::set<std::string> secrets;
  SecretEffort effort{.left = kMostExamined};
  FileOrder order{entries};
  std::optional<FileText> text;
  std::optional<std::size_t> at;
  PatchLines::Line line;
  PatchLines reader{patch};
  while (reader.next(line)) {
    if (line.kind != PatchLines::Kind::file) {
      if (text) text->take(line);
      continue;
    }
    auto const next = order.next();
    if (next == at) continue;  // the second half of a change of type
    if (text) text->end(secrets, effort);
    at = next;
    text.emplace(entries[*at], files[*at], *lines);
  }
  if (text) text->end(secrets, effort);
  if (effort.is_spent || !reader.is_clear()) return std::nullopt;
  return secrets;
}

}  // namespace andon::runner
