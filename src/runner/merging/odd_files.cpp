#include "runner/merging/odd_files.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

#include "core/runs/path_pattern.hpp"
#include "core/text/ascii.hpp"
#include "core/text/visible_text.hpp"
#include "runner/output/plain_text.hpp"

namespace andon::runner {
namespace {

constexpr std::size_t kMostLinks = 200;  ///< whose targets are read
constexpr std::string_view kLink = "120000";
constexpr std::string_view kProgram = "100755";
constexpr std::array<std::string_view, 20> kPrograms{
    "*.exe", "*.dll", "*.so",  "*.dylib", "*.jar", "*.war", "*.wasm", "*.node", "*.msi", "*.pyd",
    "*.apk", "*.deb", "*.rpm", "*.scr",   "*.com", "*.ocx", "*.sys",  "*.dmg",  "*.pkg", "*.class"};

bool is_link(std::string const& mode) { return mode == kLink; }

/// True for a name that begins with git's directory on some file system: `.GIT`, `git~1`, `.git ` and more.
bool is_like_git(std::string_view part) {
  auto small = core::ascii_lower(part);
  small.erase(small.find_last_not_of(" .") + 1);
  return small == ".git" || small == "git~1";
}

std::string oddity_of_name(std::string const& path) {
  if (core::holds_hidden(path) || path.find('\t') != std::string::npos ||
      path.find('\n') != std::string::npos)
    return "a name with characters that are not shown";
  for (auto const& part : std::filesystem::path{path}) {
    auto const& name = part.native();
    if (is_like_git(name)) return "a name that some systems take for .git";
    if (name.ends_with(' ') || name.ends_with('.') || name.starts_with(' '))
      return "a name that begins or ends with a blank, or ends with a dot";
    if (name.find('\\') != std::string::npos)
      return "a name with a backslash, which some systems take for a folder";
  }
  return {};
}

/// The reason why a link is no ordinary one; empty when it stays in the repository.
std::string oddity_of_link(std::string const& path, std::string const& target) {
  auto const folder = std::filesystem::path{path}.parent_path();
  auto const there = (folder / target).lexically_normal();
  bool const leaves = std::filesystem::path{target}.is_absolute() || *there.begin() == "..";
  bool const is_gits =
      std::ranges::any_of(there, [](auto const& part) { return is_like_git(part.native()); });
  auto const shown = core::visible_line(as_utf8(head(target, 200)));
  if (leaves) return "a link out of the repository, to " + shown;
  return is_gits ? "a link into git's own directory, to " + shown : std::string{};
}

bool is_program(ChangedEntry const& entry) {
  if (!entry.is_binary || entry.is_submodule) return false;
  return entry.mode_after == kProgram || std::ranges::any_of(kPrograms, [&](std::string_view pattern) {
           return core::is_like(entry.path, core::PathPart::name, pattern);
         });
}

bool is_new_name(ChangedEntry const& entry) {
  return entry.status == 'A' || entry.status == 'R' || entry.status == 'C';
}

std::string oddity_of(Git const& git, ChangedEntry const& entry, std::size_t& links) {
  if (entry.status == 'D') return {};
  bool const was_file = entry.mode_before.starts_with("100");
  if (is_link(entry.mode_after) && was_file) return "a file that becomes a link";
  if (is_link(entry.mode_before) && !is_link(entry.mode_after)) return "a link that becomes something else";
  if (is_link(entry.mode_after)) {
    auto const target = ++links > kMostLinks ? std::nullopt : git.text({"cat-file", "blob", entry.after});
    auto oddity = target ? oddity_of_link(entry.path, *target) : std::string{"a link that was not read"};
    if (!oddity.empty()) return oddity;
  }
  if (is_program(entry)) return "a program that nobody can read";
  return is_new_name(entry) ? oddity_of_name(entry.path) : std::string{};
}

}  // namespace

void find_odd_files(Git const& git, std::vector<ChangedEntry> const& entries, core::LandedChange& change) {
  std::size_t links = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    auto& file = change.files[i];
    file.oddity = oddity_of(git, entries[i], links);
    if (!file.oddity.empty()) file.lines.push_back({core::LandedLine::Kind::odd, 0, file.oddity});
  }
}

}  // namespace andon::runner
