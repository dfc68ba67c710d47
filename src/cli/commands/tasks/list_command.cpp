#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <limits>

#include "cli/command_line/command_handlers.hpp"
#include "cli/command_line/invocation.hpp"
#include "cli/command_line/pages.hpp"
#include "cli/views/board_views.hpp"
#include "cli/views/task_views.hpp"
#include "core/model/board.hpp"
#include "service/boards/boards.hpp"
#include "service/tasks/tasks.hpp"

namespace andon::cli {
namespace {

namespace json = boost::json;
using core::Result;

constexpr std::size_t kTasksPerPage = 500;
/// kanban-md lists by number when it does not know the order asked for.
constexpr std::array<std::string_view, 8> kOrders{"id",      "title",   "status", "priority",
                                                  "created", "updated", "due",    "pick"};

/// The number of tasks to show. As in kanban-md, 0 means all.
Result<std::size_t> task_limit_of(Given const& given) {
  auto const text = given.value("limit").value_or("0");
  std::size_t limit = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), limit);
  if (error != std::errc{} || end != text.data() + text.size())
    return misuse("invalid argument \"" + text + "\" for \"-n, --limit\" flag: must be a whole number");
  return limit == 0 ? std::numeric_limits<std::size_t>::max() : limit;
}

/// Page after page, until the limit or the end.
Result<json::array> fetch(Invocation& in, json::object request, std::size_t limit) {
  json::array items;
  Pages pages(in);
  for (;;) {
    request["limit"] = static_cast<std::int64_t>(std::min(kTasksPerPage, limit - items.size()));
    ANDON_TRY(auto answer, in.call<&service::list_tasks>(request));
    auto& page = answer.at("items").as_array();
    std::ranges::move(page, std::back_inserter(items));
    auto const next = text_of(answer.as_object(), "next");
    if (next.empty() || items.size() >= limit) return items;
    ANDON_CHECK(pages.check_next(next));
    request["cursor"] = next;
  }
}

/// Tasks under the headings of what they have in common.
std::string grouped_text(std::vector<core::Task> const& tasks, core::Board const& board,
                         service::Grouping const& grouping, std::vector<service::Swimlane> const& lanes,
                         Screen const& screen) {
  std::string out;
  for (auto const& lane : lanes) {
    std::vector<core::Task> members;
    for (auto const& task : tasks)
      if (auto const keys = service::keys_of(grouping, task, board);
          std::ranges::find(keys, lane.key) != keys.end())
        members.push_back(task);
    out += (out.empty() ? "" : "\n") + heading(lane.key, lane.total) + task_list(members, screen);
  }
  return out;
}

template <class Rows, class Name>
void add_missing(Rows& rows, Rows const& more, Name name) {
  for (auto const& row : more)
    if (std::ranges::find(rows, std::invoke(name, row), name) == rows.end()) rows.push_back(row);
}

/// The named board; without one, everything any board has, for a list that spans them.
Result<core::Board> board_of_list(Invocation& in) {
  if (auto const name = in.board(); !name.empty()) {
    ANDON_TRY(auto const answer, in.call<&service::get_board>({{"board", name}}));
    return answer_as<core::Board>(answer);
  }
  ANDON_TRY(auto const answer, in.call<&service::list_boards>({}));
  ANDON_TRY(auto const boards, answer_as<service::Boards>(answer));
  core::Board all;
  for (auto const& board : boards.items) {
    add_missing(all.columns, board.columns, &core::Column::name);
    add_missing(all.priorities, board.priorities, std::identity{});
    add_missing(all.classes, board.classes, &core::ServiceClass::name);
  }
  if (boards.items.size() > 1)
    for (auto& column : all.columns) column.wip_limit = 0;
  return all;
}

Result<CommandResult> grouped(Invocation& in, std::vector<core::Task> const& tasks,
                              service::Grouping const& grouping) {
  ANDON_TRY(auto const board, board_of_list(in));
  service::SwimlaneCounter counter(board, grouping);
  for (auto const& task : tasks) counter.add(task, in.env().clock.now());
  auto const lanes = counter.lanes();
  ANDON_TRY(auto groups, reflect::parse_json(reflect::to_json(lanes)));
  return CommandResult{json::object{{"groups", std::move(groups)}},
                       grouped_text(tasks, board, grouping, lanes, in.screen())};
}

Result<std::vector<core::Task>> typed(json::array const& items) {
  std::vector<core::Task> tasks;
  tasks.reserve(items.size());
  for (auto const& item : items) {
    ANDON_TRY(auto task, answer_as<core::Task>(item));
    tasks.push_back(std::move(task));
  }
  return tasks;
}

}  // namespace

Result<CommandResult> list_tasks(Invocation& in, json::object request) {
  ANDON_TRY(auto const limit, task_limit_of(in.given()));
  auto const group_by = in.given().value("group-by");
  service::Grouping const* grouping = nullptr;
  if (group_by) ANDON_SET(grouping, service::grouping_named(*group_by));
  if (auto const sort = in.given().value("sort"); sort && std::ranges::find(kOrders, *sort) == kOrders.end())
    request.erase("sort");
  if (in.given().has("archived") && !request.contains("stage")) request["stage"] = json::array{"archived"};
  if (in.screen().is_json() && !grouping) request["bodies"] = true;
  ANDON_TRY(auto items, fetch(in, std::move(request), limit));
  end_bodies(in, items);
  if (in.screen().is_json() && !grouping) return CommandResult{json::object{{"items", std::move(items)}}, {}};
  ANDON_TRY(auto const tasks, typed(items));
  if (grouping && (in.screen().is_json() || !tasks.empty())) return grouped(in, tasks, *grouping);
  if (!tasks.empty()) return CommandResult{nullptr, task_list(tasks, in.screen())};
  in.screen().tell("No tasks found.");
  return CommandResult{};
}

}  // namespace andon::cli
