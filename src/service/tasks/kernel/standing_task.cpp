#include "service/tasks/kernel/standing_task.hpp"

#include <algorithm>
#include <tuple>

#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

constexpr core::Duration kLately = std::chrono::days{7};
constexpr std::size_t kMostCompared = 32;

bool counts_as_standing(OperationContext& ctx, CopySearch const& search, core::Task const& task) {
  if (task.id == search.task.id || core::is_archived(task.stage)) return false;
  if (std::ranges::find(search.others, task.id) != search.others.end()) return false;
  if (!search.but_made_by.empty() && task.created_by == search.but_made_by) return false;
  bool const is_done = core::is_terminal(task.stage);
  return !is_done || (!search.only_open && task.completed && *task.completed + kLately > ctx.now);
}

bool is_more_like(core::Comparison const& a, core::Comparison const& b) {
  return std::tie(a.likeness, a.percent) > std::tie(b.likeness, b.percent);
}

}  // namespace

std::optional<StandingTask> find_standing_task(OperationContext& ctx, CopySearch const& search) {
  auto const words = core::words_of(search.task);
  std::optional<StandingTask> out;
  for (auto& task : ctx.tx.alike(search.board, core::sketch_of(words), kMostCompared,
                                 [&](auto const& one) { return counts_as_standing(ctx, search, one); })) {
    auto const comparison = core::compare(words, core::words_of(task));
    if (comparison.likeness == core::Likeness::different) continue;
    if (!out || is_more_like(comparison, out->comparison)) out = {std::move(task), comparison};
  }
  return out;
}

std::string name_of(core::Task const& task) {
  return "#" + std::to_string(task.id) + " \"" + task.title + "\"";
}

}  // namespace andon::service
