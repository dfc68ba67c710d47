#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/value.hpp>

#include "api/flag.hpp"
#include "cli/command_line/flags.hpp"

namespace andon::api {
struct Operation;
}

namespace andon::cli {

class Invocation;

/// The result of an act: the answer for scripts and the text for people. Without an answer, scripts get the
/// text too.
struct CommandResult {
  boost::json::value answer;
  std::string text;
};

/// Carries out an operation's command for one request.
using CommandHandler = core::Result<CommandResult> (*)(Invocation&, boost::json::object request);

/// A command that is no operation: `serve`, `help`, `init`. Its function answers with the exit code.
struct NamedCommand {
  std::string_view words;
  std::string_view arguments;  ///< for the usage line, such as `[SHELL]`
  std::string_view summary;
  std::vector<Flag> flags;
  std::function<core::Result<int>(Invocation&)> function;
};

/// One word a command takes without a flag.
struct Positional {
  std::string_view name;
  bool optional = false;
};

/// One command of the command line: an operation with its words, or a named command.
struct Command {
  std::string_view words;
  std::string_view summary;
  std::string_view arguments{};  ///< as in `api::Command::positional`, or free text of a named command
  api::Operation const* operation = nullptr;
  CommandHandler handler = nullptr;
  NamedCommand const* named = nullptr;
};

std::vector<Positional> positionals(Command const& command);
/// Every flag of the command itself, without the global ones.
std::vector<Flag> flags_of(Command const& command);
/// The flag of that name that the operation's row lists; null when it is derived from a field.
api::Flag const* listed_flag(api::Operation const& operation, std::string_view name);
/// The flags that every command has.
std::span<Flag const> global_flags();
/// The name of a field as a flag: `depends_on` is `depends-on`.
std::string flag_name(std::string_view field);
/// The name of a flag as a field: `depends-on` is `depends_on`.
std::string field_name(std::string_view flag);
/// The usage line of a command: `andon move ID[,ID...] [STATUS] [flags]`, without the program's name.
std::string usage_of(Command const& command);

/// Whether several tasks may be named at once.
bool takes_many(Command const& command);

/// All commands: the operations in the order of the reference, then the named ones.
std::vector<Command> all_commands(std::span<NamedCommand const> brought);
/// The word a shorter or older spelling stands for: `ls` is `list`.
std::string_view full_word(std::string_view word);
/// The shorter and older spellings of a word.
std::vector<std::string_view> other_words(std::string_view word);
/// The command with exactly these words, or null.
Command const* find_command(std::span<Command const> commands, std::string_view words);
/// The name among `names` that `word` is most likely a slip of; empty when none is near.
std::string nearest(std::string_view word, std::span<std::string const> names);

}  // namespace andon::cli
