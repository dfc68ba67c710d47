#include "cli/commands/machine/skill_folders.hpp"

#include <algorithm>

#include "cli/commands/tasks/linked_file.hpp"
#include "os/embedded.hpp"
#include "os/files/file.hpp"
#include "os/system_error.hpp"

namespace andon::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::array kAgents{
    SkillAgent{"claude", "Claude Code", ".claude/skills", ".claude/skills"},
    SkillAgent{"codex", "Codex", ".agents/skills", ".codex/skills"},
    SkillAgent{"cursor", "Cursor", ".cursor/skills", ".cursor/skills"},
    SkillAgent{"openclaw", "OpenClaw", "", ".openclaw/skills"},
    SkillAgent{"agents", "Shared folder", ".agents/skills", ".agents/skills"},
};

constexpr std::string_view kDocument = "SKILL.md";
constexpr std::string_view kMark = "<!-- kanban-md-skill-version: ";
constexpr std::string_view kMarkEnd = " -->";
constexpr std::size_t kLongestSkill = 1U << 20U;
constexpr mode_t kSkillFileMode = 0644;

std::string_view content_of(EmbeddedFile const& file) {
  return {reinterpret_cast<char const*>(file.raw.data()), file.raw.size()};
}

std::string folder_of(Skill const& skill) { return std::string{skill.name} + "/"; }

/// The document with the mark below its front matter.
std::string stamped_with(std::string_view document, std::string_view version) {
  constexpr std::string_view kFence = "\n---\n";
  auto const fence = document.find(kFence);
  auto const head = fence == std::string_view::npos ? 0 : fence + kFence.size();
  std::string out{document.substr(0, head)};
  return out.append(kMark).append(version).append(kMarkEnd).append("\n").append(document.substr(head));
}

std::string version_in(std::string_view document) {
  auto const at = document.find(kMark);
  if (at == std::string_view::npos) return {};
  auto const rest = document.substr(at + kMark.size());
  return std::string{rest.substr(0, rest.find(kMarkEnd))};
}

}  // namespace

std::span<SkillAgent const> skill_agents() { return kAgents; }

fs::path project_root(Environment const& env) {
  std::error_code unreadable;
  for (auto level = env.directory;; level = level.parent_path()) {
    if (fs::exists(level / ".git", unreadable)) return level;
    if (!level.has_relative_path()) return env.directory;
  }
}

fs::path skill_folder(SkillAgent const& agent, bool global, Environment const& env) {
  if (global || agent.project.empty()) return fs::path{env.variable("HOME")} / agent.home;
  return project_root(env) / agent.project;
}

std::string Skill::text() const {
  auto const path = folder_of(*this) + std::string{kDocument};
  auto const found = std::ranges::find(skill_files(), path, &EmbeddedFile::path);
  return found == skill_files().end() ? std::string{} : std::string{content_of(*found)};
}

std::string installed_version(fs::path const& folder, Skill const& skill) try {
  auto const document = os::read_file_if_there(folder / skill.name / kDocument, kLongestSkill);
  return document ? version_in(*document) : std::string{};
} catch (os::SystemError const&) {
  return {};
}

void install_skill(fs::path const& folder, Skill const& skill, std::string_view version) {
  for (auto const& file : skill_files()) {
    if (!file.path.starts_with(folder_of(skill))) continue;
    bool const is_document = file.path.ends_with(kDocument);
    write_through(folder / file.path,
                  is_document ? stamped_with(content_of(file), version) : std::string{content_of(file)},
                  kSkillFileMode);
  }
}

std::string stale_skill_hint(Environment const& env) {
  if (env.version == "dev") return {};
  for (auto const& skill : kSkills) {
    auto const there = installed_version(skill_folder(kAgents.front(), false, env), skill);
    if (!there.empty() && there != env.version)
      return "hint: the " + std::string{skill.name} + " skill is outdated (" + there + " -> " + env.version +
             "), run: " + env.program + " skill update";
  }
  return {};
}

}  // namespace andon::cli
