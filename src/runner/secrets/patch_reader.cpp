#include "runner/secrets/patch_reader.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "runner/git/hunk_head.hpp"

namespace andon::runner {
namespace {

/// Lines that git prints between the name of a file and its hunks. A binary file would be one that nobody
/// read.
constexpr std::array<std::string_view, 10> kHeads{
    "index ",    "--- ",  "+++ ", "new file mode ",   "deleted file mode ", "old mode ",
    "new mode ", "mode ", "\\ ",  "similarity index "};

/// A name in quotes as C has them, without the quotes.
std::string unquoted(std::string_view text) {
  constexpr std::string_view kLetters = "abtnvfr";
  constexpr std::string_view kCodes = "\a\b\t\n\v\f\r";
  if (text.size() < 2 || !text.starts_with('"') || !text.ends_with('"')) return std::string{text};
  text = text.substr(1, text.size() - 2);
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '\\' || at + 1 == text.size()) {
      out += text[at];
      continue;
    }
    ++at;
    unsigned code = 0;
    auto const digits = text.substr(at, 3);
    if (std::from_chars(digits.data(), digits.data() + digits.size(), code, 8).ptr == digits.data() + 3) {
      out += static_cast<char>(code);
      at += 2;
    } else if (auto const letter = kLetters.find(text[at]); letter != std::string_view::npos) {
      out += kCodes[letter];
    } else {
      out += text[at];
    }
  }
  return out;
}

/// The path in the head of a file. Without renames both names of `diff --git` are the same.
std::optional<std::string> path_in(std::string_view line) {
  constexpr std::string_view kPlain = "diff --git ";
  for (std::string_view const merged : {"diff --combined ", "diff --cc "})
    if (line.starts_with(merged)) return unquoted(line.substr(merged.size()));
  if (!line.starts_with(kPlain)) return std::nullopt;
  line.remove_prefix(kPlain.size());
  auto const name = unquoted(line.substr(line.size() / 2 + 1));
  return name.starts_with("b/") ? std::optional{name.substr(2)} : std::nullopt;
}

}  // namespace

PatchReader::PatchReader(std::string mark, std::function<void(BroughtText const&)> take)
    : mark_(std::move(mark)), take_(std::move(take)) {}

std::vector<std::string> PatchReader::arguments() const {
  return {"log",
          "--no-walk=unsorted",
          "--patch",
          "--text",
          "--unified=0",
          "--inter-hunk-context=0",
          "--root",
          "--diff-merges=combined",
          "--no-renames",
          "--irreversible-delete",
          "--no-ext-diff",
          "--no-textconv",
          "--no-relative",
          "--no-color",
          "--no-notes",
          "--no-mailmap",
          "--no-show-signature",
          "--no-decorate",
          "--ignore-submodules=all",
          "--submodule=short",
          "--src-prefix=a/",
          "--dst-prefix=b/",
          "--format=tformat:" + mark_ + "%H%n%B%n%an <%ae>%n%cn <%ce>%n" + mark_};
}

bool PatchReader::read(std::string_view output) {
  bool is_clear = true;
  while (!output.empty()) {
    auto const line = output.substr(0, output.find('\n'));
    output.remove_prefix(std::min(output.size(), line.size() + 1));
    is_clear = read_line(line) && is_clear;
  }
  end_text();
  return is_clear && (state_ == State::before || state_ == State::heads);
}

bool PatchReader::read_line(std::string_view line) {
  if (state_ == State::hunk) return read_content(line);
  if (line == mark_ && state_ == State::message) {
    end_text();
    state_ = State::heads;
    return true;
  }
  if (line.starts_with(mark_)) {
    begin_commit(line);
    return true;
  }
  if (state_ == State::message) {
    text_.append(line).push_back('\n');
    return true;
  }
  return read_head(line);
}

void PatchReader::begin_commit(std::string_view line) {
  state_ = State::message;
  commit_ = line.substr(mark_.size());
  path_.clear();
  text_line_ = 1;
}

bool PatchReader::read_head(std::string_view line) {
  if (state_ == State::before) return false;
  if (line.empty()) return true;
  if (line.starts_with("diff ")) {
    auto path = path_in(line);
    path_ = path.value_or("");
    return path.has_value();
  }
  if (line.starts_with("@@")) return begin_hunk(line);
  if (line.starts_with("new file mode ")) take_({commit_, path_, 0, path_});
  return std::ranges::any_of(kHeads, [&](std::string_view head) { return line.starts_with(head); });
}

bool PatchReader::begin_hunk(std::string_view line) {
  auto const head = hunk_head(line);
  if (!head) return false;
  old_left_.clear();
  for (auto const& before : head->before) old_left_.push_back(before.count);
  line_ = head->after.first;
  new_left_ = head->after.count;
  state_ = State::hunk;
  return true;
}

/// One line of a hunk. Before it stands a column for each parent: `+` where the parent lacks a line of the
/// new file, `-` where it has a line that is gone.
bool PatchReader::read_content(std::string_view line) {
  if (line.starts_with('\\')) return true;  // the line before has no end
  auto const columns = line.substr(0, old_left_.size());
  bool const is_gone = columns.contains('-');
  bool const is_brought =
      columns.size() == old_left_.size() && columns.find_first_not_of('+') == std::string_view::npos;
  for (std::size_t i = 0; i < old_left_.size(); ++i) {
    auto const column = i < columns.size() ? columns[i] : ' ';
    if (is_gone ? column == '-' : column == ' ') --old_left_[i];
  }
  if (is_brought && text_.empty()) text_line_ = line_;
  if (is_brought) text_.append(line.substr(columns.size())).push_back('\n');
  if (!is_brought) end_text();
  if (!is_gone) {
    --new_left_;
    ++line_;
  }
  bool const is_over = new_left_ <= 0 && std::ranges::all_of(old_left_, [](auto left) { return left <= 0; });
  if (is_over) {
    end_text();
    state_ = State::heads;
  }
  return new_left_ >= 0 && std::ranges::all_of(old_left_, [](auto left) { return left >= 0; });
}

void PatchReader::end_text() {
  if (!text_.empty()) take_({commit_, path_, text_line_, text_});
  text_.clear();
}

}  // namespace andon::runner
