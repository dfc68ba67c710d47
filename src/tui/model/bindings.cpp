#include "tui/model/bindings.hpp"

#include <algorithm>
#include <array>

#include "api/operation.hpp"

namespace andon::tui {
namespace {

struct KeyRow {
  Act act;
  std::string_view says;   ///< empty for a key that another row tells of
  std::string_view shown;  ///< the keys as they are written
  std::array<std::string_view, 2> characters{};
  Key special = Key::character;
  bool control = false;
  Where where = Where::every_board;
};

/// The keys of kanban-md's board, and ours. The keys of operations on a task stand in the operation table.
constexpr std::array kKeys{
    KeyRow{Act::left, "Move to left column", "←/h", {"h"}, Key::left},
    KeyRow{Act::right, "Move to right column", "→/l", {"l"}, Key::right},
    KeyRow{Act::down, "Move cursor down", "↓/j", {"j"}, Key::down},
    KeyRow{Act::up, "Move cursor up", "↑/k", {"k"}, Key::up},
    KeyRow{Act::right, "", "", {}, Key::tab},
    KeyRow{Act::left, "", "", {}, Key::back_tab},
    KeyRow{Act::first, "First card of the column", "home/g", {"g"}, Key::home},
    KeyRow{Act::last, "Last card of the column", "end/G", {"G"}, Key::end},
    KeyRow{Act::page_up, "", "", {}, Key::page_up},
    KeyRow{Act::page_down, "", "", {}, Key::page_down},
    KeyRow{Act::open, "Show task detail", "enter", {}, Key::enter},
    KeyRow{Act::create, "Create new task in column", "c", {"c"}},
    KeyRow{Act::edit, "Edit selected task (same flow as create)", "e", {"e"}},
    KeyRow{Act::move, "Move task (status picker)", "m", {"m"}},
    KeyRow{Act::next, "Move task to next status", "n", {"n"}},
    KeyRow{Act::previous, "Move task to previous status", "p", {"p"}},
    KeyRow{Act::raise, "Raise task priority", "+/=", {"+", "="}},
    KeyRow{Act::lower, "Lower task priority", "-/_", {"-", "_"}},
    KeyRow{Act::remove, "Delete task", "d", {"d"}},
    KeyRow{Act::sort, "Cycle sort field (priority/created/updated/title)", "s", {"s"}},
    KeyRow{Act::reverse, "Reverse sort direction", "S", {"S"}},
    KeyRow{Act::search, "Search by title, or by ID with #12 (trailing space = exact)", "/", {"/"}},
    KeyRow{Act::reload, "Refresh board", "r", {"r"}},
    KeyRow{Act::inbox, "What waits for you", "i", {"i"}, Key::character, false, Where::server},
    KeyRow{Act::output, "Output of its run, live", "o", {"o"}, Key::character, false, Where::server},
    KeyRow{Act::diff, "What its work changed", "v", {"v"}, Key::character, false, Where::server},
    KeyRow{Act::workers, "Workers with their lights", "w", {"w"}, Key::character, false, Where::server},
    KeyRow{Act::freeze,
           "Freeze the agent of its worker, or let it go on",
           "f",
           {"f"},
           Key::character,
           false,
           Where::server},
    KeyRow{Act::cord,
           "Pull the cord: freeze all agents of the board, or let them go on",
           "!",
           {"!"},
           Key::character,
           false,
           Where::server},
    KeyRow{Act::pause, "Pause or resume dispatch", "P", {"P"}, Key::character, false, Where::server},
    KeyRow{Act::boards, "Go to another board", "B", {"B"}, Key::character, false, Where::server},
    KeyRow{Act::help, "Show this help", "?", {"?"}},
    KeyRow{Act::suspend, "Suspend (fg resumes)", "ctrl+z", {"z"}, Key::character, true},
    KeyRow{Act::debug, "", "", {"d"}, Key::character, true},
    KeyRow{Act::escape, "", "", {}, Key::escape},
    KeyRow{Act::quit, "Quit", "esc/q", {"q"}},
};

bool matches(KeyRow const& row, KeyPress const& key) {
  if (key.alt) return false;
  if (row.special != Key::character && row.special == key.key) return true;
  return key.key == Key::character && key.control == row.control &&
         std::ranges::find(row.characters, key.text) != row.characters.end() && !key.text.empty();
}

}  // namespace

Act act_of(KeyPress const& key, bool is_server) {
  for (auto const& row : kKeys)
    if (matches(row, key) && (is_server || row.where == Where::every_board)) return row.act;
  return Act::none;
}

std::vector<api::Operation const*> operations_of(std::string_view key) {
  std::vector<api::Operation const*> out;
  if (key.empty()) return out;
  for (auto const& operation : api::operations())
    if (operation.board_key.key == key) out.push_back(&operation);
  return out;
}

std::string_view verb_of(api::Operation const& operation) {
  return operation.path.substr(operation.path.rfind('/') + 1);
}

std::vector<KeyHelp> key_help(bool is_server, bool with_mouse) {
  std::vector<KeyHelp> out;
  for (auto const& row : kKeys)
    if (!row.says.empty() && row.act != Act::quit && row.act != Act::help && row.act != Act::suspend &&
        (is_server || row.where == Where::every_board))
      out.push_back({std::string{row.shown}, std::string{row.says}});
  for (auto const& operation : api::operations())
    if (!operation.board_key.key.empty()) {
      auto says = std::string{operation.summary};
      if (says.ends_with('.')) says.pop_back();
      out.push_back({std::string{operation.board_key.key}, says});
    }
  for (auto const act : {Act::help, Act::suspend, Act::quit}) {
    auto const& row = *std::ranges::find(kKeys, act, &KeyRow::act);
    out.push_back({std::string{row.shown}, std::string{row.says}});
  }
  out.push_back({"ctrl+c", "Force quit"});
  if (!with_mouse) return out;
  out.push_back({"click", "Select task; double-click opens detail"});
  out.push_back({"drag", "Move task to another column"});
  out.push_back({"wheel", "Move selection or scroll task detail"});
  return out;
}

}  // namespace andon::tui
