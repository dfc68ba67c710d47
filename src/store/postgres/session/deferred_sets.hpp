#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "store/postgres/connection/parameters.hpp"
#include "store/postgres/connection/statement.hpp"

namespace andon::store::postgres {

/// The values of one execution, in the order in which their parameters appear in the text.
using Values = std::vector<std::optional<std::string>>;

/// The statements that can run for many rows at once.
enum class SetKind { uncounted, renew, move, event };
/// The kind of a statement by its name; nothing for others.
std::optional<SetKind> set_kind_of(std::string_view statement);

/// Executions that wait, so that one statement does all of a kind. They run in the order of the kinds. This
/// is the order in which they came for each task, because a task with a change that waits lets no more wait.
class DeferredSets {
 public:
  /// True when the execution has to wait for those that wait to run first.
  bool conflicts(SetKind kind, Values const& values) const;
  void add(SetKind kind, Values values);
  bool is_empty() const { return is_empty_; }
  /// Hands all that waits to `run`, and forgets it.
  void take(std::function<void(Statement const&, Parameters const&)> const& run);
  void clear();

 private:
  /// The values of each parameter.
  std::vector<std::vector<Values>> waiting_ = std::vector<std::vector<Values>>(4);
  std::set<std::string, std::less<>> tasks_;  ///< with a change that waits
  bool is_empty_ = true;
};

}  // namespace andon::store::postgres
