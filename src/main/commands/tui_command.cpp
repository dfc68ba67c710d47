#include "main/commands/tui_command.hpp"

#include <mutex>
#include <optional>
#include <unistd.h>

#include "cli/command_line/invocation.hpp"
#include "cli/command_line/named_commands.hpp"
#include "core/text/ascii.hpp"
#include "os/network/private_addresses.hpp"
#include "os/system_error.hpp"
#include "os/terminal/held_messages.hpp"
#include "tui/program/run.hpp"

namespace andon::main {
namespace {

using cli::Invocation;
using core::Code;
using core::Result;

/// Without a server, the caller has the name that claims, so that it may also block a task that its move
/// claimed.
tui::BoardWay way_of(cli::Connection opened, std::string const& own_name) {
  auto const connection = std::make_shared<cli::Connection>(std::move(opened));
  auto caller = connection->caller;
  caller.source = core::Source::tui;
  if (!connection->server) caller.actor = {core::ActorKind::user, own_name};
  return tui::BoardWay{connection, connection->executor.get(), connection->server, std::move(caller)};
}

/// Opens ways as the command line says, each for a thread of its own. The first one is open already.
class WayOpener {
 public:
  WayOpener(cli::Location place, std::string as, std::string own_name, cli::Environment const& env,
            cli::Connection first)
      : place_(std::move(place)),
        as_(std::move(as)),
        own_name_(std::move(own_name)),
        env_(env),
        is_server_(first.server != nullptr),
        first_(way_of(std::move(first), own_name_)) {}

  Result<tui::BoardWay> open() {
    {
      std::lock_guard const lock{mutex_};
      if (first_) return *std::exchange(first_, std::nullopt);
    }
    ANDON_TRY(auto opened,
              is_server_ ? cli::connect_to_server(place_, as_, env_) : cli::connect(place_, as_, env_));
    return way_of(std::move(opened), own_name_);
  }

 private:
  cli::Location const place_;
  std::string const as_;
  std::string const own_name_;
  cli::Environment const& env_;
  bool const is_server_;
  std::mutex mutex_;
  std::optional<tui::BoardWay> first_;  ///< guarded by mutex_
};

/// Opens the board at once, so that what stands against it is said before the screen changes.
Result<tui::BoardAccess> access_of(Invocation& in, std::string const& own_name) {
  ANDON_TRY(auto const place, in.location());
  ANDON_TRY(auto first, in.take_connection());
  bool const is_server = first.server != nullptr;
  tui::BoardAccess access;
  auto const as = in.given().value("as").value_or("");
  access.open = [opener = std::make_shared<WayOpener>(place, as, own_name, in.env(), std::move(first))] {
    return opener->open();
  };
  if (auto const* files = std::get_if<cli::BoardDirectory>(&place)) access.files = files->root;
  access.is_shared = is_server || !access.files.empty();
  return access;
}

bool wants_a_board(Invocation& in) {
  in.screen().tell("No board found. Create one here? [Y/n]");
  std::string answer;
  if (!std::getline(in.env().in, answer)) return false;
  answer = core::ascii_lower(answer);
  return answer.empty() || answer == "y" || answer == "yes";
}

Result<tui::Options> options_of(Invocation& in) {
  auto const& given = in.given();
  if (given.has("hide-empty-columns") && given.has("show-empty-columns"))
    return core::refuse(Code::kStatusConflict,
                        "cannot use --hide-empty-columns and --show-empty-columns together");
  tui::Options out;
  if (given.has("hide-empty-columns")) out.hide_empty_columns = true;
  if (given.has("show-empty-columns")) out.hide_empty_columns = false;
  out.mouse = given.has("mouse");
  out.narrow = given.has("narrow");
  auto const machine = os::machine_name();
  out.own_name = given.value("as").value_or("tui@" + (machine.empty() ? "localhost" : machine));
  out.board = in.board();
  return out;
}

tui::Colours colours_of(Invocation& in) {
  auto const& env = in.env();
  if (in.given().has("no-color")) return tui::Colours::none;
  return tui::colours_of(env.variable("NO_COLOR"), env.variable("COLORTERM"), env.variable("TERM"));
}

Result<int> run_tui(Invocation& in) {
  ANDON_TRY(auto options, options_of(in));
  if (!in.env().in_is_terminal || !in.env().out_is_terminal)
    return core::refuse(Code::kInvalidInput,
                        "this needs a terminal; for scripts there are: andon board, andon list");
  std::optional<os::SignalQueue> signals{tui::kSignals};
  auto access = access_of(in, options.own_name);
  if (!access && access.error().code == Code::kBoardNotFound) {
    signals.reset();
    if (!wants_a_board(in)) return core::refuse(access.error());
    ANDON_TRY(auto const code, cli::run_init(in));
    if (code != 0) return code;
    signals.emplace(tui::kSignals);
    access = access_of(in, options.own_name);
  }
  if (!access) return core::refuse(access.error());
  // A warning in the middle of the picture would destroy it.
  os::HeldMessages const held;
  os::Terminal terminal{STDIN_FILENO, STDOUT_FILENO, options.mouse};
  return tui::run_board(terminal, *signals, in.env().clock, *std::move(access), std::move(options),
                        colours_of(in));
}

}  // namespace

cli::NamedCommand tui_command() {
  using cli::Takes;
  return {"tui",
          "",
          "Show the board on the whole terminal; press ? there for its keys.",
          {{"hide-empty-columns", 0, Takes::nothing, "Leave out columns without tasks"},
           {"show-empty-columns", 0, Takes::nothing, "Show them, whatever the board says"},
           {"mouse", 0, Takes::nothing, "Use the mouse: click, double click, drag, wheel"},
           {"narrow", 0, Takes::nothing, "One column at a time"}},
          &run_tui};
}

}  // namespace andon::main
