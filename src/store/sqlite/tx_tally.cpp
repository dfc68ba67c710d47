#include <algorithm>
#include <array>

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>

#include "store/sqlite/transaction.hpp"

namespace andon::store::sqlite {
namespace {

/// In the order of `Facet`.
std::array<Query, 7> const kFacetKeys{Query{"tally_assignee"}, Query{"tally_tag"},    Query{"tally_class"},
                                      Query{"tally_priority"}, Query{"tally_status"}, Query{"tally_role"},
                                      Query{"tally_parent"}};
Query const kTallyCounts{"tally_counts"};
Query const kTallyTags{"tally_tags"};
Query const kTallyWhere{"tally_where"};

std::string tally_text(std::vector<Facet> const& by) {
  std::string sql = "SELECT t.status, ", groups = "1";
  for (std::size_t i = 0; i < by.size(); ++i) {
    sql += kFacetKeys[static_cast<std::size_t>(by[i])].text() + ", ";
    groups += ", " + std::to_string(i + 2);
  }
  sql += kTallyCounts.text();
  if (std::ranges::find(by, Facet::tag) != by.end()) sql += kTallyTags.text();
  return sql + kTallyWhere.text() + "GROUP BY " + groups;
}

std::string column_list(std::vector<std::string> const& names) {
  boost::json::array list;
  for (auto const& name : names) list.emplace_back(name);
  return boost::json::serialize(list);
}

}  // namespace

std::vector<Tally> Transaction::tally(BoardId board, std::vector<std::string> const& columns,
                                      std::vector<Facet> const& by, core::Date today) {
  see_all();
  auto row = db_.assembled(tally_text(by));
  row.bind_all(board, column_list(columns), std::int64_t{today.day.time_since_epoch().count()});
  std::vector<Tally> out;
  while (row.step()) {
    Tally tally{row.text(0), {}, 0, 0, 0};
    int column = 1;
    for (std::size_t i = 0; i < by.size(); ++i) tally.values.push_back(row.text(column++));
    tally.count = row.integer(column++);
    tally.blocked = row.integer(column++);
    tally.overdue = row.integer(column);
    out.push_back(std::move(tally));
  }
  return out;
}

}  // namespace andon::store::sqlite
