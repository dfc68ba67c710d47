#include "cli/help.hpp"

#include <algorithm>

#include "cli/safe_text.hpp"

namespace andon::cli {
namespace {

std::string flag_lines(std::span<Flag const> flags) {
  std::vector<std::string> names;
  std::size_t width = 0;
  for (auto const& flag : flags) {
    auto name =
        flag.shorthand ? std::string{"  -"} + flag.shorthand + ", --" + flag.name : "      --" + flag.name;
    if (flag.takes == Takes::value) name += " VALUE";
    if (flag.takes == Takes::list) name += " A,B,...";
    width = std::max(width, name.size());
    names.push_back(std::move(name));
  }
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i) out += padded(names[i], width + 3) + flags[i].help + "\n";
  return out;
}

}  // namespace

std::string help_text(std::span<Command const> commands, Environment const& env) {
  std::string out = "Andon: a board that people and agents work from.\n\nUsage:\n  " + env.program +
                    " COMMAND [flags]\n\nCommands:\n";
  std::size_t width = 0;
  for (auto const& command : commands) width = std::max(width, command.words.size());
  for (auto const& command : commands)
    out += "  " + padded(std::string{command.words}, width + 3) + std::string{command.summary} + "\n";
  return out + "\nGlobal flags:\n" + flag_lines(global_flags()) + "\nUse \"" + env.program +
         " COMMAND --help\" for the flags of a command.\n";
}

std::string help_text(Command const& command, Environment const& env) {
  std::string out =
      std::string{command.summary} + "\n\nUsage:\n  " + env.program + " " + usage_of(command) + "\n";
  if (auto const flags = flags_of(command); !flags.empty()) out += "\nFlags:\n" + flag_lines(flags);
  return out + "\nGlobal flags:\n" + flag_lines(global_flags());
}

std::string version_line(Environment const& env) { return env.program + " version " + env.version + "\n"; }

}  // namespace andon::cli
