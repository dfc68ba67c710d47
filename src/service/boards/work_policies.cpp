#include "service/boards/work_policies.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include "core/model/clone_url.hpp"
#include "core/model/repository_names.hpp"
#include "core/text/names.hpp"
#include "core/text/visible_text.hpp"
#include "service/about_field.hpp"
#include "service/check_text.hpp"
#include "service/given_field.hpp"
#include "service/tasks/kernel/change.hpp"

namespace andon::service {
namespace {

using core::Result;

constexpr std::size_t kMostCommands = 20;
constexpr std::size_t kMostPaths = 50;
constexpr std::size_t kLongestPath = 500;
constexpr int kMostPorts = 100;
constexpr std::size_t kMostVariables = 100;
constexpr std::size_t kLongestVariable = 32 * 1024;

/// True for the path of a file in a repository: relative, without a step upwards, and not git's own.
bool is_inner_path(std::string const& text) {
  if (text.empty() || text.size() > kLongestPath || core::is_unsafe_line(text) || text.ends_with('/'))
    return false;
  std::filesystem::path const path{text};
  return path.is_relative() && *path.begin() != ".git" && std::ranges::none_of(path, [](auto const& part) {
           return part.empty() || part == "." || part == "..";
         });
}

Result<void> check_paths(std::vector<std::string> const& paths, std::string const& field) {
  if (paths.size() > kMostPaths)
    return invalid("\"" + field + "\" may have at most " + std::to_string(kMostPaths) + " paths", field);
  for (auto const& path : paths)
    if (!is_inner_path(path))
      return invalid("\"" + field +
                         "\" must have paths inside the repository, such as .env: relative, without \"..\" "
                         "and not beneath .git",
                     field);
  return {};
}

Result<void> check_command_list(std::vector<core::Command> const& commands, std::string const& field) {
  if (commands.size() > kMostCommands)
    return invalid("\"" + field + "\" may have at most " + std::to_string(kMostCommands) + " commands",
                   field);
  for (std::size_t i = 0; i < commands.size(); ++i)
    ANDON_CHECK(check_command(commands[i], field + "/" + std::to_string(i)));
  return {};
}

Result<void> check_cache(core::SetupCache const& cache) {
  ANDON_CHECK(check_paths(cache.key, "setup_cache/key"));
  ANDON_CHECK(check_paths(cache.keep, "setup_cache/keep"));
  if (cache.key.empty() == cache.keep.empty()) return {};
  return invalid("\"setup_cache\" needs both \"key\" and \"keep\", or neither for no cache", "setup_cache");
}

/// The variables that Andon gives a value of its own.
bool is_own_variable(std::string_view name) { return name.starts_with("ANDON_") || name == "TMPDIR"; }

Result<void> check_variables(std::vector<std::string> const& variables) {
  if (variables.size() > kMostVariables)
    return invalid("\"env\" may have at most " + std::to_string(kMostVariables) + " variables", "env");
  std::set<std::string_view> names;
  for (std::string_view const variable : variables) {
    auto const name = variable.substr(0, variable.find('='));
    if (!core::is_variable_name(name) || variable.size() > kLongestVariable || variable.contains('\0'))
      return invalid("\"env\" must have NAME=VALUE, or NAME to pass on the variable of the server", "env");
    if (is_own_variable(name))
      return invalid("\"env\" must not name " + std::string{name} + ", to which Andon gives a value", "env");
    if (!names.insert(name).second) return invalid("\"env\" names " + std::string{name} + " twice", "env");
  }
  return {};
}

Result<void> check_limits(core::LandLimits const& limits) {
  Result<void> out;
  auto const check = [&](auto member, std::string_view name, auto&&...) {
    auto const field = "land_limits/" + std::string{name};
    if constexpr (std::is_same_v<decltype(member), std::int64_t core::LandLimits::*>)
      if (out && limits.*member < -1)
        out = invalid("\"" + field + "\" must be 0 or more, or -1 for no limit", field);
  };
  describe(check, &limits);
  if (out) out = check_paths(limits.check_paths, "land_limits/check_paths");
  if (out && limits.deleted_percent > 100)
    return invalid("\"land_limits/deleted_percent\" must be at most 100", "land_limits/deleted_percent");
  return out;
}

}  // namespace

Result<void> check_command(core::Command const& argv, std::string const& field) {
  if (argv.empty() || argv.front().empty())
    return invalid("\"" + field + "\" must name a program, then its arguments", field);
  if (std::ranges::any_of(argv, [](std::string const& word) { return word.contains('\0'); }))
    return invalid("\"" + field + "\" must not contain NUL", field);
  return {};
}

Result<void> check_repository(BoardPolicies const& r) {
  using std::string;
  for (auto const& [field, fault] :
       {std::pair<string, string>{"repo", r.repo ? core::fault_of_repo(*r.repo) : string{}},
        {"branch", r.branch ? core::fault_of_branch(*r.branch) : string{}},
        {"branch_prefix", r.branch_prefix ? core::fault_of_branch_prefix(*r.branch_prefix) : string{}},
        {"folder", r.folder ? core::fault_of_folder(*r.folder) : string{}},
        {"filters", r.filters ? core::fault_of_filters(*r.filters) : string{}}})
    if (!fault.empty()) return invalid("invalid \"" + field + "\": " + fault, field);
  return {};
}

Result<void> take_examined(BoardPolicies const& r, core::Board& board) {
  if (!r.examined) return {};
  auto const& [repo, folder, branch, findings] = *r.examined;
  auto const refused = std::ranges::find(findings, RepositoryFindingKind::refused, &RepositoryFinding::kind);
  if (refused != findings.end()) return invalid(in_words(*refused), refused->field);
  if (folder.empty()) return {};
  board.repo = repo;
  board.folder = folder;
  return {};
}

std::vector<std::string> notes_on_repository(BoardPolicies const& r) {
  std::vector<std::string> out;
  if (!r.examined) return out;
  for (auto const& finding : r.examined->findings)
    if (finding.kind == RepositoryFindingKind::note) out.push_back(in_words(finding));
  return out;
}

Result<void> check_work_policies(BoardPolicies const& r) {
  if (r.setup) ANDON_CHECK(check_command_list(*r.setup, "setup"));
  if (r.teardown) ANDON_CHECK(check_command_list(*r.teardown, "teardown"));
  if (r.preview && !r.preview->empty()) ANDON_CHECK(check_command(*r.preview, "preview"));
  if (r.test_list && !r.test_list->empty()) ANDON_CHECK(check_command(*r.test_list, "test_list"));
  if (r.test_reports) ANDON_CHECK(check_paths(*r.test_reports, "test_reports"));
  if (r.setup_cache) ANDON_CHECK(check_cache(*r.setup_cache));
  if (r.copy) ANDON_CHECK(check_paths(*r.copy, "copy"));
  if (r.env) ANDON_CHECK(check_variables(*r.env));
  if (r.ports && (*r.ports < 0 || *r.ports > kMostPorts))
    return invalid("\"ports\" must be from 0 to " + std::to_string(kMostPorts), "ports");
  if (r.setup_timeout && *r.setup_timeout <= core::Duration{})
    return invalid("\"setup_timeout\" must be more than nothing", "setup_timeout");
  return r.land_limits ? check_limits(*r.land_limits) : Result<void>{};
}

bool changes_work_place(BoardPolicies const& r) {
  return r.repo || r.branch || r.folder || r.filters || r.setup || r.setup_cache || r.setup_timeout ||
         r.copy || r.env || r.checks || r.check_timeout || r.commands;
}

void set_work_policies(BoardPolicies const& r, core::Board& board) {
  take(r.branch, board.branch);
  take(r.branch_prefix, board.branch_prefix);
  take(r.folder, board.folder);
  take(r.filters, board.filters);
  take(r.setup, board.setup);
  if (r.setup_cache) {
    bool const is_none = r.setup_cache->key.empty();
    board.setup_cache = is_none ? std::nullopt : r.setup_cache;
  }
  take(r.setup_timeout, board.setup_timeout);
  take(r.copy, board.copy);
  take(r.env, board.env);
  take(r.ports, board.ports);
  take(r.teardown, board.teardown);
  take(r.preview, board.preview);
  take(r.test_list, board.test_list);
  take(r.test_reports, board.test_reports);
  if (r.land_limits) board.land_limits = r.land_limits;
}

Result<void> check_work_of(core::Board const& board) {
  if (auto const fault = core::fault_of_branches(board.branch, board.branch_prefix); !fault.empty())
    return invalid(fault, "branch_prefix");
  if (board.preview.empty() || board.ports > 0) return {};
  return invalid("\"preview\" needs a port: set \"ports\" to 1 or more as well", "preview");
}

}  // namespace andon::service
