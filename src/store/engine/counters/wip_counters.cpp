#include "store/engine/counters/wip_counters.hpp"

#include <utility>

#include "core/model/board.hpp"
#include "core/model/task.hpp"
#include "store/engine/driver.hpp"

namespace andon::store::engine {
namespace {

void count(std::map<std::string, std::int64_t, std::less<>>& counts, std::string const& name,
           std::int64_t by) {
  auto const at = counts.try_emplace(name, 0).first;
  at->second += by;
  if (at->second == 0) counts.erase(at);
}

std::int64_t at(std::map<std::string, std::int64_t, std::less<>> const& counts, std::string const& name) {
  auto const found = counts.find(name);
  return found == counts.end() ? 0 : found->second;
}

}  // namespace

Place place_of(core::Board const& board, core::Task const& task) {
  Place place{board.id, task.status, {}};
  if (core::is_finished(task.stage)) return place;
  std::string_view const name = task.class_.empty() ? core::kStandard : std::string_view{task.class_};
  auto const index = core::class_index(board, name);
  place.class_ = index ? board.classes[*index].name : std::string{name};
  return place;
}

bool has_limit(core::Board const& board, Place const& place) {
  auto const* column = core::find_column(board, place.column);
  if (column && column->wip_limit > 0) return true;
  auto const index = core::class_index(board, place.class_);
  return index && board.classes[*index].wip_limit > 0;
}

core::Load const& WipCounters::of(Session& session, core::BoardId board) {
  auto found = loads_.find(board);
  if (found == loads_.end()) found = loads_.emplace(board, session.statistics(AskLoad{board}).load).first;
  return found->second;
}

void WipCounters::apply(core::Load& load, Place const& place, std::int64_t by) {
  count(load.columns, place.column, by);
  changed_.columns.emplace(place.board, place.column);
  if (place.class_.empty()) return;
  count(load.classes, place.class_, by);
  changed_.classes.emplace(place.board, place.class_);
}

void WipCounters::change(Session& session, Place const& place, std::int64_t by) {
  of(session, place.board);
  if (journal_.empty()) changed_before_ = changed_;
  apply(loads_[place.board], place, by);
  journal_.push_back({place, by, {}});
}

void WipCounters::replace(core::BoardId board, core::Load load) {
  auto const mark = [&](core::Load const& counts) {
    for (auto const& [name, n] : counts.columns) changed_.columns.emplace(board, name);
    for (auto const& [name, n] : counts.classes) changed_.classes.emplace(board, name);
  };
  auto& entry = loads_[board];
  mark(entry);
  mark(load);
  entry = std::move(load);
}

void WipCounters::recount(Session& session, core::BoardId board, core::Load load) {
  auto before = of(session, board);
  if (journal_.empty()) changed_before_ = changed_;
  journal_.push_back({{board, {}, {}}, 0, std::move(before)});
  replace(board, std::move(load));
}

/// Counts of the unit that were written are undone in the database with it.
void WipCounters::undo_unit() {
  if (journal_.empty()) return;
  for (auto step = journal_.rbegin(); step != journal_.rend(); ++step) {
    if (step->before)
      replace(step->place.board, *std::move(step->before));
    else
      apply(loads_[step->place.board], step->place, -step->by);
  }
  journal_.clear();
  changed_ = std::move(changed_before_);
}

std::vector<LoadChange> WipCounters::take_changed() {
  std::vector<LoadChange> out;
  auto const [columns, classes] = std::exchange(changed_, {});
  for (auto const& [board, name] : columns)
    out.push_back({board, false, name, at(loads_[board].columns, name)});
  for (auto const& [board, name] : classes)
    out.push_back({board, true, name, at(loads_[board].classes, name)});
  return out;
}

void WipCounters::drop() {
  loads_.clear();
  changed_ = {};
  journal_.clear();
}

}  // namespace andon::store::engine
