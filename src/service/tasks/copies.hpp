#pragma once

#include <string>
#include <vector>

#include "service/requests.hpp"
#include "service/tasks/copy_pairs.hpp"

namespace andon::service {

struct ListCopiesRequest {
  std::string board;
};
void describe(auto& field, ListCopiesRequest const*) {
  field(&ListCopiesRequest::board, "board", "Board; the first one when left out");
}

/// A suspected copy as people see it.
struct SuspectedCopy : CopyPair {
  std::string title;
  std::string status;
  std::string other_title;
  std::string other_status;
};
void describe(auto& field, SuspectedCopy const* extended) {
  describe(field, static_cast<CopyPair const*>(extended));
  field(&SuspectedCopy::title, "title", "Title of the later task", core::always);
  field(&SuspectedCopy::status, "status", "Column it is in", core::always);
  field(&SuspectedCopy::other_title, "other_title", "Title of the other task", core::always);
  field(&SuspectedCopy::other_status, "other_status", "Column the other task is in", core::always);
}

struct SuspectedCopies {
  std::vector<SuspectedCopy> items;
};
void describe(auto& field, SuspectedCopies const*) {
  field(&SuspectedCopies::items, "items", "Pairs of open tasks, newest first", core::always);
}

struct DismissCopyRequest {
  TaskRef id;
  TaskRef other;
};
void describe(auto& field, DismissCopyRequest const*) {
  field(&DismissCopyRequest::id, kIdField);
  field(&DismissCopyRequest::other, "other", "The task of which it is no copy", core::required);
}

/// The pairs of tasks that people noticed or created as copies and of which both are still open.
core::Result<SuspectedCopies> list_copies(OperationContext& ctx, ListCopiesRequest const& request);
/// Says that two tasks are two pieces of work.
core::Result<SuspectedCopies> dismiss_copy(OperationContext& ctx, DismissCopyRequest const& request);

}  // namespace andon::service
