// Two texts are alike when they have most of their words in common: the number of words that both have,
// divided by the number of words that one of them has (the Jaccard index).
//
// The index finds such texts by MinHash (Broder 1997): the smallest of the numbers that a hash function gives
// to the words of a set is the same for two sets with a chance equal to their Jaccard index. A key joins two
// such numbers, and a sketch has several keys. Each key also contains the marks of the title, so that the
// tasks of a series, such as "Translate page 1" and "Translate page 2", do not meet.

#include "core/tasks/likeness.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <span>
#include <string_view>

#include "core/model/task.hpp"
#include "core/text/ascii.hpp"
#include "core/text/folded_words.hpp"
#include "core/text/lower_case.hpp"

namespace andon::core {
namespace {

using Words = std::vector<std::uint64_t>;

constexpr std::size_t kMostBytes = 64 << 10;
constexpr std::size_t kMostWords = 2'000;
constexpr std::size_t kMostReferences = 64;
constexpr std::size_t kLongestReference = 256;
constexpr std::uint64_t kTitleKeys = 4;
constexpr std::uint64_t kTextKeys = 6;

constexpr double kAlikeTexts = 0.7;
constexpr double kRelatedTitles = 0.5;
constexpr double kAlikeTitles = 0.8;
constexpr double kAlikeBriefs = 0.5;

/// Words that say nothing about the work, in order.
constexpr std::array<std::string_view, 40> kStopWords{
    "a",   "all",  "also", "an", "and",  "are", "as",   "at",    "be",   "by",   "can", "do",  "for", "from",
    "has", "have", "if",   "in", "into", "is",  "it",   "its",   "of",   "on",   "or",  "our", "so",  "that",
    "the", "then", "this", "to", "was",  "we",  "when", "where", "will", "with", "you", "your"};
static_assert(std::ranges::is_sorted(kStopWords));

/// The finalizer of SplitMix64.
std::uint64_t mixed(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}

/// FNV-1a.
std::uint64_t number_of(std::string_view text) {
  std::uint64_t out = 0xcbf29ce484222325;
  for (char const c : text) out = (out ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return mixed(out);
}

std::uint64_t number_of(Words const& words) {
  std::uint64_t out = words.size();
  for (auto const word : words) out = mixed(out ^ word);
  return out;
}

template <class T>
void make_set(std::vector<T>& values) {
  std::ranges::sort(values);
  values.erase(std::ranges::unique(values).begin(), values.end());
}

std::string without_plural(std::string word) {
  constexpr std::array<std::string_view, 5> kHissing{"ches", "shes", "sses", "xes", "zes"};
  bool const is_plural = word.size() > 3 && word.ends_with('s') && !word.ends_with("ss");
  bool const is_long = std::ranges::any_of(kHissing, [&](auto ending) { return word.ends_with(ending); });
  if (is_plural) word.resize(word.size() - (is_long ? 2 : 1));
  return word;
}

/// The first words of a text that say something, or all of its first words when none does.
std::vector<std::string> telling_words(std::string_view text) {
  std::vector<std::string> out, all;
  FoldedWords words{text.substr(0, kMostBytes)};
  for (std::size_t n = 0; n < kMostWords && words.next(); ++n) {
    all.push_back(without_plural(words.word()));
    if (!std::ranges::binary_search(kStopWords, words.word())) out.push_back(all.back());
  }
  return out.empty() ? all : out;
}

Words set_of(std::vector<std::string> const& words) {
  Words out;
  for (auto const& word : words) out.push_back(number_of(word));
  make_set(out);
  return out;
}

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

std::string_view next_token(std::string_view& text) {
  auto const first = std::ranges::find_if_not(text, is_space);
  auto const end = std::find_if(first, text.end(), is_space);
  std::string_view const out{first, end};
  text = {end, text.end()};
  return out;
}

/// The token without the punctuation around it.
std::string_view core_of(std::string_view token) {
  constexpr std::string_view kBefore = "\"'`([{<*_", kAfter = "\"'`)]}>*_,;:!?.";
  token.remove_prefix(std::min(token.find_first_not_of(kBefore), token.size()));
  return token.substr(0, token.find_last_not_of(kAfter) + 1);
}

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

/// True for `parser.cpp` and `src/parser.cpp`; false for `1.2`, `e.g` and `and/or`.
bool names_file(std::string_view token) {
  auto const name = file_name(token);
  auto const dot = name.rfind('.');
  if (dot == std::string_view::npos || dot < 2) return false;
  auto const ending = name.substr(dot + 1);
  return !ending.empty() && ending.size() <= 6 && !is_ascii_digit(ending[0]) &&
         std::ranges::all_of(ending, is_ascii_alphanumeric);
}

/// True for `#12`.
bool names_task(std::string_view token) {
  return token.size() > 1 && token[0] == '#' && std::ranges::all_of(token.substr(1), is_ascii_digit);
}

void add_references(std::string_view text, std::vector<std::string>& out) {
  text = text.substr(0, kMostBytes);
  while (!text.empty() && out.size() < kMostReferences) {
    auto const token = core_of(next_token(text)).substr(0, kLongestReference);
    if (names_file(token) || names_task(token)) out.push_back(lower_case(token));
  }
}

/// The numbers of a text, such as `12` and `1.2`.
void add_numbers(std::string_view text, Words& out) {
  std::string number;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    char const c = i < text.size() ? text[i] : ' ';
    bool const is_inner_dot =
        c == '.' && !number.empty() && i + 1 < text.size() && is_ascii_digit(text[i + 1]);
    if (is_ascii_digit(c) || is_inner_dot) {
      number += c;
    } else if (!number.empty()) {
      out.push_back(number_of(number));
      number.clear();
    }
  }
}

Words marks_of(std::string_view title) {
  Words out;
  add_numbers(title, out);
  std::vector<std::string> references;
  add_references(title, references);
  for (auto const& reference : references) out.push_back(number_of(file_name(reference)));
  make_set(out);
  return out;
}

/// The text in small letters with one space between two words.
std::string even(std::string_view text) {
  std::string out;
  while (!text.empty())
    if (auto const token = next_token(text); !token.empty()) out.append(out.empty() ? "" : " ").append(token);
  return lower_case(out);
}

std::size_t in_both(Words const& a, Words const& b) {
  Words out;
  std::ranges::set_intersection(a, b, std::back_inserter(out));
  return out.size();
}

double part(std::size_t some, std::size_t all) {
  return all == 0 ? 0 : static_cast<double>(some) / static_cast<double>(all);
}

double jaccard(Words const& a, Words const& b) {
  auto const both = in_both(a, b);
  return part(both, a.size() + b.size() - both);
}

/// The part of the shorter set that the longer one has, so that more words hide nothing.
double overlap(Words const& a, Words const& b) { return part(in_both(a, b), std::min(a.size(), b.size())); }

/// True for the same path, for a path and its end, and for a path and a pattern that may mean it.
bool refer_alike(std::string_view a, std::string_view b) {
  if (a.size() < b.size()) std::swap(a, b);
  auto const fixed_a = a.substr(0, a.find('*')), fixed_b = b.substr(0, b.find('*'));
  bool const is_pattern = fixed_a.size() < a.size() || fixed_b.size() < b.size();
  if (is_pattern) return fixed_a.starts_with(fixed_b) || fixed_b.starts_with(fixed_a);
  return a == b || (a.ends_with(b) && a[a.size() - b.size() - 1] == '/');
}

bool have_no_common_reference(TaskWords const& a, TaskWords const& b) {
  if (a.references.empty() || b.references.empty()) return false;
  return std::ranges::none_of(a.references, [&](auto const& one) {
    return std::ranges::any_of(b.references, [&](auto const& other) { return refer_alike(one, other); });
  });
}

/// True for words that begin with the same four letters, and for equal ones.
bool begin_alike(std::string_view a, std::string_view b) {
  constexpr std::size_t kStem = 4;
  return a == b || (a.size() >= kStem && b.size() >= kStem && a.substr(0, kStem) == b.substr(0, kStem));
}

/// True for titles that have other words in one place, such as "Test the parser" and "Test the printer".
bool differ_in_one_place(std::vector<std::string> const& a, std::vector<std::string> const& b) {
  std::span<std::string const> one{a}, other{b};
  while (!one.empty() && !other.empty() && one.front() == other.front())
    one = one.subspan(1), other = other.subspan(1);
  while (!one.empty() && !other.empty() && one.back() == other.back())
    one = one.first(one.size() - 1), other = other.first(other.size() - 1);
  if (one.empty() || other.empty()) return false;
  return std::ranges::none_of(one, [&](auto const& word) {
    return std::ranges::any_of(other, [&](auto const& next) { return begin_alike(word, next); });
  });
}

bool contradict(TaskWords const& a, TaskWords const& b) {
  return (a.parent && b.parent && a.parent != b.parent) || a.marks != b.marks ||
         have_no_common_reference(a, b) || differ_in_one_place(a.title, b.title);
}

bool have_alike_texts(TaskWords const& a, TaskWords const& b) {
  auto const titles = jaccard(a.title_set, b.title_set);
  if (jaccard(a.all, b.all) >= kAlikeTexts && titles >= kRelatedTitles) return true;
  bool const may_have_one_brief =
      a.brief.empty() || b.brief.empty() || overlap(a.brief, b.brief) >= kAlikeBriefs;
  return titles >= kAlikeTitles && may_have_one_brief;
}

std::uint64_t smallest(Words const& words, std::uint64_t function) {
  auto out = std::numeric_limits<std::uint64_t>::max();
  for (auto const word : words) out = std::min(out, mixed(word ^ mixed(function)));
  return out;
}

/// Adds keys of two smallest numbers each.
void add_keys(Words const& words, std::uint64_t first, std::uint64_t keys, std::uint64_t marks, Sketch& out) {
  for (auto key = first; key < first + keys; ++key) {
    Words const joined{key, marks, smallest(words, 2 * key), smallest(words, 2 * key + 1)};
    out.push_back(static_cast<std::int64_t>(number_of(joined)));
  }
}

}  // namespace

TaskWords words_of(Task const& task) {
  TaskWords out;
  out.title = telling_words(task.title);
  out.title_set = set_of(out.title);
  out.brief = set_of(telling_words(task.body));
  std::ranges::set_union(out.title_set, out.brief, std::back_inserter(out.all));
  out.marks = marks_of(task.title);
  for (auto const& path : task.touches) out.references.push_back(lower_case(path));
  add_references(task.title, out.references);
  add_references(task.body, out.references);
  out.text = number_of(Words{number_of(even(task.title)), number_of(even(task.body))});
  out.parent = task.parent;
  return out;
}

Sketch sketch_of(TaskWords const& words) {
  Sketch out;
  auto const marks = number_of(words.marks);
  add_keys(words.title_set, 0, kTitleKeys, marks, out);
  if (!words.brief.empty()) add_keys(words.all, kTitleKeys, kTextKeys, marks, out);
  make_set(out);
  return out;
}

Comparison compare(TaskWords const& a, TaskWords const& b) {
  auto const percent = static_cast<int>(100 * jaccard(a.all, b.all));
  if (contradict(a, b)) return {Likeness::different, percent};
  if (a.text == b.text) return {Likeness::equal, 100};
  return {have_alike_texts(a, b) ? Likeness::near : Likeness::different, percent};
}

}  // namespace andon::core
