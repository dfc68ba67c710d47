#pragma once

#include <optional>
#include <vector>

#include "core/pick.hpp"
#include "store/query.hpp"
#include "store/sqlite/connection.hpp"

namespace andon::store::sqlite {

/// Which part of a scope a pass over it offers.
enum class Part { all, first_class, other_classes };

/// Merges the pick order of several columns and lanes: one lazily stepped index cursor each, and tasks whose
/// time has come but which are not marked pickable yet.
class PickMerge {
 public:
  PickMerge(Connection& db, PickScope const& scope, std::vector<core::PickKey> due, Part part,
            int class_rank);
  /// The next task in pick order.
  std::optional<core::TaskId> next();

 private:
  struct Source {
    Statement cursor;
    core::PickKey head;
    bool live = true;
  };
  void open(Connection& db, PickScope const& scope, std::string const& column, std::string const& lane);
  void advance(Source& source);
  std::optional<core::TaskId> smallest();

  Part part_;
  int class_rank_;
  std::vector<Source> sources_;
  std::vector<core::PickKey> due_;  ///< greatest first
  core::TaskId last_ = 0;           ///< a task stands under each of its tags
};

}  // namespace andon::store::sqlite
