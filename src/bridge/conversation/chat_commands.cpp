#include "bridge/conversation/chat_commands.hpp"

#include <algorithm>
#include <array>

#include "api/operation.hpp"
#include "bridge/conversation/board_acts.hpp"
#include "bridge/conversation/chat_text.hpp"
#include "bridge/conversation/task_message.hpp"
#include "core/text/ascii.hpp"

namespace andon::bridge {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

Said help(ChatBoard& chat_board, CommandWords const&) {
  auto out = chat_board.message();
  out.text = {
      {"Write what shall be done, and it becomes a task. Reply to a question to answer it, to a task to add "
       "a note.\n"}};
  for (auto const& row : chat_commands()) {
    out.text.push_back({"\n"});
    out.text.push_back({"/" + std::string{row.name}, Style::command});
    if (!row.arguments.empty()) out.text.push_back({" " + std::string{row.arguments}, Style::bold});
    out.text.push_back({"  " + std::string{row.summary}});
  }
  return out;
}

// clang-format off
constexpr std::array kCommands{
    ChatCommand{"board", "", "Show the board in numbers and who works on what", 0, [](ChatBoard& b, CommandWords const&) { return show_board(b); }},
    ChatCommand{"tasks", "[COLUMN]", "List open tasks, or those of a column", 0, [](ChatBoard& b, CommandWords const& w) { return list_tasks(b, w.all); }},
    ChatCommand{"task", "ID", "Show one task", 1, [](ChatBoard& b, CommandWords const& w) { return show_task(b, w.first); }},
    ChatCommand{"add", "TEXT", "Add a task", 1, [](ChatBoard& b, CommandWords const& w) { return add_task(b, w.all); }},
    ChatCommand{"done", "ID [RESULT]", "Finish a task", 1, [](ChatBoard& b, CommandWords const& w) { return complete(b, w.first, w.rest); }},
    ChatCommand{"approve", "ID", "Let a task be worked on", 1, [](ChatBoard& b, CommandWords const& w) { return approve(b, w.first); }},
    ChatCommand{"answer", "ID TEXT", "Answer what a task asks", 2, [](ChatBoard& b, CommandWords const& w) { return answer(b, w.first, {w.rest, 0, {}}); }},
    ChatCommand{"kill", "ID", "End the work on a task; it goes back to the backlog", 1, [](ChatBoard& b, CommandWords const& w) { return kill(b, w.first); }},
    ChatCommand{"revert", "ID [REASON]", "Take the landed work of a task back", 1, [](ChatBoard& b, CommandWords const& w) { return revert(b, w.first, w.rest); }},
    ChatCommand{"output", "ID", "Follow what the agent of a task prints", 1, [](ChatBoard& b, CommandWords const& w) { return follow(b, w.first); }},
    ChatCommand{"search", "TEXT", "Find tasks by words", 1, [](ChatBoard& b, CommandWords const& w) { return search(b, w.all); }},
    ChatCommand{"pause", "[WORKER]", "Let the board, or a worker, take no new task", 0, [](ChatBoard& b, CommandWords const& w) { return pause(b, w.first); }},
    ChatCommand{"resume", "[WORKER|all]", "Undo /pause and /stop; all: of every board", 0, [](ChatBoard& b, CommandWords const& w) { return resume(b, w.first); }},
    ChatCommand{"stop", "[ID|all]", "Stop all agents here where they are, one task, or every agent", 0, [](ChatBoard& b, CommandWords const& w) { return stop(b, w.first); }},
    ChatCommand{"help", "", "Show this list", 0, &help},
};
// clang-format on

bool is_name_character(char c) { return core::is_ascii_alphanumeric(c) || c == '_'; }

std::string_view without_blanks(std::string_view text) {
  auto const first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

/// The name in `/name`; empty for a word that is no command, such as a path.
std::string_view name_in(std::string_view word) {
  if (!word.starts_with('/')) return {};
  auto const name = word.substr(1);
  return std::ranges::all_of(name, &is_name_character) ? name : std::string_view{};
}

CommandWords words_in(std::string_view text) {
  auto const all = without_blanks(text);
  auto const end = std::min(all.find_first_of(kBlanks), all.size());
  return {all, all.substr(0, end), without_blanks(all.substr(end))};
}

Said unknown_command(ChatBoard& chat_board, std::string_view name) {
  auto out = chat_board.message();
  out.text = {{"There is no command /" + one_line(name, 40) + ". "},
              {"/help", Style::command},
              {" lists those there are."}};
  return out;
}

Said usage(ChatBoard& chat_board, ChatCommand const& row) {
  auto out = chat_board.message();
  out.text = {{"Please write it like this: "},
              {"/" + std::string{row.name} + " " + std::string{row.arguments}, Style::code},
              {"\n" + std::string{row.summary} + "."}};
  return out;
}

}  // namespace

std::span<ChatCommand const> chat_commands() { return kCommands; }

std::optional<Said> command(ChatBoard& chat_board, std::string_view text) {
  auto const line = words_in(text);
  auto const name = name_in(line.first);
  if (name.empty()) return std::nullopt;
  auto const* const row = std::ranges::find(kCommands, core::ascii_lower(name),
                                            [](ChatCommand const& r) { return std::string{r.name}; });
  if (row == kCommands.end()) return unknown_command(chat_board, name);
  auto const words = words_in(line.rest);
  int const given = words.first.empty() ? 0 : words.rest.empty() ? 1 : 2;
  return given < row->needed ? usage(chat_board, *row) : row->run(chat_board, words);
}

}  // namespace andon::bridge
