#include <limits>
#include <sstream>

#include "core/model/service_class.hpp"
#include "core/text/hex.hpp"
#include "core/text/lower_case.hpp"
#include "core/text/names.hpp"
#include "store/memory_driver/memory_driver.hpp"

namespace andon::test {

using store::TaskFilter;
using store::TaskOrder;

bool is_claimed_at(core::Task const& task, core::Instant now) {
  return !task.claimed_by.empty() && (!task.claim_expires || *task.claim_expires > now);
}

std::optional<std::int64_t> due_day(core::Task const& task) {
  return task.due ? std::optional<std::int64_t>{task.due->day.time_since_epoch().count()} : std::nullopt;
}

namespace {

/// The place of a task in a list.
core::PickKey sort_key(TaskOrder order, StoredTask const& row) {
  auto const& task = row.task;
  switch (order) {
    case TaskOrder::id: return {0, 0, 0, {}, task.id};
    case TaskOrder::title: return {0, 0, 0, task.title, task.id};
    case TaskOrder::status: return {row.derived.column_rank, 0, 0, task.status, task.id};
    case TaskOrder::priority: return {-row.derived.priority_rank, 0, 0, {}, task.id};
    case TaskOrder::created: return time_key(task.created, task.id);
    case TaskOrder::updated: return time_key(task.updated, task.id);
    case TaskOrder::due:
      return {static_cast<int>(due_day(task).value_or(std::numeric_limits<int>::max())), 0, 0, {}, task.id};
    case TaskOrder::pick: return pick_key(row);
  }
  return {};
}

std::string cursor_of(TaskOrder order, core::PickKey const& key) {
  std::ostringstream out;
  out << "memory " << static_cast<int>(order) << ' ' << key.class_rank << ' ' << key.due << ' '
      << key.priority_rank << ' ' << std::int64_t{key.id} << ' ' << key.rank;
  return core::to_hex(out.str());
}

core::Result<core::PickKey> key_in(TaskOrder order, std::string_view cursor) {
  std::istringstream in{core::from_hex(cursor).value_or("")};
  std::string maker;
  int of_order = 0;
  std::int64_t id = 0;
  core::PickKey key;
  in >> maker >> of_order >> key.class_rank >> key.due >> key.priority_rank >> id;
  if (!in || maker != "memory" || of_order != static_cast<int>(order))
    return core::refuse(core::Code::kInvalidInput, "this is not a cursor of the asked order", "cursor");
  in.get();
  key.rank.assign(std::istreambuf_iterator<char>{in}, {});
  key.id = core::TaskId{id};
  return key;
}

bool shows_archived(TaskFilter const& filter) {
  return filter.archived || contains(filter.stages, core::Stage::archived) ||
         std::ranges::any_of(filter.statuses,
                             [](auto const& name) { return core::same_name(name, "archived"); });
}

bool has_text(core::Task const& task, std::string const& lower) {
  auto const has = [&](std::string const& text) { return core::lower_case(text).contains(lower); };
  return has(task.title) || has(task.body) || std::ranges::any_of(task.tags, has);
}

template <class Value>
bool is_any(std::vector<Value> const& asked, Value const& value) {
  return asked.empty() || contains(asked, value);
}

bool is_asked(std::string const& asked, std::string const& value) { return asked.empty() || asked == value; }

bool fits_class(std::string const& asked, std::string const& class_) {
  return is_asked(asked, class_) || (class_.empty() && core::same_name(asked, core::kStandard));
}

bool fits(TaskFilter const& filter, StoredTask const& row) {
  auto const& task = row.task;
  bool const is_claimed = is_claimed_at(task, filter.now);
  return (!filter.board || row.board == *filter.board) && is_any(filter.statuses, task.status) &&
         is_any(filter.stages, task.stage) && is_any(filter.priorities, task.priority) &&
         is_asked(filter.assignee, task.assignee) && is_asked(filter.role, task.role) &&
         (filter.tag.empty() || contains(task.tags, filter.tag)) && fits_class(filter.class_, task.class_) &&
         (filter.claimed_by.empty() || (task.claimed_by == filter.claimed_by && is_claimed)) &&
         (!filter.parent || task.parent == filter.parent) &&
         (!filter.claimed || *filter.claimed == is_claimed) &&
         (!filter.blocked || *filter.blocked == task.blocked) &&
         (!filter.open_deps || *filter.open_deps == (task.state.open_deps > 0)) &&
         (!core::is_archived(task.stage) || shows_archived(filter)) &&
         (filter.text.empty() || has_text(task, core::lower_case(filter.text)));
}

}  // namespace

core::Result<engine::ListRows> MemorySession::list(engine::ListRequest const& request) {
  auto const& page = request.page;
  std::optional<core::PickKey> after;
  if (!page.cursor.empty()) {
    ANDON_TRY(after, key_in(page.order, page.cursor));
  }
  using Placed = std::pair<core::PickKey, StoredTask const*>;
  auto const is_later = [&](auto const& a, auto const& b) { return page.reverse ? a < b : b < a; };
  std::vector<Placed> heap;
  for (auto const& [id, row] : look().tasks)
    if (auto key = sort_key(page.order, *row); !after || is_later(key, *after))
      heap.emplace_back(std::move(key), row.get());
  std::ranges::make_heap(heap, is_later, &Placed::first);

  engine::ListRows out;
  core::PickKey last;
  for (std::size_t passed_over = 0; !heap.empty() && out.next.empty(); heap.pop_back()) {
    std::ranges::pop_heap(heap, is_later, &Placed::first);
    auto const& [key, row] = heap.back();
    bool const is_fit = fits(request.filter, *row);
    if (is_fit && out.rows.size() == page.limit) {
      if (!out.rows.empty()) out.next = cursor_of(page.order, last);
      break;
    }
    last = key;
    if (is_fit)
      out.rows.push_back(shown(*row));
    else if (++passed_over == page.most_passed_over)
      out.next = cursor_of(page.order, last);
  }
  return out;
}

std::int64_t count_of(Tables const& tables, TaskFilter const& filter) {
  return std::ranges::count_if(tables.tasks, [&](auto const& entry) { return fits(filter, *entry.second); });
}

}  // namespace andon::test
