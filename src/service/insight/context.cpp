#include "service/insight/context.hpp"

#include <algorithm>
#include <array>
#include <functional>

#include "core/boards/wip.hpp"
#include "core/model/board_title.hpp"
#include "service/tasks/kernel/change.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

using core::Board;
using core::Result;
using core::Stage;
using core::Task;
using store::TaskOrder;

constexpr int kDays = 7;
constexpr int kMostContextDays = 3660;

using Names = std::vector<std::string>;
using Items = Result<std::vector<ContextItem>>;

/// The columns people see, apart by where work stands in them.
struct Columns {
  Names shown;
  Names open;    ///< not finished
  Names active;  ///< neither finished nor the first
  Names done;
};

Columns columns_of(Board const& board) {
  Columns out;
  for (auto const& column : board.columns) {
    if (core::is_archived(column.stage)) continue;
    bool const is_first = out.shown.empty();
    out.shown.push_back(column.name);
    if (core::is_terminal(column.stage)) {
      out.done.push_back(column.name);
      continue;
    }
    out.open.push_back(column.name);
    if (!is_first) out.active.push_back(column.name);
  }
  return out;
}

bool has(Names const& names, std::string const& name) {
  return std::ranges::find(names, name) != names.end();
}

ContextItem item_of(Task const& task, std::string note) {
  return {task.id, task.title, task.status, task.priority, task.assignee, std::move(note)};
}

/// Gathers the sections, each by as many pages of a list as it needs.
class ContextSections {
 public:
  ContextSections(OperationContext& ctx, Board const& board, int days)
      : ctx_(ctx),
        board_(board),
        columns_(columns_of(board)),
        since_(ctx.now - std::chrono::hours{24} * days) {}

  ContextSummary summary() {
    ContextSummary out;
    for (auto const& tally :
         ctx_.tx.tally(board_.id, columns_.shown, store::Facet::status, core::utc_day(ctx_.now))) {
      out.total_tasks += tally.count;
      if (has(columns_.active, tally.status)) out.active += tally.count;
      out.blocked += tally.blocked;
      out.overdue += tally.overdue;
    }
    out.wip_warning = full_columns();
    return out;
  }

  Items under_way() {
    std::vector<ContextItem> items;
    if (columns_.active.empty()) return items;
    auto filter = filter_of(columns_.active);
    filter.blocked = false;
    ANDON_CHECK(each(filter, TaskOrder::id, false, [&](Task const& task) {
      items.push_back(item_of(task, {}));
      return true;
    }));
    std::ranges::sort(items, {}, [&](ContextItem const& item) {
      auto const priority = core::priority_index(board_, item.priority).value_or(0);
      return std::pair{board_.priorities.size() - priority, item.id};
    });
    return items;
  }

  Items blocked() {
    std::vector<ContextItem> items;
    auto filter = filter_of(columns_.shown);
    filter.blocked = true;
    ANDON_CHECK(each(filter, TaskOrder::id, false, [&](Task const& task) {
      items.push_back(item_of(task, task.block_reason));
      return true;
    }));
    return items;
  }

  Items overdue() {
    std::vector<ContextItem> items;
    if (columns_.open.empty()) return items;
    ANDON_CHECK(each(filter_of(columns_.open), TaskOrder::due, false, [&](Task const& task) {
      if (!task.due || *task.due >= core::utc_day(ctx_.now)) return false;
      items.push_back(item_of(task, "due " + core::to_text(*task.due)));
      return true;
    }));
    return in_order(std::move(items));
  }

  Items completed() {
    std::vector<ContextItem> items;
    if (columns_.done.empty()) return items;
    ANDON_CHECK(each(filter_of(columns_.done), TaskOrder::updated, true, [&](Task const& task) {
      if (task.updated <= since_) return false;
      if (task.completed && *task.completed > since_)
        items.push_back(item_of(task, "completed " + core::to_text(*task.completed).substr(0, 10)));
      return true;
    }));
    return in_order(std::move(items));
  }

 private:
  store::TaskFilter filter_of(Names const& statuses) const {
    store::TaskFilter filter;
    filter.board = board_.id;
    filter.statuses = statuses;
    filter.now = ctx_.now;
    return filter;
  }

  /// The tasks in order, until `wants_more` says no.
  Result<void> each(store::TaskFilter const& filter, TaskOrder order, bool reverse,
                    std::function<bool(Task const&)> const& wants_more) {
    store::Page page{500, {}, order, reverse};
    do {
      ANDON_TRY(auto const found, ctx_.tx.list(filter, page));
      for (auto const& task : found.tasks)
        if (!wants_more(task)) return {};
      page.cursor = found.next;
    } while (!page.cursor.empty());
    return {};
  }

  static std::vector<ContextItem> in_order(std::vector<ContextItem> items) {
    std::ranges::sort(items, {}, &ContextItem::id);
    return items;
  }

  std::string full_columns() {
    auto const load = ctx_.tx.load(board_.id);
    std::string out;
    for (auto const& column : board_.columns) {
      if (!core::is_full(column, load)) continue;
      auto const found = load.columns.find(column.name);
      auto const count = found == load.columns.end() ? 0 : found->second;
      out += (out.empty() ? "WIP limit reached: " : ", ") + column.name + " (" + std::to_string(count) + "/" +
             std::to_string(column.wip_limit) + ")";
    }
    return out;
  }

  OperationContext& ctx_;
  Board const& board_;
  Columns columns_;
  core::Instant since_;
};

struct Section {
  std::string_view name;
  Items (ContextSections::*items)();
};
constexpr std::array kSections{Section{"in-progress", &ContextSections::under_way},
                               Section{"blocked", &ContextSections::blocked},
                               Section{"overdue", &ContextSections::overdue},
                               Section{"recently-completed", &ContextSections::completed}};

}  // namespace

Result<BoardContext> board_context(OperationContext& ctx, ContextRequest const& r) {
  ANDON_TRY(auto const* board, find_board(ctx, r.board));
  auto const days = r.days.value_or(kDays);
  if (days > kMostContextDays)
    return core::refuse(core::Code::kInvalidInput, "\"days\" must be at most 3660", "days");
  ContextSections gathering(ctx, *board, days > 0 ? days : kDays);
  BoardContext out{core::title_of(*board), gathering.summary(), std::nullopt};
  auto wanted = r.sections;
  if (wanted.empty())
    for (auto const& section : kSections) wanted.emplace_back(section.name);
  for (auto const& name : wanted) {
    auto const section = std::ranges::find(kSections, name, &Section::name);
    if (section == kSections.end()) continue;
    ANDON_TRY(auto items, (gathering.*section->items)());
    if (items.empty()) continue;
    if (!out.sections) out.sections.emplace();
    out.sections->push_back({name, std::move(items)});
  }
  return out;
}

}  // namespace andon::service
