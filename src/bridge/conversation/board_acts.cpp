#include "bridge/conversation/board_acts.hpp"

#include <algorithm>

#include "bridge/conversation/chat_text.hpp"
#include "bridge/conversation/task_message.hpp"
#include "core/text/ascii.hpp"
#include "core/text/names.hpp"
#include "service/insight/search.hpp"
#include "service/insight/summary.hpp"
#include "service/limits/freeze.hpp"
#include "service/runs/dispatch.hpp"
#include "service/tasks/tasks.hpp"
#include "service/workers/workers.hpp"

namespace andon::bridge {
namespace {

using core::Code;
using core::Result;
using core::Stage;

constexpr int kTasksRead = 200;
constexpr int kHitsRead = 100;
constexpr std::string_view kAll = "all";
/// Steps of a message that writes twice.
constexpr int kThawStep = 1, kResumeStep = 2;

std::vector<Stage> const kOpenStages{Stage::ready,  Stage::claimed, Stage::active,
                                     Stage::review, Stage::blocked, Stage::failed};

/// Says that agents stand still, and how they go on.
void add_stopped_hint(OutMessage& message, service::Frozen const& frozen, ChatBoard const& chat_board,
                      std::string_view board) {
  bool const is_all = frozen.everything;
  if (!is_all && !service::is_frozen(frozen, board, chat_board.chat().worker)) return;
  message.text.push_back({is_all ? "\nAll agents are stopped. " : "\nStopped. "});
  message.text.push_back({is_all ? "/resume all" : "/resume", Style::command});
  message.text.push_back({is_all ? " lets them go on." : " lets it go on."});
}

Said plain(ChatBoard& chat_board, std::string text) {
  auto out = chat_board.message();
  out.text = {{std::move(text)}};
  return out;
}

std::string column_title(core::Board const& board, std::string const& name) {
  auto const* column = core::find_column(board, name);
  return one_line(column && !column->title.empty() ? column->title : name);
}

Result<std::vector<service::ColumnSummary>> columns_of(ChatBoard& chat_board, std::string const& board) {
  auto const& worker = chat_board.chat().worker;
  ANDON_TRY(auto summary,
            (chat_board.call<&service::board_summary>({board, worker.empty() ? "" : "assignee"})));
  if (worker.empty() || !summary.groups) return std::move(summary.statuses);
  auto const lane = std::ranges::find(*summary.groups, worker, &service::Swimlane::key);
  return lane == summary.groups->end() ? std::vector<service::ColumnSummary>{} : std::move(lane->statuses);
}

std::string column_line(core::Board const& board, service::ColumnSummary const& column) {
  auto out = column_title(board, column.status) + ": " + std::to_string(column.count);
  if (column.wip_limit > 0) out += " of " + std::to_string(column.wip_limit);
  if (column.blocked > 0) out += ", " + std::to_string(column.blocked) + " blocked";
  if (column.overdue > 0) out += ", " + std::to_string(column.overdue) + " overdue";
  return out;
}

bool is_here(ChatBoard const& chat_board, core::Worker const& worker, std::string_view board) {
  auto const& only = chat_board.chat().worker;
  return only.empty() ? core::serves(worker, board) : worker.name == only;
}

std::string light_line(ChatBoard& chat_board, core::Worker const& worker) {
  auto out = one_line(worker.title.empty() ? worker.name : worker.title) + ": " +
             std::string{core::kLightNames[static_cast<std::size_t>(worker.state)]};
  if (!worker.task) return out;
  if (auto const task = chat_board.task(*worker.task)) return out + ", " + task_label(*task);
  return out + ", a task elsewhere";
}

Result<std::vector<std::string>> worker_lines(ChatBoard& chat_board, std::string_view board) {
  ANDON_TRY(auto const workers, (chat_board.call<&service::list_workers>({})));
  std::vector<std::string> out;
  for (auto const& worker : workers.items)
    if (is_here(chat_board, worker, board)) out.push_back(light_line(chat_board, worker));
  return out;
}

Result<core::Column const*> column_named(core::Board const& board, std::string_view name) {
  if (auto const* column = core::find_column(board, name)) return column;
  std::string names;
  for (auto const& column : board.columns) names += (names.empty() ? "" : ", ") + column.name;
  return core::refuse(Code::kInvalidStatus,
                      "there is no column " + one_line(name, 40) + "; there are " + names);
}

OutMessage list_of(ChatBoard& chat_board, std::string heading, std::vector<core::Task> const& tasks,
                   bool with_column, bool is_complete) {
  auto out = chat_board.message();
  if (tasks.empty()) {
    out.text = {{heading + ": none."}};
    return out;
  }
  out.text = {{std::move(heading), Style::bold}};
  std::vector<std::string> rows;
  for (auto const& task : tasks) rows.push_back(task_row(task, with_column));
  add_rows(out, rows, rows.size(), is_complete);
  return out;
}

/// Adds the tasks that the worker of a chat holds without being their assignee.
Result<void> add_claimed(ChatBoard& chat_board, service::ListTasksRequest request,
                         std::vector<core::Task>& tasks) {
  auto const& worker = chat_board.chat().worker;
  if (worker.empty()) return {};
  request.assignee.clear();
  request.claimed_by = worker;
  ANDON_TRY(auto held, (chat_board.call<&service::list_tasks>(std::move(request))));
  for (auto& task : held.items)
    if (task.assignee != worker) tasks.insert(tasks.begin(), std::move(task));
  return {};
}

/// The agents that `/stop` of this chat stops: those of its worker, or of its board.
Result<service::FreezeRequest> own_agents(ChatBoard& chat_board) {
  if (auto const& worker = chat_board.chat().worker; !worker.empty())
    return service::FreezeRequest{{}, worker};
  ANDON_TRY(auto const board, chat_board.board_name());
  return service::FreezeRequest{board, {}};
}

/// True when these agents are stopped. `/resume` thaws only then, because each thaw is news for all chats.
bool is_named(service::Frozen const& frozen, service::FreezeRequest const& agents) {
  auto const& names = agents.worker.empty() ? frozen.boards : frozen.workers;
  return std::ranges::find(names, agents.worker.empty() ? agents.board : agents.worker) != names.end();
}

std::string name_of(service::FreezeRequest const& agents) {
  if (!agents.worker.empty()) return agents.worker;
  return agents.board.empty() ? "all boards" : "board " + agents.board;
}

/// The worker a command is about; the chat's own when it names none. Empty for the whole board.
Result<std::string> named_worker(ChatBoard& chat_board, std::string_view name) {
  auto const& own = chat_board.chat().worker;
  if (name.empty()) return own;
  ANDON_TRY(auto const board, chat_board.board_name());
  auto const worker = chat_board.call<&service::get_worker>({one_line(name, 64)});
  if (!worker || !is_here(chat_board, *worker, board))
    return core::refuse(Code::kWorkerNotFound, "this chat has no worker " + one_line(name, 64));
  return worker->name;
}

Result<void> set_dispatch(ChatBoard& chat_board, bool paused, int step) {
  ANDON_TRY(auto const board, chat_board.board_name());
  ANDON_CHECK(chat_board.call<&service::set_dispatch>({paused, board}, step));
  return {};
}

}  // namespace

Said show_board(ChatBoard& chat_board) {
  ANDON_TRY(auto const board, chat_board.board());
  ANDON_TRY(auto const columns, columns_of(chat_board, board.name));
  ANDON_TRY(auto const frozen, (chat_board.call<&service::list_frozen>({})));
  ANDON_TRY(auto const workers, worker_lines(chat_board, board.name));
  auto out = chat_board.message();
  auto title = one_line(board.title.empty() ? board.name : board.title);
  if (auto const& worker = chat_board.chat().worker; !worker.empty())
    title += ", tasks of " + chat_board.worker_title(worker);
  out.text = {{std::move(title), Style::bold}};
  for (auto const& column : columns)
    if (!core::same_name(column.status, "archived")) out.text.push_back({"\n" + column_line(board, column)});
  if (columns.empty()) out.text.push_back({"\nNo tasks."});
  if (!workers.empty()) out.text.push_back({"\n"});
  add_rows(out, workers, workers.size(), true);
  if (!board.auto_dispatch) out.text.push_back({"\nPaused: its workers take no new task."});
  add_stopped_hint(out, frozen, chat_board, board.name);
  return out;
}

Said show_task(ChatBoard& chat_board, std::string_view task) {
  ANDON_TRY(auto const found, chat_board.task(task));
  return task_card(chat_board, found);
}

Said list_tasks(ChatBoard& chat_board, std::string_view column) {
  ANDON_TRY(auto const board, chat_board.board());
  service::ListTasksRequest request;
  request.board = board.name;
  request.assignee = chat_board.chat().worker;
  request.sort = "updated";
  request.reverse = true;
  request.limit = kTasksRead;
  std::string heading = "Open tasks";
  if (column.empty()) {
    request.stage = kOpenStages;
  } else {
    ANDON_TRY(auto const* found, column_named(board, column));
    request.status = {found->name};
    heading = column_title(board, found->name);
  }
  ANDON_TRY(auto tasks, (chat_board.call<&service::list_tasks>(request)));
  ANDON_CHECK(add_claimed(chat_board, std::move(request), tasks.items));
  return list_of(chat_board, std::move(heading), tasks.items, column.empty(), tasks.next.empty());
}

Said search(ChatBoard& chat_board, std::string_view words) {
  service::SearchRequest request;
  request.q = cleaned(words);
  request.limit = kHitsRead;
  ANDON_TRY(request.board, chat_board.board_name());
  ANDON_TRY(auto hits, (chat_board.call<&service::search_tasks>(std::move(request))));
  std::vector<core::Task> tasks;
  for (auto& hit : hits.items) {
    ANDON_TRY(auto const is_shown, chat_board.shows(hit.task));
    if (is_shown) tasks.push_back(std::move(hit.task));
  }
  return list_of(chat_board, "Found", tasks, true, hits.next.empty() && !hits.truncated);
}

Said pause(ChatBoard& chat_board, std::string_view worker) {
  ANDON_TRY(auto const name, named_worker(chat_board, worker));
  if (name.empty()) {
    ANDON_CHECK(set_dispatch(chat_board, true, kThawStep));
    return plain(chat_board, "Paused: the workers of this board take no new task. What runs goes on.");
  }
  ANDON_CHECK(chat_board.call<&service::pause_worker>({name, "paused in a chat"}));
  return plain(chat_board, sentence(chat_board.worker_title(name) + " takes no new task; what runs goes on"));
}

Said resume(ChatBoard& chat_board, std::string_view worker) {
  if (core::is_ascii_equal(worker, kAll)) {
    ANDON_CHECK(chat_board.call<&service::thaw>({}));
    return plain(chat_board, "All agents of all boards go on.");
  }
  ANDON_TRY(auto const name, named_worker(chat_board, worker));
  ANDON_TRY(auto agents, own_agents(chat_board));
  if (!name.empty()) agents = {{}, name};
  ANDON_TRY(auto frozen, (chat_board.call<&service::list_frozen>({})));
  if (is_named(frozen, agents)) ANDON_SET(frozen, (chat_board.call<&service::thaw>(agents, kThawStep)));
  if (name.empty()) {
    ANDON_CHECK(set_dispatch(chat_board, false, kResumeStep));
  } else {
    ANDON_CHECK(chat_board.call<&service::resume_worker>({name}, kResumeStep));
  }
  auto text = name.empty() ? "Workers of this board take tasks again."
                           : sentence(chat_board.worker_title(name) + " takes tasks again");
  ANDON_TRY(auto const board, chat_board.board_name());
  auto out = chat_board.message();
  out.text = {{std::move(text)}};
  add_stopped_hint(out, frozen, chat_board, board);
  return out;
}

Said stop(ChatBoard& chat_board, std::string_view task) {
  bool const is_all = core::is_ascii_equal(task, kAll);
  if (!task.empty() && !is_all) return kill(chat_board, task);
  ANDON_TRY(auto agents, own_agents(chat_board));
  if (is_all) agents = {};
  ANDON_CHECK(chat_board.call<&service::freeze>(agents));
  auto out = chat_board.message();
  out.text = {{"Stopped: the agents of " + name_of(agents) + " stand still. "},
              {is_all ? "/resume all" : "/resume", Style::command},
              {" lets them go on."}};
  return out;
}

}  // namespace andon::bridge
