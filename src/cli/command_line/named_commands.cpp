#include "cli/command_line/named_commands.hpp"

#include "cli/command_line/help.hpp"
#include "cli/command_line/invocation.hpp"

namespace andon::cli {
namespace {

using core::Result;

Result<int> run_help(Invocation& in) {
  std::string words;
  for (auto const& word : in.given().words) words.append(words.empty() ? "" : " ").append(word);
  if (words.empty()) {
    in.screen().print(help_text(in.commands(), in.env()));
    return 0;
  }
  auto const* command = find_command(in.commands(), words);
  if (!command) return misuse("unknown command \"" + words + "\" for \"" + in.env().program + "\"");
  in.screen().print(help_text(*command, in.commands(), in.env()));
  return 0;
}

Result<int> run_version(Invocation& in) {
  if (!in.screen().is_json()) return in.screen().print(version_line(in.env())), 0;
  boost::json::array libraries;
  for (auto const& each : in.env().libraries ? in.env().libraries() : std::vector<LinkedLibrary>{}) {
    boost::json::object one{{"name", each.name}, {"version", each.version}, {"kind", each.kind}};
    if (!each.system.empty()) one["system"] = each.system;
    libraries.push_back(std::move(one));
  }
  in.screen().print(boost::json::object{
      {"program", in.env().program}, {"version", in.env().version}, {"libraries", std::move(libraries)}});
  return 0;
}

constexpr auto kHookName =
    "The agent claims under this name; left out, the hooks take the name from the agent's own commands";

/// The flags that choose the settings file, behind those.
std::vector<Flag> hook_flags(std::vector<Flag> flags) {
  flags.push_back({"shared", 0, Takes::nothing,
                   "In .claude/settings.json, which a team shares in git; .claude/settings.local.json, the "
                   "default, is yours alone"});
  flags.push_back(
      {"user", 0, Takes::nothing, "In ~/.claude/settings.json, for all your projects and work trees"});
  flags.push_back({"to", 0, Takes::value, "In this settings file"});
  return flags;
}

}  // namespace

std::vector<NamedCommand> own_commands() {
  return {
      {"init",
       "",
       "Make a board of Markdown files in the folder kanban, or a store in .andon.",
       {{"name", 0, Takes::value, "Name of the board; the folder's when left out"},
        {"template", 0, Takes::value, "classic, queue or flow (the default)"},
        {"statuses", 0, Takes::list, "Columns in order, each NAME or NAME:LIMIT"},
        {"wip-limit", 0, Takes::list, "Limit of a column, as NAME:LIMIT"},
        {"sqlite", 0, Takes::nothing, "Make a store in .andon, for a server"}},
       &run_init},
      {"apply",
       "FILE|DIR",
       "Make boards, workers and automations as files describe them.",
       {{"dry-run", 0, Takes::nothing, "Only tell what would change"},
        {"prune", 0, Takes::nothing, "Remove what the files do not name, of the kinds they describe"}},
       &run_apply},
      {"export",
       "[DIR]",
       "Describe boards, workers and automations as apply takes them.",
       {{"force", 0, Takes::nothing, "Replace the file that is there"}},
       &run_export},
      {"import",
       "FILE|DIR",
       "Take over tasks: JSON, CSV, GitHub issues, a kanban-md or Backlog.md folder.",
       {{"format", 0, Takes::value,
         "json, csv, github, kanban-md or backlog; seen from the content when left out"},
        {"status", 0, Takes::value, "Column for all of them, whatever they say"},
        {"resume", 0, Takes::value, "Go on with an import that was broken off; its refusal tells the name"},
        {"dry-run", 0, Takes::nothing, "Only tell what would come of it"}},
       &run_import},
      {"board merge-driver",
       "BASE OURS THEIRS [PATH] | install",
       "Merge a file of a board for git, or tell git to have it do so.",
       {},
       &run_merge_driver},
      {"doctor",
       "",
       "Look a board or a store through: what would be repaired, and what is wrong.",
       {{"repo", 0, Takes::value,
         "Say instead what Andon will do with this repository, a path or a clone URL"},
        {"branch", 0, Takes::value, "With --repo: the branch at which work shall begin"},
        {"folder", 0, Takes::value, "With --repo: the folder in which agents shall work"},
        {"branch-prefix", 0, Takes::value, "With --repo: the prefix of the branches of tasks"}},
       &run_doctor},
      {"confirm",
       "CODE",
       "Let a change that came over the network bring its commands: shows them and asks.",
       {{"yes", 'y', Takes::nothing, "Do not ask"},
        {"browser", 0, Takes::nothing, "Let the browser that asked bring more commands for 15 minutes"}},
       &run_confirm},
      {"agent-name", "", "Print a name of two words for an agent.", {}, &run_agent_name},
      {"config", "", "Print the settings of a board.", {}, &run_config},
      {"config get", "KEY", "Print one setting of a board.", {}, &run_config_get},
      {"config set", "KEY VALUE", "Change a setting of a board.", {}, &run_config_set},
      {"skill", "[COMMAND]", "Say what can be done with the skills for agents.", {}, &run_skill},
      {"skill install",
       "",
       "Install the skills that teach agents this board.",
       {{"agent", 0, Takes::list,
         "For these: claude, codex, cursor, openclaw, agents (the shared .agents/skills)"},
        {"skill", 0, Takes::list, "These skills: kanban-md, kanban-based-development"},
        {"global", 0, Takes::nothing, "In the home directory instead of the project"},
        {"force", 0, Takes::nothing, "Also where this version is installed already"},
        {"path", 0, Takes::value, "In this folder, whatever the agent"}},
       &run_skill_install},
      {"skill update",
       "",
       "Bring installed skills up to date.",
       {{"agent", 0, Takes::list,
         "For these: claude, codex, cursor, openclaw, agents (the shared .agents/skills)"},
        {"global", 0, Takes::nothing, "In the home directory instead of the project"}},
       &run_skill_update},
      {"skill check",
       "",
       "Say whether installed skills are up to date.",
       {{"agent", 0, Takes::list,
         "For these: claude, codex, cursor, openclaw, agents (the shared .agents/skills)"},
        {"global", 0, Takes::nothing, "In the home directory instead of the project"}},
       &run_skill_check},
      {"skill show",
       "",
       "Print the skills.",
       {{"skill", 0, Takes::value, "This one: kanban-md or kanban-based-development"}},
       &run_skill_show},
      {"hooks", "[COMMAND]", "Say what can be done with the hooks of Claude Code.", {}, &run_hooks},
      {"hooks install", "",
       "Have Claude Code renew the claims of an agent as it works, and remind it of unreported work.",
       hook_flags({{"claim", 0, Takes::value, kHookName}}), &run_hooks_install},
      {"hooks show",
       "",
       "Print the hooks that install writes.",
       {{"claim", 0, Takes::value, kHookName}},
       &run_hooks_show},
      {"hooks remove", "", "Take the hooks of Andon away again.", hook_flags({}), &run_hooks_remove},
      {"hooks run",
       "EVENT",
       "What the hooks call: post-tool-use, stop or session-end, with the hook's JSON on standard input.",
       {{"claim", 0, Takes::value, kHookName}},
       &run_hooks_run},
      {"completion",
       "bash|zsh|fish|powershell",
       "Print the completion script of a shell.",
       {},
       &run_completion},
      {"help", "[COMMAND]", "Help for a command.", {}, &run_help},
      {"version", "", "Print the version.", {}, &run_version},
  };
}

}  // namespace andon::cli
