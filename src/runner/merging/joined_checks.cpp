#include "runner/merging/joined_checks.hpp"

#include "core/runs/outcome.hpp"
#include "os/files/file.hpp"
#include "runner/git/work_place.hpp"
#include "runner/profiles/agent_environment.hpp"
#include "runner/profiles/profile_book.hpp"
#include "runner/runs/check.hpp"
#include "runner/setup/tree_record.hpp"
#include "runner/supervision/supervised_check.hpp"
#include "service/runs/run_guard.hpp"

namespace andon::runner {
namespace {

constexpr std::string_view kJoined = "after it was joined with the default branch, ";
constexpr std::string_view kTakenBack =
    "the checks fail without it, so take back first what builds on it, or change that: after it was taken "
    "back, ";

core::CheckResult not_checked(CheckSpec const& command, std::string why) {
  core::CheckResult out;
  out.name = command.name;
  out.output = std::move(why);
  return out;
}

}  // namespace

std::vector<std::string> JoinedChecks::environment_of(service::LandingPlace const& place,
                                                      MergeTree const& tree) const {
  return agent_environment({}, commands_.own, board_environment(place.board.env, commands_.own),
                           {{"ANDON_TASK", std::to_string(place.task.id)},
                            {"ANDON_RUN", std::to_string(place.run.id)},
                            {"ANDON_BOARD", place.board.name},
                            {"ANDON_RUN_DIR", tree.run_directory().native()},
                            {"TMPDIR", (tree.run_directory() / "tmp").native()}},
                           commands_.program.parent_path());
}

/// Like the sandbox of the agent whose work they check. A profile that is gone counts as one that wants a
/// sandbox. The checks read the repository's git directory, but change only what belongs to their own tree.
core::Result<std::optional<SandboxSpec>> JoinedChecks::sandbox_of_checks(
    service::LandingPlace const& place, MergeTree const& tree,
    std::vector<std::string> const& environment) const {
  auto const guard = client_.call<&service::get_run_guard>({place.run.id});
  if (!guard && is_unanswered(guard.error())) return std::unexpected(guard.error());
  ProfileBook const book{commands_.data.agents};
  auto const* profile = guard ? book.find(guard->agent) : nullptr;
  if (profile && !has_sandbox(*profile)) return std::nullopt;
  return sandbox_of_tree(tree.place(), tree.place().common_directory + "/objects", commands_,
                         tree.run_directory(), environment);
}

core::Result<std::optional<std::string>> JoinedChecks::failure(service::LandingPlace const& place,
                                                               MergeTree const& tree) const {
  if (place.checks.empty()) return std::nullopt;
  os::make_private_directory(tree.run_directory() / "tmp");
  auto const environment = environment_of(place, tree);
  ANDON_TRY(auto const sandbox, sandbox_of_checks(place, tree, environment));
  auto const run = [&](CheckSpec const& command, core::Duration limit, ReadyTree const& ready) {
    auto const directory = enter_folder(tree.place(), place.board.folder);
    if (!directory) return not_checked(command, directory.error());
    auto variables = environment;
    variables.insert(variables.end(), ready.environment.begin(), ready.environment.end());
    auto result = run_supervised(
        {command, (tree.directory() / place.board.folder).native(), variables, limit, sandbox, ready.secrets},
        {commands_.program, tree.run_directory(), directory->get(), stopping_});
    tree.end_checks();
    return result;
  };
  std::string const after{place.is_revert() ? kTakenBack : kJoined};
  auto const setup = tree_setup_of(place.board, commands_.data);
  remove_tree_record(setup.records, tree.directory());  // the tree was emptied
  auto const ready = make_ready(
      {setup, Git{tree.place(), tree.use()}},
      [&](CheckSpec const& command, ReadyTree const& so_far) { return run(command, setup.limit, so_far); });
  if (!ready) return after + ready.error().message;
  for (auto const& name : place.checks) {
    auto const check = place.board.checks.find(name);
    if (check == place.board.checks.end()) continue;
    auto const result =
        run_twice_at_most([&] { return run({name, check->second}, place.board.check_timeout, *ready); });
    if (auto const reason = core::failed_check({result})) return after + *reason;
  }
  return std::nullopt;
}

}  // namespace andon::runner
