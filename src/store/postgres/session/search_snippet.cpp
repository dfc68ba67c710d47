#include "store/postgres/session/search_snippet.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <set>
#include <vector>

#include "core/text/folded_words.hpp"

namespace andon::store::postgres {
namespace {

constexpr std::int64_t kWords = 16;
constexpr std::string_view kEllipsis = "…";

/// A found word at a place, the first place being 0.
struct Hit {
  std::int64_t place = 0;
  int word = 0;
};

std::vector<Hit> hits_in(std::string_view places) {
  std::vector<Hit> out;
  int word = 0;
  for (char const *at = places.data(), *const end = at + places.size(); at != end;) {
    std::int64_t place = 0;
    auto const read = std::from_chars(at, end, place);
    if (read.ptr != at)
      out.push_back({place - 1, word});
    else if (*at == ';')
      ++word;
    at = std::max(read.ptr, at + 1);
  }
  std::ranges::sort(out, {}, &Hit::place);
  return out;
}

/// The part of a text that a snippet shows.
struct Window {
  std::int64_t first = 0;  ///< word
  std::int64_t last = 0;
  std::size_t found = 0;  ///< different words in it
};

/// The first window with the most words among the places from `begin` to before `end`.
Window best_window(std::vector<Hit> const& hits, std::int64_t begin, std::int64_t end) {
  Window best;
  for (auto hit = hits.begin(); hit != hits.end(); ++hit) {
    if (hit->place < begin || hit->place >= end) continue;
    std::set<int> found;
    auto last = hit->place;
    for (auto other = hit; other != hits.end() && other->place < std::min(end, hit->place + kWords);
         ++other) {
      found.insert(other->word);
      last = other->place;
    }
    if (found.size() > best.found) best = {hit->place - begin, last - begin, found.size()};
  }
  return best;
}

/// The window with words on both sides of those that were found.
Window widened(Window window, std::int64_t words) {
  auto const room = kWords - (window.last - window.first + 1);
  window.first =
      std::clamp(window.first - room / 2, std::int64_t{0}, std::max(words - kWords, std::int64_t{0}));
  window.last = std::min(window.first + kWords, words) - 1;
  return window;
}

struct Words {
  std::vector<std::size_t> begins, ends;
  std::int64_t count() const { return std::ssize(begins); }
};

Words words_in(std::string_view text) {
  Words out;
  for (core::FoldedWords words{text}; words.next();) {
    out.begins.push_back(words.begin());
    out.ends.push_back(words.end());
  }
  return out;
}

std::string cut(std::string_view text, Words const& words, Window const& window, bool has_before,
                bool has_after) {
  if (words.count() == 0) return std::string{text.substr(0, 0)};
  bool const is_first = window.first == 0, is_last = window.last == words.count() - 1;
  auto const begin = is_first && !has_before ? 0 : words.begins[static_cast<std::size_t>(window.first)];
  auto const end = is_last && !has_after ? text.size() : words.ends[static_cast<std::size_t>(window.last)];
  std::string out{is_first && !has_before ? std::string_view{} : kEllipsis};
  out += text.substr(begin, end - begin);
  if (!is_last || has_after) out += kEllipsis;
  return out;
}

}  // namespace

std::string snippet_of(Excerpt const& excerpt) {
  auto const title = words_in(excerpt.title), text = words_in(excerpt.text);
  auto const hits = hits_in(excerpt.places);
  auto const begin = excerpt.title.empty() ? 0 : title.count() + 1;
  auto const in_title = best_window(hits, 0, title.count());
  auto const in_text = best_window(hits, begin, begin + text.count());
  if (in_text.found > in_title.found)
    return cut(excerpt.text, text, widened(in_text, text.count()), excerpt.has_before, excerpt.has_after);
  return cut(excerpt.title, title, widened(in_title, title.count()), false, false);
}

}  // namespace andon::store::postgres
