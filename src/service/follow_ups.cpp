#include "service/follow_ups.hpp"

#include "service/chain.hpp"
#include "service/promotion.hpp"

namespace andon::service {
namespace {

bool satisfied(core::Task const& task) { return core::is_terminal(task.stage); }

void save_counter(Unit& u, Change& change, std::string_view name, std::int64_t value) {
  save(u, change, core::EventKind::task_edited, {{std::string{name}, std::to_string(value)}});
}

void update_dependents(Unit& u, core::Task const& task) {
  for (auto const id : u.tx.dependents(task.id)) {
    auto dependent = u.tx.task(id);
    auto const* board = dependent ? u.tx.board(dependent->board) : nullptr;
    if (!board) continue;
    Change change{*dependent, *dependent, *board, {}, false, false};
    change.after.state.open_deps = open_dependencies(u, change.after);
    if (change.after.state.open_deps == dependent->state.open_deps) continue;
    promote_if_ready(u, change);
    save_counter(u, change, "open_deps", change.after.state.open_deps);
  }
}

void update_parent(Unit& u, core::Task const& before, core::Task const& after) {
  if (!after.parent || satisfied(before) == satisfied(after)) return;
  auto parent = u.tx.task(*after.parent);
  auto const* board = parent ? u.tx.board(parent->board) : nullptr;
  if (!board) return;
  Change change{*parent, *parent, *board, {}, false, false};
  auto progress = change.after.children.value_or(core::Progress{});
  progress.done += satisfied(after) ? 1 : -1;
  change.after.children = progress;
  save_counter(u, change, "children_done", progress.done);
}

}  // namespace

std::int64_t open_dependencies(Unit& u, core::Task const& task) {
  std::int64_t open = 0;
  for (auto const id : task.depends_on) {
    auto const other = u.tx.task(id);
    if (other && !satisfied(*other)) ++open;
  }
  return open;
}

void follow_up(Unit& u, Change const& change) {
  if (satisfied(change.before) != satisfied(change.after)) update_dependents(u, change.after);
  update_parent(u, change.before, change.after);
  if (change.after.stage == core::Stage::done && change.before.stage != core::Stage::done)
    fire_chain(u, change.after, change.board);
}

}  // namespace andon::service
