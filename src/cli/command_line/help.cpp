#include "cli/command_line/help.hpp"

#include <algorithm>
#include <array>

#include "api/operation.hpp"
#include "cli/command_line/safe_text.hpp"

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

/// Under which heading the commands of a kind of object stand, by the first word of their address.
struct HelpGroup {
  std::string_view path;
  std::string_view heading;
};
constexpr std::string_view kRunning = "Running it";
constexpr std::array kHelpGroups{HelpGroup{"/dependencies", "Work on tasks"},
                                 HelpGroup{"/tasks", "Work on tasks"},
                                 HelpGroup{"/pick", "Work on tasks"},
                                 HelpGroup{"/search", "Work on tasks"},
                                 HelpGroup{"/boards", "Boards"},
                                 HelpGroup{"/workers", "The team"},
                                 HelpGroup{"/accounts", "The team"},
                                 HelpGroup{"/automations", "The team"},
                                 HelpGroup{"/team", "The team"},
                                 HelpGroup{"/dispatch", "The team"},
                                 HelpGroup{"/events", "What happened"},
                                 HelpGroup{"/runs", "What happened"},
                                 HelpGroup{"/metrics", "What happened"}};
constexpr std::array<std::string_view, 5> kHeadings{"Work on tasks", "Boards", "The team", "What happened",
                                                    kRunning};

/// The headings of commands that are no operations, by their words.
constexpr std::array kOthers{HelpGroup{"import", "Work on tasks"}, HelpGroup{"apply", "The team"},
                             HelpGroup{"export", "The team"},      HelpGroup{"config", "Boards"},
                             HelpGroup{"config get", "Boards"},    HelpGroup{"config set", "Boards"}};

std::string_view heading_of(Command const& command) {
  if (!command.operation) {
    auto const other = std::ranges::find(kOthers, command.words, &HelpGroup::path);
    return other == kOthers.end() ? kRunning : other->heading;
  }
  auto const path = command.operation->path;
  auto const found =
      std::ranges::find_if(kHelpGroups, [&](HelpGroup const& kind) { return path.starts_with(kind.path); });
  return found == kHelpGroups.end() ? kRunning : found->heading;
}

/// The commands whose first word is that one, with what each is for; nothing when there are none.
std::string sub_commands(std::string_view group, std::span<Command const> commands) {
  auto const first = std::string{group} + " ";
  std::size_t width = 0;
  for (auto const& command : commands)
    if (command.words.starts_with(first)) width = std::max(width, command.words.size());
  std::string out;
  for (auto const& command : commands)
    if (command.words.starts_with(first))
      out += "  " + padded(std::string{command.words}, width + 3) + std::string{command.summary} + "\n";
  return out;
}

}  // namespace

std::string help_text(std::span<Command const> commands, Environment const& env) {
  std::string out =
      std::string{env.is_kanban_md() ? "kanban-md (Andon): a board of Markdown files" : "Andon: a board"} +
      " that people and agents work from.\n\nUsage:\n  " + env.program + " COMMAND [flags]\n";
  std::size_t width = 0;
  for (auto const& command : commands) width = std::max(width, command.words.size());
  for (auto const heading : kHeadings) {
    out += "\n" + std::string{heading} + ":\n";
    for (auto const& command : commands)
      if (heading_of(command) == heading)
        out += "  " + padded(std::string{command.words}, width + 3) + std::string{command.summary} + "\n";
  }
  return out + "\nGlobal flags:\n" + flag_lines(global_flags()) + "\nUse \"" + env.program +
         " COMMAND --help\" for the flags of a command.\n";
}

std::string group_help_text(std::string_view group, std::span<Command const> commands,
                            Environment const& env) {
  return "Usage:\n  " + env.program + " " + std::string{group} + " COMMAND [flags]\n\nCommands:\n" +
         sub_commands(group, commands);
}

std::string help_text(Command const& command, std::span<Command const> commands, Environment const& env) {
  std::string out =
      std::string{command.summary} + "\n\nUsage:\n  " + env.program + " " + usage_of(command) + "\n";
  std::string aliases;
  for (auto const word : other_words(command.words)) (aliases += aliases.empty() ? "" : ", ") += word;
  if (!aliases.empty()) out += "\nAliases: " + aliases + "\n";
  if (auto const more = sub_commands(command.words, commands); !more.empty()) out += "\nCommands:\n" + more;
  if (auto const flags = flags_of(command); !flags.empty()) out += "\nFlags:\n" + flag_lines(flags);
  return out + "\nGlobal flags:\n" + flag_lines(global_flags());
}

std::string version_line(Environment const& env) { return env.program + " version " + env.version + "\n"; }

}  // namespace andon::cli
