#pragma once

#include "service/requests.hpp"

namespace andon::service {

struct SearchRequest {
  std::string q;
  std::string board;
  std::optional<int> limit;
  std::string cursor;
};
BOOST_DESCRIBE_STRUCT(SearchRequest, (), (q, board, limit, cursor))
inline constexpr std::array kSearchFields{
    core::Field{
        "q",
        "Words in titles, bodies and notes, \"exact words\", -without; status:todo stage: tag: class: "
        "priority: assignee: role: board: claimed_by: parent: and is:blocked, claimed, open, done, "
        "archived, overdue or waiting",
        core::required},
    core::Field{"board", "Board; every board when left out"},
    core::Field{"limit", "Most hits in the answer, up to 100; 50 when left out"},
    core::Field{"cursor", "`next` of the page before"}};
constexpr auto const& fields(SearchRequest const*) { return kSearchFields; }

struct SearchHit {
  core::Task task;
  std::string snippet;
};
BOOST_DESCRIBE_STRUCT(SearchHit, (), (task, snippet))
inline constexpr std::array kSearchHitFields{core::Field{"task", "The task", core::always},
                                             core::Field{"snippet", "Where the words stand"}};
constexpr auto const& fields(SearchHit const*) { return kSearchHitFields; }

struct SearchHits {
  std::vector<SearchHit> items;
  std::string next;
  bool truncated = false;
};
BOOST_DESCRIBE_STRUCT(SearchHits, (), (items, next, truncated))
inline constexpr std::array kSearchHitsFields{
    core::Field{"items", "Best first", core::always},
    core::Field{"next", "Cursor of the next page; one without words may be empty"},
    core::Field{"truncated",
                "Whether so many tasks have these words that not all are "
                "shown: name a rarer one",
                core::set_only}};
constexpr auto const& fields(SearchHits const*) { return kSearchHitsFields; }

/// Finds tasks by words and by what they are; core/search_query.hpp has the grammar.
core::Result<SearchHits> search_tasks(OperationContext& ctx, SearchRequest const& request);

}  // namespace andon::service
