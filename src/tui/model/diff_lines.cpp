// A unified diff, drawn with the words that differ.
//
// A block of removed lines and the block of added lines right after it stand for each other line by line. Two
// such lines are split into words; the longest common subsequence of the words stays plain, and what is in
// one line only is drawn in reverse. Lines of too many words, or with nothing in common, are drawn without
// marks.
#include <algorithm>

#include "tui/model/look.hpp"
#include "tui/model/pages.hpp"

namespace andon::tui {
namespace {

using Words = std::vector<std::string>;

constexpr std::size_t kMostWords = 200;
constexpr std::size_t kMostLines = 100'000;

bool is_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         (static_cast<unsigned char>(c) & 0x80U) != 0;
}

Words words_of(std::string_view line) {
  Words out;
  for (std::size_t i = 0; i < line.size();) {
    auto end = i + 1;
    while (is_word(line[i]) && end < line.size() && is_word(line[end])) ++end;
    out.emplace_back(line.substr(i, end - i));
    i = end;
  }
  return out;
}

void append(PageLine& line, std::string_view text, Style style) {
  if (!line.empty() && line.back().style == style)
    line.back().text += text;
  else
    line.push_back({std::string{text}, style});
}

struct Pair {
  PageLine before, after;
};

/// The words of two lines that belong to their longest common subsequence. The table has a row and a column
/// more than there are words: entry (i, j) is the length of that subsequence of the words from i and j on.
struct Common {
  std::vector<bool> in_a, in_b;
};
Common common_words(Words const& a, Words const& b) {
  auto const width = b.size() + 1;
  std::vector<std::uint16_t> length((a.size() + 1) * width, 0);
  for (auto i = a.size(); i-- > 0;)
    for (auto j = b.size(); j-- > 0;)
      length[i * width + j] = a[i] == b[j] ? static_cast<std::uint16_t>(length[(i + 1) * width + j + 1] + 1)
                                           : std::max(length[(i + 1) * width + j], length[i * width + j + 1]);
  Common out{std::vector<bool>(a.size()), std::vector<bool>(b.size())};
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i] == b[j])
      out.in_a[i++] = out.in_b[j++] = true;
    else if (length[(i + 1) * width + j] >= length[i * width + j + 1])
      ++i;
    else
      ++j;
  }
  return out;
}

PageLine with_marks(std::string_view sign, Words const& words, std::vector<bool> const& is_common,
                    Style style) {
  PageLine out{{std::string{sign}, style}};
  auto marked = style;
  marked.reverse = true;
  for (std::size_t i = 0; i < words.size(); ++i) append(out, words[i], is_common[i] ? style : marked);
  return out;
}

/// The two lines with their differences marked; without marks where that would help nobody.
Pair marked(std::string_view before, std::string_view after) {
  Pair plain{{{"-" + std::string{before}, kRemoved}}, {{"+" + std::string{after}, kAdded}}};
  auto const a = words_of(before), b = words_of(after);
  if (a.size() > kMostWords || b.size() > kMostWords) return plain;
  auto const common = common_words(a, b);
  bool has_common = false;
  for (std::size_t i = 0; i < a.size(); ++i)
    has_common = has_common || (common.in_a[i] && is_word(a[i].front()));
  if (!has_common) return plain;
  return {with_marks("-", a, common.in_a, kRemoved), with_marks("+", b, common.in_b, kAdded)};
}

/// Appends a block of removed lines and the added ones that replace them.
void flush(Words& removed, Words& added, std::vector<PageLine>& out) {
  auto const paired = std::min(removed.size(), added.size());
  std::vector<PageLine> after;
  for (std::size_t i = 0; i < paired; ++i) {
    auto pair = marked(removed[i], added[i]);
    out.push_back(std::move(pair.before));
    after.push_back(std::move(pair.after));
  }
  for (auto i = paired; i < removed.size(); ++i) out.push_back({{"-" + removed[i], kRemoved}});
  for (auto& line : after) out.push_back(std::move(line));
  for (auto i = paired; i < added.size(); ++i) out.push_back({{"+" + added[i], kAdded}});
  removed.clear();
  added.clear();
}

}  // namespace

std::vector<PageLine> diff_lines(std::string_view diff) {
  std::vector<PageLine> out;
  Words removed, added;
  bool is_in_hunk = false;
  while (!diff.empty() && out.size() < kMostLines) {
    auto const end = std::min(diff.find('\n'), diff.size());
    auto const line = printed_line(diff.substr(0, end));
    diff.remove_prefix(std::min(diff.size(), end + 1));
    if (line.starts_with("diff ")) is_in_hunk = false;
    if (line.starts_with("@@")) is_in_hunk = true;
    if (is_in_hunk && line.starts_with('-') && added.empty()) {
      removed.push_back(line.substr(1));
      continue;
    }
    if (is_in_hunk && line.starts_with('+')) {
      added.push_back(line.substr(1));
      continue;
    }
    flush(removed, added, out);
    if (is_in_hunk && line.starts_with('-'))
      removed.push_back(line.substr(1));
    else if (line.starts_with("@@"))
      out.push_back({{line, kLink}});
    else
      out.push_back({{line, is_in_hunk ? Style{} : kStrong}});
  }
  flush(removed, added, out);
  if (!diff.empty()) out.push_back({{"… the rest of the change is not shown", kFaint}});
  return out;
}

}  // namespace andon::tui
