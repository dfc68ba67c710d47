#include "service/boards/machine_commands.hpp"

#include <algorithm>

#include "service/given_field.hpp"
#include "service/operation_context.hpp"

namespace andon::service {
namespace {

using core::Command;
using core::Result;

using Commands = std::vector<Command>;
using CommandMap = std::map<std::string, Command>;

/// A command as a person types it. Words with other characters than those of names and paths are quoted.
std::string typed(Command const& argv) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,+@%";
  std::string out;
  for (auto const& word : argv) {
    if (!out.empty()) out += ' ';
    if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) {
      out += word;
      continue;
    }
    out += '\'';
    for (char const c : word) out += c == '\'' ? std::string{"'\\''"} : std::string{c};
    out += '\'';
  }
  return out;
}

/// The lines of what a request brings that was not there before.
class Brought {
 public:
  void commands(std::string const& field, std::optional<Commands> const& asked, Commands const& before) {
    if (!asked) return;
    for (auto const& argv : *asked)
      if (std::ranges::find(before, argv) == before.end()) lines.push_back(field + ": " + typed(argv));
  }
  void commands(std::string const& field, std::optional<CommandMap> const& asked, CommandMap const& before) {
    if (!asked) return;
    for (auto const& [name, argv] : *asked)
      if (auto const same = before.find(name); same == before.end() || same->second != argv)
        lines.push_back(field + "/" + name + ": " + typed(argv));
  }
  void variables(std::optional<std::vector<std::string>> const& asked,
                 std::vector<std::string> const& before) {
    if (!asked) return;
    for (auto const& variable : *asked)
      if (std::ranges::find(before, variable) == before.end()) lines.push_back("env: " + typed({variable}));
  }

  std::vector<std::string> lines;
};

core::Error unknown_command(std::string const& name, core::MachineCommands const& defined,
                            std::string const& field) {
  std::string known;
  for (auto const& [other, argv] : defined) known.append(known.empty() ? "" : ", ").append(other);
  return {core::Code::kInvalidInput,
          "this machine defines no command \"" + name + "\"; " +
              (known.empty() ? "commands.yml in its data directory has none" : "it has " + known),
          field,
          {},
          {}};
}

}  // namespace

Result<void> check_commands_are_of_machine(OperationContext const& ctx, BoardPolicies const& request,
                                           core::Board const& before) {
  if (ctx.caller.role == Role::machine) return {};
  Brought brought;
  brought.commands("checks", request.checks, before.checks);
  brought.commands("sources", request.sources, before.sources);
  brought.commands("setup", request.setup, before.setup);
  brought.commands("teardown", request.teardown, before.teardown);
  if (request.preview && !request.preview->empty())
    brought.commands("preview", std::optional{Commands{*request.preview}}, Commands{before.preview});
  if (request.test_list && !request.test_list->empty())
    brought.commands("test_list", std::optional{Commands{*request.test_list}}, Commands{before.test_list});
  brought.variables(request.env, before.env);
  if (brought.lines.empty()) return {};
  auto const field = brought.lines.front().substr(0, brought.lines.front().find_first_of("/:"));
  return core::refuse(core::Error{core::Code::kUnconfirmedCommand,
                                  "\"" + field +
                                      "\" brings a command or a variable that nobody on this machine has "
                                      "confirmed",
                                  field,
                                  {},
                                  {}}
                          .with("board", before.name)
                          .with("commands", std::move(brought.lines)));
}

Result<BoardPolicies> with_named_commands(BoardPolicies request) {
  if (!request.commands) return request;
  if (!request.defined)
    return invalid("commands can be named only when a board is made or edited; write them out here",
                   "commands");
  auto const named = *request.commands;
  auto const find = [&](std::string const& name, std::string const& field) -> Result<Command> {
    auto const found = request.defined->find(name);
    if (found == request.defined->end())
      return std::unexpected(unknown_command(name, *request.defined, "commands/" + field));
    return found->second;
  };
  auto const take_map = [&](std::optional<std::vector<std::string>> const& named,
                            std::optional<CommandMap>& into, std::string const& field) -> Result<void> {
    if (!named) return {};
    if (into) return invalid("\"" + field + "\" stands twice, with commands and with names", field);
    into.emplace();
    for (auto const& name : *named) ANDON_SET((*into)[name], find(name, field));
    return {};
  };
  auto const take_list = [&](std::optional<std::vector<std::string>> const& named,
                             std::optional<Commands>& into, std::string const& field) -> Result<void> {
    if (!named) return {};
    if (into) return invalid("\"" + field + "\" stands twice, with commands and with names", field);
    into.emplace();
    for (auto const& name : *named) {
      ANDON_TRY(auto argv, find(name, field));
      into->push_back(std::move(argv));
    }
    return {};
  };
  ANDON_CHECK(take_map(named.checks, request.checks, "checks"));
  ANDON_CHECK(take_map(named.sources, request.sources, "sources"));
  ANDON_CHECK(take_list(named.setup, request.setup, "setup"));
  ANDON_CHECK(take_list(named.teardown, request.teardown, "teardown"));
  auto const take_one = [&](std::optional<std::string> const& named, std::optional<Command>& into,
                            std::string const& field) -> Result<void> {
    if (!named) return {};
    if (into) return invalid("\"" + field + "\" stands twice, with a command and with a name", field);
    into.emplace();
    if (!named->empty()) ANDON_SET(*into, find(*named, field));
    return {};
  };
  ANDON_CHECK(take_one(named.preview, request.preview, "preview"));
  ANDON_CHECK(take_one(named.test_list, request.test_list, "test_list"));
  return request;
}

}  // namespace andon::service
