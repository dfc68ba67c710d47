#pragma once

#include <array>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command_line/environment.hpp"

namespace andon::cli {

/// A program that reads skills, and where: below a project, and below the home directory.
struct SkillAgent {
  std::string_view name;
  std::string_view title;
  std::string_view project;  ///< empty when it reads none there
  std::string_view home;
};
std::span<SkillAgent const> skill_agents();

/// The nearest folder upwards that holds `.git`, else the working directory.
std::filesystem::path project_root(Environment const& env);
/// The folder of that agent's skills.
std::filesystem::path skill_folder(SkillAgent const& agent, bool global, Environment const& env);

/// One skill: `SKILL.md` and what it refers to.
struct Skill {
  std::string_view name;
  std::string text() const;  ///< of its `SKILL.md`
};
inline constexpr std::array kSkills{Skill{"kanban-md"}, Skill{"kanban-based-development"}};

/// The version of the skill in a folder; empty if the folder has none of ours.
std::string installed_version(std::filesystem::path const& folder, Skill const& skill);
/// Writes the skill below the folder, stamped with the version.
void install_skill(std::filesystem::path const& folder, Skill const& skill, std::string_view version);

/// A hint when a released program finds an older copy of its skills in the project's `.claude`; empty without
/// one.
std::string stale_skill_hint(Environment const& env);

}  // namespace andon::cli
