#include "store/engine/tallies.hpp"

#include <algorithm>
#include <utility>

namespace andon::store::engine {
namespace {

std::vector<std::pair<Facet, TallyValue>> values_of(TalliedTask const& task) {
  std::vector<std::pair<Facet, TallyValue>> out{
      {Facet::assignee, task.assignee}, {Facet::class_, task.class_}, {Facet::priority, task.priority},
      {Facet::status, std::string{}},   {Facet::role, task.role},     {Facet::parent, task.parent}};
  auto tags = task.tags;
  std::ranges::sort(tags);
  tags.erase(std::ranges::unique(tags).begin(), tags.end());
  if (tags.empty()) out.emplace_back(Facet::tag, std::string{});
  for (auto& tag : tags) out.emplace_back(Facet::tag, std::move(tag));
  return out;
}

}  // namespace

void tally_task(TalliedTask const& task, std::int64_t by, TallyMap& out) {
  for (auto& [facet, value] : values_of(task)) {
    auto& counts = out[{task.board, facet, std::move(value), task.status}];
    counts.n += by;
    if (task.blocked) counts.blocked += by;
    if (task.due && !core::is_terminal(task.stage)) counts.due[*task.due] += by;
  }
}

std::string text_of(TallyValue const& value) {
  auto const* number = std::get_if<std::int64_t>(&value);
  if (number) return *number == 0 ? "" : std::to_string(*number);
  return std::get<std::string>(value);
}

}  // namespace andon::store::engine
