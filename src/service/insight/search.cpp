#include "service/insight/search.hpp"

#include <algorithm>
#include <charconv>
#include <functional>

#include "core/tasks/claim.hpp"
#include "core/tasks/search_query.hpp"
#include "core/text/names.hpp"
#include "service/tasks/kernel/change.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

using core::Code;
using core::Result;
using core::SearchCondition;
using core::SearchField;

constexpr int kMostHits = 100;
constexpr int kUsualHits = 50;
constexpr std::size_t kLongestQuery = 1000;
constexpr std::size_t kMostParts = 50;

Result<int> hits_wanted(std::optional<int> asked) {
  auto const limit = asked.value_or(kUsualHits);
  if (limit < 1 || limit > kMostHits)
    return core::refuse(Code::kInvalidInput, "\"limit\" must be from 1 to " + std::to_string(kMostHits),
                        "limit");
  return limit;
}

/// A cursor tells how many hits came before, or which task.
struct RankedPlace {
  std::size_t skip = 0;
  core::TaskId after = 0;
};

Result<RankedPlace> place_of(std::string_view cursor) {
  RankedPlace place;
  if (cursor.empty()) return place;
  bool const is_task = cursor.starts_with('t');
  auto const* first = cursor.data() + (is_task ? 1 : 0);
  auto const* last = cursor.data() + cursor.size();
  std::int64_t task = 0;
  auto const [end, error] =
      is_task ? std::from_chars(first, last, task) : std::from_chars(first, last, place.skip);
  place.after = core::TaskId{task};
  if (error == std::errc{} && end == last) return place;
  return core::refuse(Code::kInvalidInput,
                      "this is not a cursor of a search; use the one that came with the page before",
                      "cursor");
}

/// The names among which a value must be; other fields take any value.
template <class Rows, class Name>
void add_names(std::vector<std::string>& names, Rows const& rows, Name name) {
  for (auto const& row : rows) names.push_back(std::invoke(name, row));
}

std::vector<std::string> names_for(SearchField field, std::vector<core::Board const*> const& boards) {
  std::vector<std::string> names;
  for (auto const* board : boards) {
    if (field == SearchField::status) add_names(names, board->columns, &core::Column::name);
    if (field == SearchField::priority) add_names(names, board->priorities, std::identity{});
    if (field == SearchField::class_) add_names(names, board->classes, &core::ServiceClass::name);
  }
  if (field == SearchField::status) names.emplace_back("archived");
  return names;
}

Code code_for(SearchField field) {
  if (field == SearchField::status) return Code::kInvalidStatus;
  return field == SearchField::priority ? Code::kInvalidPriority : Code::kInvalidClass;
}

/// The spellings that boards use for the name; several boards may spell it differently.
Result<std::vector<std::string>> spellings_of(SearchCondition const& condition, std::string const& value,
                                              std::vector<core::Board const*> const& boards) {
  auto names = names_for(condition.field, boards);
  std::ranges::sort(names);
  names.erase(std::ranges::unique(names).begin(), names.end());
  std::vector<std::string> found;
  std::string allowed;
  for (auto const& name : names) {
    if (core::same_name(name, value)) found.push_back(name);
    allowed += (allowed.empty() ? "" : ", ") + name;
  }
  if (!found.empty()) return found;
  return core::refuse_search(
      code_for(condition.field),
      "invalid " + std::string{core::to_text(condition.field)} + " \"" + value + "\"; allowed: " + allowed,
      core::to_text(condition.field), condition.position);
}

/// The number a board or a parent has in the store.
Result<std::int64_t> id_of(OperationContext& ctx, SearchField field, std::string const& value) {
  if (field == SearchField::parent) return resolve(ctx, {value}, "q");
  ANDON_TRY(auto const* board, find_board(ctx, value));
  return board->id;
}

Result<std::string> number_of(OperationContext& ctx, SearchCondition const& condition,
                              std::string const& value) {
  auto const number = id_of(ctx, condition.field, value);
  if (number) return std::to_string(*number);
  auto const& error = number.error();
  return core::refuse_search(error.code, error.message, core::to_text(condition.field), condition.position);
}

Result<void> resolve_values(OperationContext& ctx, SearchCondition& condition,
                            std::vector<core::Board const*> const& boards) {
  std::vector<std::string> resolved;
  for (auto const& value : condition.values) {
    switch (condition.field) {
      case SearchField::status:
      case SearchField::priority:
      case SearchField::class_: {
        ANDON_TRY(auto const names, spellings_of(condition, value, boards));
        resolved.insert(resolved.end(), names.begin(), names.end());
        break;
      }
      case SearchField::board:
      case SearchField::parent: {
        ANDON_TRY(auto number, number_of(ctx, condition, value));
        resolved.push_back(std::move(number));
        break;
      }
      default: resolved.push_back(value);
    }
  }
  condition.values = std::move(resolved);
  return {};
}

Result<core::SearchQuery> query_of(OperationContext& ctx, SearchRequest const& r) {
  if (r.q.size() > kLongestQuery)
    return core::refuse(Code::kInvalidInput, "\"q\" may have at most 1,000 bytes", "q");
  ANDON_TRY(auto query, core::parse_search(r.q));
  if (query.words.size() + query.conditions.size() > kMostParts)
    return core::refuse(Code::kInvalidInput, "\"q\" may have at most 50 words and conditions", "q");
  auto boards = ctx.tx.boards();
  if (!r.board.empty() || is_run(ctx)) {
    ANDON_TRY(auto const* board, find_board(ctx, r.board));
    boards = {board};
    query.conditions.push_back({SearchField::board, {std::to_string(board->id)}, false, 0});
  }
  for (auto& condition : query.conditions) ANDON_CHECK(resolve_values(ctx, condition, boards));
  return query;
}

}  // namespace

Result<SearchHits> search_tasks(OperationContext& ctx, SearchRequest const& r) {
  ANDON_TRY(auto const query, query_of(ctx, r));
  ANDON_TRY(auto const limit, hits_wanted(r.limit));
  ANDON_TRY(auto const place, place_of(r.cursor));
  auto page = ctx.tx.search(query, ctx.now, static_cast<std::size_t>(limit), place.skip, place.after);
  SearchHits out;
  for (auto& hit : page.hits) out.items.push_back({shown(ctx, std::move(hit.task)), std::move(hit.snippet)});
  out.truncated = page.truncated;
  if (page.more)
    out.next =
        page.after > 0 ? "t" + std::to_string(page.after) : std::to_string(place.skip + out.items.size());
  return out;
}

}  // namespace andon::service
