// The reactions to a change, without recursion.
//
// A written change is shown to each row of `kReactions`, which orders steps for other tasks. The orders lie
// on a stack, the first of them on top. The step of the top order loads its task, decides anew and writes at
// most one change; the orders that follow from that change come on top, so that the consequences of one step
// are complete before the next step decides. Every order stands for a task that changed its stage, its parent
// or its place, and no chain of them leads back to such a change; `kMostSteps` bounds a unit of work all the
// same.
#include "service/tasks/reactions/react.hpp"

#include <array>
#include <ranges>
#include <stdexcept>

#include "service/tasks/reactions/chain.hpp"
#include "service/tasks/reactions/dependents.hpp"
#include "service/tasks/reactions/merge_queue.hpp"
#include "service/tasks/reactions/parents.hpp"
#include "service/tasks/reactions/ready_column.hpp"
#include "service/tasks/reactions/review.hpp"

namespace andon::service {
namespace {

constexpr std::size_t kMostSteps = 1'000'000;

/// The actor of a step.
enum class Voice {
  caller,
  engine,  ///< also of all that follows from it
};

struct StepRow {
  Reaction reaction;
  Voice voice;
  Step (*carry_out)(OperationContext& ctx, Order const& order);
};
constexpr std::array kSteps{
    StepRow{Reaction::recount_dependencies, Voice::engine, &recount_dependencies},
    StepRow{Reaction::update_parent, Voice::engine, &update_parent},
    StepRow{Reaction::fill_ready, Voice::caller, &fill_ready},
    StepRow{Reaction::queue_landing, Voice::caller, &enter_merge_queue},
    StepRow{Reaction::withdraw_landing, Voice::caller, &leave_merge_queue},
    StepRow{Reaction::add_next, Voice::caller, &add_next},
    StepRow{Reaction::flag_undecided, Voice::caller, &flag_undecided},
    StepRow{Reaction::close_review, Voice::caller, &close_review},
    StepRow{Reaction::ask_for_review, Voice::caller, &ask_for_review},
};
consteval bool steps_are_in_order() {
  for (std::size_t i = 0; i < kSteps.size(); ++i)
    if (static_cast<std::size_t>(kSteps[i].reaction) != i) return false;
  return true;
}
static_assert(steps_are_in_order());

constexpr std::array kReactions{
    ReactionRow{&order_recounts, "it is done or archived, or open again",
                "tasks that depend on it count their open dependencies; an approved one may go to ready"},
    ReactionRow{&order_progress, "it is finished, open again, or gets another parent",
                "its parents tell their progress; one that asks for it is done with its last sub-task"},
    ReactionRow{&order_filling, "it leaves a ready column with a limit",
                "approved tasks of the backlog enter that column, in pick order"},
    ReactionRow{&order_landing, "it is done, or taken up again",
                "its work enters the merge queue, or leaves it"},
    ReactionRow{&order_chain, "it is done", "its chain becomes tasks, once"},
    ReactionRow{&order_review, "it enters or leaves review, on a board that a role reviews",
                "a review task is added, or the open one ends"},
};

struct Pending {
  Order order;
  bool by_engine;
};

class Reactor {
 public:
  explicit Reactor(OperationContext& ctx) : ctx_(ctx), engine_(as_system(ctx)) {}

  void add(Order order, bool by_engine) { pending_.push_back({std::move(order), by_engine}); }
  void add_orders_of(Change const& change, bool by_engine) {
    Orders orders;
    for (auto const& row : kReactions) row.order(ctx_, change, orders);
    for (auto& order : orders | std::views::reverse) add(std::move(order), by_engine);
  }
  /// The steps of the first order.
  std::size_t run() {
    std::size_t first = 0;
    for (std::size_t steps = 0; !pending_.empty(); ++steps) {
      if (steps == kMostSteps)
        throw std::length_error{"a change led to more reactions than one unit of work may have"};
      auto next = std::move(pending_.back());
      pending_.pop_back();
      bool const is_first = pending_.empty();
      auto const& row = kSteps[static_cast<std::size_t>(next.order.reaction)];
      bool const by_engine = next.by_engine || row.voice == Voice::engine;
      auto const step = row.carry_out(by_engine ? engine_ : ctx_, next.order);
      if (step.change) ++next.order.done;
      if (is_first) first = next.order.done;
      if (step.has_more) add(std::move(next.order), next.by_engine);
      if (step.change) add_orders_of(*step.change, by_engine);
    }
    return first;
  }

 private:
  OperationContext& ctx_;
  OperationContext engine_;
  std::vector<Pending> pending_;
};

}  // namespace

std::span<ReactionRow const> reaction_rows() { return kReactions; }

void react(OperationContext& ctx, Change const& change) {
  Reactor reactor{ctx};
  reactor.add_orders_of(change, false);
  reactor.run();
}

std::size_t react(OperationContext& ctx, Order const& order) {
  Reactor reactor{ctx};
  reactor.add(order, false);
  return reactor.run();
}

}  // namespace andon::service
