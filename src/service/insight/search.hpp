#pragma once

#include "core/model/task.hpp"
#include "service/requests.hpp"

namespace andon::service {

struct SearchRequest {
  std::string q;
  std::string board;
  std::optional<int> limit;
  std::string cursor;
};
void describe(auto& field, SearchRequest const*) {
  field(&SearchRequest::q, "q",
        "Words in titles, bodies and notes, \"exact words\", -without; status:todo stage: tag: class: "
        "priority: assignee: role: board: claimed_by: parent: and is:blocked, claimed, open, done, "
        "archived, overdue or waiting",
        core::required);
  field(&SearchRequest::board, "board", "Board; every board when left out");
  field(&SearchRequest::limit, "limit", "Most hits in the answer, up to 100; 50 when left out");
  field(&SearchRequest::cursor, "cursor", "`next` of the page before");
}

struct SearchHit {
  core::Task task;
  std::string snippet;
};
void describe(auto& field, SearchHit const*) {
  field(&SearchHit::task, "task", "The task", core::always);
  field(&SearchHit::snippet, "snippet", "Where the words stand");
}

struct SearchHits {
  std::vector<SearchHit> items;
  std::string next;
  bool truncated = false;
};
void describe(auto& field, SearchHits const*) {
  field(&SearchHits::items, "items", "Best first", core::always);
  field(&SearchHits::next, "next", "Cursor of the next page; one without words may be empty");
  field(&SearchHits::truncated, "truncated",
        "Whether so many tasks have these words that not all are "
        "shown: name a rarer one",
        core::set_only);
}

/// Finds tasks by words and by what they are; core/search_query.hpp has the grammar.
core::Result<SearchHits> search_tasks(OperationContext& ctx, SearchRequest const& request);

}  // namespace andon::service
