#include "store/postgres/session/search_pieces.hpp"

#include <algorithm>
#include <unordered_map>

#include "core/text/folded_words.hpp"

namespace andon::store::postgres {
namespace {

/// A tsvector holds 16,383 places, 255 of them of one word, and 1 MB. Titles need some of that too.
constexpr std::size_t kMostWords = 12'000;
constexpr int kMostOfOneWord = 200;
constexpr std::size_t kMostBytes = 256 << 10;

std::int64_t characters(std::string_view text) {
  return std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; });
}

/// Collects the words of one piece.
class Collector {
 public:
  /// True when the piece is full.
  bool add(core::FoldedWords const& words) {
    if (!out_.empty()) out_ += ' ';
    begins_.push_back(words.begin());
    out_ += words.word();
    end_ = words.end();
    return ++counts_[words.word()] >= kMostOfOneWord || begins_.size() >= kMostWords ||
           out_.size() >= kMostBytes;
  }
  std::size_t end() const { return end_; }
  /// The place at which the next piece begins.
  std::size_t next_begin() const { return begins_[begins_.size() - (kLongestPhrase - 1)]; }
  std::string take() { return std::move(out_); }

 private:
  std::string out_;
  std::vector<std::size_t> begins_;
  std::unordered_map<std::string, int> counts_;
  std::size_t end_ = 0;
};

}  // namespace

std::vector<SearchPiece> search_pieces(std::string_view text) {
  std::vector<SearchPiece> out;
  std::size_t begin = 0;
  std::int64_t first = 0;
  for (bool is_full = true; is_full;) {
    Collector piece;
    is_full = false;
    core::FoldedWords words{text.substr(begin)};
    while (!is_full && words.next()) is_full = piece.add(words);
    auto const end = is_full ? begin + piece.end() : text.size();
    auto const overlap = is_full ? begin + piece.next_begin() : end;
    out.push_back({piece.take(), first, characters(text.substr(begin, end - begin))});
    first += characters(text.substr(begin, overlap - begin));
    begin = overlap;
  }
  return out;
}

}  // namespace andon::store::postgres
