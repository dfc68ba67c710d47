#include "store/postgres/session/deferred_sets.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "store/sql/database/statements.hpp"

namespace andon::store::postgres {
namespace {

/// In the order of `SetKind`.
constexpr std::array<std::string_view, 4> kNames{"task_uncounted", "task_renew", "task_move", "event_add"};
std::array<sql::Query, 4> const kSets{sql::Query{"task_uncounted_set"}, sql::Query{"task_renew_set"},
                                      sql::Query{"task_move_set"}, sql::Query{"event_add_set"}};

Statement const& statement_of(SetKind kind) {
  static auto const all = [] {
    std::array<Statement, kSets.size()> out;
    for (std::size_t i = 0; i < kSets.size(); ++i)
      out.at(i) = {std::string{kNames.at(i)}, kSets.at(i).text(sql::Dialect::postgres)};
    return out;
  }();
  return all.at(static_cast<std::size_t>(kind));
}

/// Appends the value in the text form of an element of an array, see "Array Input and Output Syntax" in the
/// manual of PostgreSQL.
void append_element(std::string& out, std::optional<std::string> const& value) {
  if (!value) {
    out += "NULL";
    return;
  }
  out += '"';
  for (char const c : *value) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  out += '"';
}

std::string array_of(std::vector<Values> const& rows, std::size_t parameter) {
  std::string out = "{";
  for (auto const& row : rows) {
    if (out.size() > 1) out += ',';
    append_element(out, row[parameter]);
  }
  return out += '}';
}

Parameters arrays_of(std::vector<Values> const& rows) {
  Parameters out;
  for (std::size_t i = 0; i < rows.front().size(); ++i) out.add_untyped(array_of(rows, i));
  return out;
}

/// The id is the last parameter of each statement about a task.
std::string const& task_in(Values const& values) { return *values.back(); }

}  // namespace

std::optional<SetKind> set_kind_of(std::string_view statement) {
  auto const found = std::ranges::find(kNames, statement);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<SetKind>(found - kNames.begin());
}

bool DeferredSets::conflicts(SetKind kind, Values const& values) const {
  return kind != SetKind::event && tasks_.contains(task_in(values));
}

void DeferredSets::add(SetKind kind, Values values) {
  if (kind == SetKind::renew || kind == SetKind::move) tasks_.insert(task_in(values));
  waiting_[static_cast<std::size_t>(kind)].push_back(std::move(values));
  is_empty_ = false;
}

void DeferredSets::take(std::function<void(Statement const&, Parameters const&)> const& run) {
  auto const waiting = std::exchange(waiting_, std::vector<std::vector<Values>>(kSets.size()));
  tasks_.clear();
  is_empty_ = true;
  for (std::size_t i = 0; i < waiting.size(); ++i)
    if (!waiting[i].empty()) run(statement_of(static_cast<SetKind>(i)), arrays_of(waiting[i]));
}

void DeferredSets::clear() {
  for (auto& rows : waiting_) rows.clear();
  tasks_.clear();
  is_empty_ = true;
}

}  // namespace andon::store::postgres
