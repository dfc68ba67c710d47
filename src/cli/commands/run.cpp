#include "cli/commands/run.hpp"

#include <algorithm>
#include <exception>
#include <new>

#include <boost/system/system_error.hpp>

#include "cli/command_line/execute.hpp"
#include "cli/command_line/help.hpp"
#include "cli/command_line/named_commands.hpp"
#include "cli/commands/machine/skill_folders.hpp"

namespace andon::cli {
namespace {

using core::Result;

Flag const* find_flag(std::span<Flag const> flags, std::string_view name, char shorthand) {
  auto const found = std::ranges::find_if(
      flags, [&](Flag const& f) { return name.empty() ? f.shorthand == shorthand : f.name == name; });
  return found == flags.end() ? nullptr : &*found;
}

/// Adds what the slip was probably meant to be.
core::Error with_suggestion(core::Error error, std::span<Flag const> own) {
  constexpr std::string_view kUnknown = "unknown flag: --";
  if (!error.message.starts_with(kUnknown)) return error;
  std::vector<std::string> names;
  for (auto const& flags : {own, global_flags()})
    for (auto const& flag : flags) names.push_back(flag.name);
  if (auto const meant = nearest(error.message.substr(kUnknown.size()), names); !meant.empty())
    error.message += "; did you mean --" + meant + "?";
  return error;
}

/// Reads a command line step by step, so that whatever was understood before a mistake still counts.
class Reading {
 public:
  Reading(std::span<std::string const> arguments, std::span<Command const> commands, std::string_view program)
      : commands_(commands),
        program_(program),
        reader_(arguments, [this](std::string_view name, char shorthand) {
          auto const* own = find_flag(flags_, name, shorthand);
          return own ? own : find_flag(global_flags(), name, shorthand);
        }) {}

  /// The command, or null when there is none on the line.
  Result<Command const*> command() {
    ANDON_CHECK(take_global_flags());
    if (reader_.at_end()) return nullptr;
    if (!reader_.at_word()) return std::unexpected(reader_.take_flags(given.flags).error());
    auto const first = reader_.take_word();
    auto const* found = find_command(commands_, first);
    auto const before = reader_;
    auto const flags_before = given.flags;
    ANDON_CHECK(take_global_flags());
    if (reader_.at_word())
      if (auto const* longer = find_command(commands_, first + " " + reader_.next())) {
        reader_.take_word();
        return longer;
      }
    if (!found && is_group(first) && given.has("help")) return group_ = first, nullptr;
    if (!found) {
      is_unknown_ = true;
      return unknown(first);
    }
    reader_ = before;
    given.flags = flags_before;
    return found;
  }

  Result<void> rest(Command const& command) {
    flags_ = flags_of(command);
    while (!reader_.at_end()) {
      if (reader_.at_word()) {
        given.words.push_back(reader_.take_word());
        continue;
      }
      if (auto taken = reader_.take_flags(given.flags); !taken)
        return std::unexpected(with_suggestion(std::move(taken).error(), flags_));
    }
    return {};
  }

  /// The first word of several commands, where help for it is asked.
  std::string const& group() const { return group_; }
  /// Whether the line names a command that does not exist. kanban-md tells of that before it reads any flag.
  bool is_unknown() const { return is_unknown_; }

  Given given;

 private:
  /// Stops at a word or at a flag that is not global.
  Result<void> take_global_flags() {
    while (!reader_.at_end() && !reader_.at_word() && !reader_.at_unknown_flag())
      ANDON_CHECK(reader_.take_flags(given.flags));
    return {};
  }

  bool is_group(std::string const& first) const {
    return std::ranges::any_of(commands_, [&](Command const& c) { return c.words.starts_with(first + " "); });
  }

  std::unexpected<core::Error> unknown(std::string const& first) {
    auto const word = is_group(first) && reader_.at_word() ? first + " " + reader_.next() : first;
    std::vector<std::string> names;
    for (auto const& c : commands_) names.emplace_back(c.words);
    auto message = "unknown command \"" + word + "\" for \"" + std::string{program_} + "\"";
    if (auto const meant = nearest(word, names); !meant.empty())
      message += "; did you mean \"" + meant + "\"?";
    return misuse(std::move(message));
  }

  std::span<Command const> commands_;
  std::string_view program_;
  std::vector<Flag> flags_;
  FlagReader reader_;
  bool is_unknown_ = false;
  std::string group_;
};

Format format_of(Given const& given, Environment const& env) {
  if (given.has("json")) return Format::json;
  if (given.has("compact") || given.has("oneline")) return Format::compact;
  if (given.has("table")) return Format::table;
  return default_format(env);
}

/// The edge of the process: an answer or a machine that nobody expected ends in a sentence and an exit code.
int carry_out(Invocation& in) try { return execute(in); } catch (std::bad_alloc const&) {
  return in.screen().refuse({core::Code::kNoSpace, "there is not enough memory for that", {}, {}, {}});
} catch (boost::system::system_error const& error) {
  auto message = "the answer is not one of Andon (" + error.code().message() +
                 "); check the address and the version of the server";
  return in.screen().refuse({core::Code::kInternalError, std::move(message), {}, {}, {}});
} catch (std::exception const& error) {
  auto message = std::string{"the command failed: "} + error.what();
  return in.screen().refuse({core::Code::kInternalError, std::move(message), {}, {}, {}});
}

Screen screen_for(Given const& given, Environment const& env) {
  bool const colour = env.out_is_terminal && env.variable("NO_COLOR").empty() && !given.has("no-color");
  return {env, format_of(given, env), colour, given.has("quiet")};
}

}  // namespace

int run(std::span<std::string const> arguments, Environment const& env) {
  auto named = own_commands();
  named.insert(named.end(), env.commands.begin(), env.commands.end());
  auto const commands = all_commands(named);
  Reading reading(arguments, commands, env.program);
  auto const command = reading.command();
  Result<void> read = command && *command ? reading.rest(**command) : Result<void>{};
  auto screen = screen_for(reading.is_unknown() ? Given{} : reading.given, env);
  if (!command) return screen.refuse(command.error());
  if (reading.given.has("version")) return screen.print(version_line(env)), 0;
  if (!reading.group().empty()) return screen.print(group_help_text(reading.group(), commands, env)), 0;
  if (!*command) return screen.print(help_text(commands, env)), 0;
  if (reading.given.has("help")) return screen.print(help_text(**command, commands, env)), 0;
  if (!read) return screen.refuse(read.error());
  Invocation in(env, commands, **command, std::move(reading.given), screen);
  if (auto const hint = stale_skill_hint(env); !hint.empty()) screen.tell(hint);
  return carry_out(in);
}

}  // namespace andon::cli
