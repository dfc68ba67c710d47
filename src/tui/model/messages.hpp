#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <boost/json/object.hpp>

#include "api/run_output.hpp"
#include "service/insight/live.hpp"
#include "tui/screen/input.hpp"

namespace andon::api {
struct Operation;
}

namespace andon::tui {

/// The use of an answer.
enum class Purpose {
  act,      ///< a change was made
  create,   ///< a task was made
  verbs,    ///< a task with the verbs that are possible now, of which a key has asked for one
  task,     ///< a task, for its page
  reasons,  ///< why nobody works on that task, for its page
  cards,    ///< why nobody works on several tasks, for their cards
  runs,     ///< the runs of a task, the last of which has the output
  diff,     ///< what the work on a task changed
  boards,   ///< the boards, to choose one
  frozen,   ///< whose agents are frozen, to freeze or free those of a worker
};

/// An operation that is wanted. Operations run in the background, one after the other.
struct Ask {
  Purpose purpose = Purpose::act;
  api::Operation const* operation = nullptr;
  boost::json::object request{};
  core::TaskId task = 0;
  std::string key{};                    ///< of `verbs`: the key that was pressed
  std::optional<core::Revision> rev{};  ///< the change is for this revision only
};
/// The output of a run is wanted, from a place on.
struct ReadOutput {
  core::RunId run = 0;
  std::string since;
};
/// The board is to be read anew, or another one instead.
struct ReadBoard {
  std::string board;
};
struct Quit {};
struct Suspend {};
using Effect = std::variant<Ask, ReadOutput, ReadBoard, Quit, Suspend>;
using Effects = std::vector<Effect>;

struct Answered {
  Ask ask;
  core::Result<boost::json::value> answer;
};
struct OutputRead {
  core::RunId run = 0;
  core::Result<api::OutputPage> page;
};
/// The board as it is; its other cards follow in `CardsRead`.
struct BoardRead {
  service::Snapshot snapshot;
  bool is_live = false;  ///< it comes from a server that tells of every change
  int turn = 0;          ///< rises with every reading
};
struct CardsRead {
  std::vector<service::Card> cards;
};
/// All cards of a `BoardRead` have been told: cards that were not are no longer there.
struct BoardComplete {
  bool is_cut = false;  ///< the board has more cards than are read
};
/// Changes of a board, in their order on the server's stream.
struct BoardChanged {
  int turn = 0;  ///< of the `BoardRead` that the stream follows; one of another board has another turn
  std::vector<service::Card> cards;
  std::vector<core::TaskId> gone;
  std::map<core::TaskId, std::string> lines;
  std::vector<core::Worker> workers;
  std::vector<std::string> workers_gone;
  std::optional<core::Board> board;
  std::map<std::string, std::int64_t> counts;
  std::optional<service::DispatchLight> dispatch;
};
/// The way to the board is lost, for the reason in the text; found again when empty.
struct Connection {
  std::string trouble;
};
struct Resized {
  int columns = 80;
  int rows = 24;
};
/// Time has passed.
struct Tick {};

using Happening = std::variant<KeyPress, MouseEvent, Paste, Answered, OutputRead, BoardRead, CardsRead,
                               BoardComplete, BoardChanged, Connection, Resized, Tick>;

}  // namespace andon::tui
