#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tui/screen/input.hpp"

namespace andon::api {
struct Operation;
}

namespace andon::tui {

/// Acts of the board that are no operation of the table.
enum class Act {
  none,
  left,
  right,
  up,
  down,
  page_up,
  page_down,
  first,
  last,
  open,
  create,
  edit,
  move,
  next,
  previous,
  raise,
  lower,
  remove,
  sort,
  reverse,
  search,
  reload,
  help,
  debug,
  inbox,
  output,
  diff,
  workers,
  freeze,
  cord,
  pause,
  boards,
  suspend,
  escape,
  quit,
};

/// The boards on which a key works.
enum class Where { every_board, server };

/// A key of the board for a person: how it is written, what it does.
struct KeyHelp {
  std::string keys;
  std::string says;
};

/// The act that the key stands for on a board; some keys work on a server's board only.
Act act_of(KeyPress const& key, bool is_server);
/// The operations on a task that have this key in the operation table, in its order.
std::vector<api::Operation const*> operations_of(std::string_view key);
/// The verb of an operation on a task, as `can` and `cannot` of a task name it.
std::string_view verb_of(api::Operation const& operation);
/// All keys, for the page that lists them.
std::vector<KeyHelp> key_help(bool is_server, bool with_mouse);

}  // namespace andon::tui
