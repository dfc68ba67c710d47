#include <algorithm>

#include "api/operation.hpp"
#include "cli/command_line/help.hpp"
#include "cli/command_line/invocation.hpp"
#include "cli/command_line/named_commands.hpp"
#include "cli/commands/machine/skill_folders.hpp"
#include "cli/views/display_path.hpp"
#include "os/system_error.hpp"

namespace andon::cli {
namespace {

namespace fs = std::filesystem;
using core::Result;

std::string listed(auto const& rows) {
  std::string out;
  for (auto const& row : rows) out.append(out.empty() ? "" : ", ").append(row.name);
  return out;
}

Result<std::vector<Skill>> wanted_skills(std::vector<std::string> const& names) {
  if (names.empty()) return std::vector<Skill>{kSkills.begin(), kSkills.end()};
  std::vector<Skill> out;
  for (auto const& name : names) {
    auto const found = std::ranges::find(kSkills, name, &Skill::name);
    if (found == kSkills.end())
      return misuse("unknown skill: \"" + name + "\" (available: " + listed(kSkills) + ")");
    out.push_back(*found);
  }
  return out;
}

Result<std::vector<SkillAgent>> named_agents(std::vector<std::string> const& names) {
  std::vector<SkillAgent> out;
  for (auto const& name : names) {
    auto const found = std::ranges::find(skill_agents(), name, &SkillAgent::name);
    if (found == skill_agents().end())
      return misuse("unknown agent: \"" + name + "\" (available: " + listed(skill_agents()) + ")");
    out.push_back(*found);
  }
  return out;
}

/// The agents that have left their folder here; in the home directory all of them.
std::vector<SkillAgent> present_agents(bool global, Environment const& env) {
  std::vector<SkillAgent> out;
  std::error_code unreadable;
  for (auto const& agent : skill_agents())
    if (global || fs::exists(skill_folder(agent, false, env).parent_path(), unreadable)) out.push_back(agent);
  return out;
}

/// The agents without those that read the folder of one before them.
std::vector<SkillAgent> without_repeated(std::vector<SkillAgent> const& agents, bool global,
                                         Environment const& env) {
  std::vector<SkillAgent> out;
  std::vector<fs::path> folders;
  for (auto const& agent : agents) {
    auto folder = skill_folder(agent, global, env);
    if (std::ranges::find(folders, folder) != folders.end()) continue;
    folders.push_back(std::move(folder));
    out.push_back(agent);
  }
  return out;
}

/// Installs skills folder by folder, telling of each.
class Installing {
 public:
  Installing(Invocation& in, bool force) : in_(in), force_(force) {}

  void install(fs::path const& folder, Skill const& skill) {
    auto const& version = in_.env().version;
    auto const shown = display_path(project_root(in_.env()), folder / skill.name / "SKILL.md");
    auto const before = installed_version(folder, skill);
    if (!force_ && before == version) {
      say("  " + shown + " — already at " + version + " (skipped)");
      return;
    }
    install_skill(folder, skill, version);
    say("  " + shown + " (" + (before.empty() || before == version ? "" : before + " -> ") + version + ")");
    ++count_;
  }

  void end(std::string const& verb) {
    say(count_ == 0 ? "All skills are already up to date."
                    : verb + " " + std::to_string(count_) + " skill(s).");
  }

 private:
  void say(std::string const& line) { in_.screen().print(line + "\n"); }

  Invocation& in_;
  bool force_;
  int count_ = 0;
};

/// A folder that cannot be written is told as what it is.
Result<int> writing(auto const& work) try { return work(); } catch (os::SystemError const& error) {
  return misuse(error.what());
} catch (fs::filesystem_error const& error) {
  return misuse(error.what());
}

Result<std::vector<SkillAgent>> asked_agents(Invocation const& in) {
  auto const names = in.given().values("agent");
  if (!names.empty()) return named_agents(names);
  std::vector<SkillAgent> const all{skill_agents().begin(), skill_agents().end()};
  return without_repeated(all, in.given().has("global"), in.env());
}

}  // namespace

Result<int> run_skill(Invocation& in) {
  if (!in.given().words.empty())
    return misuse("unknown command \"" + in.given().words.front() + "\" for \"" + in.env().program +
                  " skill\"");
  in.screen().print(group_help_text("skill", in.commands(), in.env()));
  return 0;
}

Result<int> run_skill_install(Invocation& in) {
  auto const& given = in.given();
  ANDON_TRY(auto const skills, wanted_skills(given.values("skill")));
  Installing installing(in, given.has("force"));
  auto const into = [&](fs::path const& folder) {
    for (auto const& skill : skills) installing.install(folder, skill);
  };
  if (auto const path = given.value("path"))
    return writing([&]() -> Result<int> {
      into((in.env().directory / *path).lexically_normal());
      return installing.end("Installed"), 0;
    });
  ANDON_TRY(auto agents, named_agents(given.values("agent")));
  if (agents.empty()) agents = present_agents(given.has("global"), in.env());
  agents = without_repeated(agents, given.has("global"), in.env());
  if (agents.empty()) {
    in.screen().print("No agents selected: none has a folder in " + project_root(in.env()).native() +
                      ", so nothing was installed. Name them with --agent " + listed(skill_agents()) +
                      ", or install for all projects with --global\n");
    return 0;
  }
  return writing([&]() -> Result<int> {
    for (auto const& agent : agents) into(skill_folder(agent, given.has("global"), in.env()));
    return installing.end("Installed"), 0;
  });
}

Result<int> run_skill_update(Invocation& in) {
  ANDON_TRY(auto const agents, asked_agents(in));
  Installing installing(in, false);
  return writing([&]() -> Result<int> {
    for (auto const& agent : agents) {
      auto const folder = skill_folder(agent, in.given().has("global"), in.env());
      for (auto const& skill : kSkills)
        if (!installed_version(folder, skill).empty()) installing.install(folder, skill);
    }
    return installing.end("Updated"), 0;
  });
}

Result<int> run_skill_check(Invocation& in) {
  ANDON_TRY(auto const agents, asked_agents(in));
  auto const& version = in.env().version;
  bool any = false, all_new = true;
  for (auto const& agent : agents)
    for (auto const& skill : kSkills) {
      auto const there = installed_version(skill_folder(agent, in.given().has("global"), in.env()), skill);
      if (there.empty()) continue;
      bool const is_new = there == version;
      any = true;
      all_new = all_new && is_new;
      in.screen().print(std::string{is_new ? "  ✓ " : "  ✗ "} + std::string{agent.title} + "/" +
                        std::string{skill.name} + " (" + there + (is_new ? "" : " -> " + version) + ")\n");
    }
  auto const command = in.env().program + " skill ";
  in.screen().print(!any      ? "No kanban-md skills installed. Run: " + command + "install\n"
                    : all_new ? std::string{"All skills are up to date.\n"}
                              : "Run: " + command + "update\n");
  return all_new ? 0 : 1;
}

Result<int> run_skill_show(Invocation& in) {
  auto const name = in.given().value("skill").value_or("");
  ANDON_TRY(auto const skills, wanted_skills(name.empty() ? std::vector<std::string>{} : std::vector{name}));
  for (auto const& skill : skills) {
    if (name.empty()) in.screen().print("=== " + std::string{skill.name} + " ===\n\n");
    in.screen().print(skill.text() + (name.empty() ? "\n" : ""));
  }
  return 0;
}

}  // namespace andon::cli
