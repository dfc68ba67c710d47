#include "service/tasks/copy_pairs.hpp"

#include <algorithm>

#include "reflect/described.hpp"
#include "reflect/json.hpp"
#include "service/reference.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

constexpr std::size_t kMostPairs = 200;

struct KeptPairs {
  std::vector<CopyPair> pairs;
};
void describe(auto& field, KeptPairs const*) { field(&KeptPairs::pairs, "pairs", "Newest first"); }

std::string setting_of(core::BoardId board) { return "copies." + std::to_string(board); }

bool has(CopyPair const& pair, core::TaskId task) { return pair.task == task || pair.other == task; }

bool is_pair_of(CopyPair const& pair, core::TaskId a, core::TaskId b) {
  return a != b && has(pair, a) && has(pair, b);
}

void keep_pairs(OperationContext& ctx, core::BoardId board, std::vector<CopyPair> pairs) {
  ctx.tx.set_setting(setting_of(board), reflect::to_json(KeptPairs{std::move(pairs)}));
}

}  // namespace

std::vector<CopyPair> copy_pairs(OperationContext& ctx, core::BoardId board) {
  auto const text = ctx.tx.setting(setting_of(board));
  auto kept = text ? reflect::read_json<KeptPairs>(*text, reflect::Unknown::ignore) : KeptPairs{};
  return kept ? std::move(kept->pairs) : std::vector<CopyPair>{};
}

void note_pair(OperationContext& ctx, core::Task const& task, StandingTask const& standing) {
  auto const* board = ctx.tx.board(task.board);
  auto pairs = copy_pairs(ctx, board->id);
  std::erase_if(pairs, [&](auto const& pair) { return is_pair_of(pair, task.id, standing.task.id); });
  auto const [first, last] = std::minmax(task.id, standing.task.id);
  pairs.insert(pairs.begin(), {last, first, standing.comparison.percent, ctx.now});
  if (pairs.size() > kMostPairs) pairs.resize(kMostPairs);
  keep_pairs(ctx, board->id, std::move(pairs));
}

bool drop_pair(OperationContext& ctx, core::BoardId board, core::TaskId a, core::TaskId b) {
  auto pairs = copy_pairs(ctx, board);
  auto const dropped = std::erase_if(pairs, [&](auto const& pair) { return is_pair_of(pair, a, b); });
  if (dropped > 0) keep_pairs(ctx, board, std::move(pairs));
  return dropped > 0;
}

void drop_pairs_of(OperationContext& ctx, core::BoardId board, core::TaskId task) {
  auto pairs = copy_pairs(ctx, board);
  if (std::erase_if(pairs, [&](auto const& pair) { return has(pair, task); }) > 0)
    keep_pairs(ctx, board, std::move(pairs));
}

}  // namespace andon::service
