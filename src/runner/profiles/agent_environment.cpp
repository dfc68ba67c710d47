#include "runner/profiles/agent_environment.hpp"

#include <algorithm>
#include <array>
#include <map>

namespace andon::runner {
namespace {

constexpr std::array<std::string_view, 9> kUsual{"PATH", "HOME",   "LANG",  "LANGUAGE", "TZ",
                                                 "USER", "TMPDIR", "SHELL", "LOGNAME"};
constexpr std::string_view kDefaultPath = "/usr/local/bin:/usr/bin:/bin";

bool may_pass(std::string_view name, Profile const& profile) {
  if (name.starts_with("ANDON_")) return false;
  if (name.starts_with("LC_") || std::ranges::find(kUsual, name) != kUsual.end()) return true;
  return std::ranges::find(profile.env_pass, name) != profile.env_pass.end();
}

}  // namespace

Environment board_environment(std::vector<std::string> const& variables, std::span<std::string const> own) {
  Environment out;
  for (std::string_view const variable : variables) {
    auto const end = variable.find('=');
    if (end != std::string_view::npos) {
      out.emplace_back(variable.substr(0, end), variable.substr(end + 1));
      continue;
    }
    auto const passed = std::ranges::find_if(own, [&](std::string_view each) {
      return each.starts_with(variable) && each.substr(variable.size()).starts_with('=');
    });
    if (passed != own.end()) out.emplace_back(variable, passed->substr(variable.size() + 1));
  }
  return out;
}

std::vector<std::string> agent_environment(Profile const& profile, std::span<std::string const> own,
                                           Environment const& from_profile, Environment const& from_run,
                                           std::string const& andon_directory) {
  std::map<std::string, std::string> variables;
  for (std::string_view const variable : own) {
    auto const end = variable.find('=');
    if (end == std::string_view::npos || !may_pass(variable.substr(0, end), profile)) continue;
    variables[std::string{variable.substr(0, end)}] = variable.substr(end + 1);
  }
  variables["TERM"] = "dumb";
  for (auto const& [name, value] : from_profile) variables[name] = value;
  for (auto const& name : profile.env_unset) variables.erase(name);
  auto& path = variables["PATH"];
  if (path.empty()) path = kDefaultPath;
  if (!andon_directory.empty()) path = andon_directory + ":" + path;
  for (auto const& [name, value] : from_run) variables[name] = value;
  std::vector<std::string> out;
  for (auto const& [name, value] : variables) out.push_back(name + "=" + value);
  return out;
}

}  // namespace andon::runner
