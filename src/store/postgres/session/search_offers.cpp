#include "store/postgres/session/search_offers.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>

#include "store/sql/session/search_walk.hpp"

namespace andon::store::postgres {
namespace {

using sql::Query;

Query const kCount{"text_count"};
Query const kCountFirst{"text_count_first"};
Query const kTasksOfTexts{"text_tasks"};

/// Words that more texts than this have do not rank.
constexpr std::int64_t kMostRanked = 1'000;
/// When half of so many texts have a word, more of them are looked at instead of the index of the word.
constexpr std::int64_t kSample = 200;
/// The most texts that are sorted.
constexpr std::int64_t kMostSorted = 10'000;
/// The most texts that a walk passes.
constexpr std::int64_t kMostWalked = 20'000;

/// The statements of a stream.
struct Reading {
  Query count;
  Query few;
  Query many;
  std::int64_t after;  ///< the texts are those behind this number
};
/// In the order of `Stream`.
std::array const kReadings{
    Reading{Query{"text_count_titles"}, Query{"text_few_titles"}, Query{"text_many_titles"}, 0},
    Reading{kCount, Query{"text_few_tasks"}, Query{"text_many_tasks"}, 0},
    Reading{kCount, Query{"text_few_notes"}, Query{"text_many_notes"},
            std::numeric_limits<std::int64_t>::min()}};

Reading const& reading(Stream stream) { return kReadings[static_cast<std::size_t>(stream)]; }

std::string phrase_list(std::vector<std::string> const& phrases) {
  boost::json::array list;
  for (auto const& phrase : phrases) list.emplace_back(phrase);
  return boost::json::serialize(list);
}

std::int64_t count(sql::Connection& db, Query const& query, std::string const& phrases, std::int64_t most) {
  auto row = db.query(query, phrases, most);
  return row.step() ? row.integer(0) : 0;
}

/// True when half of the first texts of the stream have the phrases.
bool is_dense(sql::Connection& db, Stream stream, std::string const& phrases) {
  std::int64_t found = 0;
  auto row = db.query(reading(stream).many, phrases, reading(stream).after, 0, kSample);
  while (row.step()) found += row.integer(2);
  return found > kSample / 2;
}

bool is_for_a_walk(sql::Connection& db, Stream stream, std::string const& phrases) {
  return is_dense(db, stream, phrases) ||
         count(db, reading(stream).count, phrases, kMostSorted + 1) > kMostSorted;
}

}  // namespace

bool is_common(sql::Connection& db, std::string const& phrase) {
  auto const phrases = phrase_list({phrase});
  if (count(db, kCountFirst, phrases, kSample) > kSample / 2 &&
      count(db, kCountFirst, phrases, 2 * kMostRanked + kSample) > kMostRanked)
    return true;
  return count(db, kCount, phrases, kMostRanked + 1) > kMostRanked;
}

Offers::Offers(sql::Connection& db, Stream stream, std::vector<std::string> const& phrases)
    : db_(db),
      stream_(stream),
      phrases_(phrase_list(phrases)),
      walks_(is_for_a_walk(db, stream, phrases_)),
      document_(reading(stream).after) {}

std::vector<Offer> Offers::next() {
  std::vector<Offer> out;
  while (out.empty() && !has_ended_) out = read();
  if (stream_ == Stream::notes) add_tasks(out);
  return out;
}

bool Offers::is_cut() const { return walks_ && passed_ >= kMostWalked; }

std::vector<Offer> Offers::read() {
  std::vector<Offer> out;
  std::int64_t rows = 0;
  auto row =
      db_.query(walks_ ? reading(stream_).many : reading(stream_).few, phrases_, document_, piece_, most_);
  for (; row.step(); ++rows) {
    document_ = row.integer(0);
    piece_ = row.integer(1);
    if (row.integer(2) != 0) out.push_back({document_, core::TaskId{document_}});
  }
  passed_ += rows;
  has_ended_ = rows < most_ || is_cut();
  most_ = std::min(most_ * 4, std::int64_t{sql::kMostOffered});
  return out;
}

/// The documents are notes.
void Offers::add_tasks(std::vector<Offer>& offers) {
  boost::json::array notes;
  for (auto const& offer : offers) notes.emplace_back(offer.document);
  std::map<std::int64_t, core::TaskId> tasks;
  for (auto row = db_.query(kTasksOfTexts, boost::json::serialize(notes)); row.step();)
    tasks.emplace(row.integer(0), row.integer(1));
  for (auto& offer : offers) offer.task = tasks[offer.document];
}

}  // namespace andon::store::postgres
