#include "runner/merging/joined_checks.hpp"

#include <functional>

#include "core/runs/outcome.hpp"
#include "os/files/file.hpp"
#include "os/system_error.hpp"
#include "runner/git/work_place.hpp"
#include "runner/merging/test_reports.hpp"
#include "runner/profiles/agent_environment.hpp"
#include "runner/profiles/profile_book.hpp"
#include "runner/runs/check.hpp"
#include "runner/setup/setup_cache.hpp"
#include "runner/setup/tree_record.hpp"
#include "runner/supervision/supervised_check.hpp"
#include "service/runs/run_guard.hpp"

namespace andon::runner {
namespace {

constexpr std::string_view kJoined = "after it was joined with the default branch, ";
constexpr std::string_view kTakenBack =
    "the checks fail without it, so take back first what builds on it, or change that: after it was taken "
    "back, ";

using RunInTimeInTree =
    std::function<core::CheckResult(CheckSpec const&, core::Duration limit, ReadyTree const&)>;

struct Commits {
  std::string const& joined;
  std::string const& tip;
};

bool has_kept_results(TreeSetup const& setup, MergeTree const& tree) try {
  return setup.cache && SetupCache{setup}.has(setup_fingerprint(setup, tree.directory()));
} catch (os::SystemError const&) {
  return false;  // the set-up says which key file it is
}

core::Result<ReadyTree> set_up_tree(TreeSetup const& setup, MergeTree const& tree, bool is_untouched,
                                    RunInTimeInTree const& run) {
  remove_tree_record(setup.records, tree.directory());  // the tree was emptied
  return make_ready(
      {setup, Git{tree.place(), tree.use()}, is_untouched},
      [&](CheckSpec const& command, ReadyTree const& so_far) { return run(command, setup.limit, so_far); });
}

/// Sets the tree up at the tip of the default branch, which has no work that nobody accepted, where nothing
/// is kept for its key files and the joined work leaves them alone. Returns why the tree cannot be used.
std::string keep_results_of(TreeSetup const& setup, MergeTree& tree, Commits const& commits,
                            RunInTimeInTree const& run) {
  if (!setup.cache || setup.commands.empty() || has_kept_results(setup, tree)) return {};
  std::vector<std::string> changed{"diff", "--quiet", commits.tip, commits.joined, "--"};
  for (auto const& file : setup.cache->key) changed.push_back(":(literal)" + file);
  if (!Git{tree.place(), tree.use()}.succeeds(changed)) return {};
  if (auto trouble = tree.check_out(commits.tip); !trouble.empty()) return trouble;
  static_cast<void>(set_up_tree(setup, tree, true, run));  // a failure comes again in the joined tree
  return tree.check_out(commits.joined);
}

void list_tests(service::LandingPlace const& place, MergeTree const& tree, ReadyTree const& ready,
                RunInTimeInTree const& run, CheckOutcome& out) {
  if (place.board.test_list.empty()) return;
  auto const listed = run(listing_of(place.board.test_list), place.board.check_timeout, ready);
  if (listed.passed)
    out.tests = read_listing(tree.run_directory() / "tmp", tree.directory());
  else
    out.unlisted = "the tests cannot be listed: " + listed.output;
}

/// Lists the tests, and runs all checks up to the first failure.
CheckOutcome outcome_after(TreeSetup const& setup, service::LandingPlace const& place, MergeTree const& tree,
                           RunInTimeInTree const& run) {
  std::string const after{place.is_revert() ? kTakenBack : kJoined};
  CheckOutcome out;
  auto const ready = set_up_tree(setup, tree, false, run);
  if (!ready) return {after + ready.error().message, ready.error().message};
  list_tests(place, tree, *ready, run, out);
  TestReports const reports{tree.directory() / place.board.folder, place.board.test_reports};
  reports.remove();
  for (auto const& name : place.checks) {
    auto const check = place.board.checks.find(name);
    if (check == place.board.checks.end() || out.failure) continue;
    auto const result =
        run_twice_at_most([&] { return run({name, check->second}, place.board.check_timeout, *ready); });
    if (auto const reason = core::failed_check({result})) out.failure = after + *reason;
  }
  core::add_names(out.tests, reports.read());
  if (!out.failure && out.unlisted) out.failure = after + *out.unlisted;
  return out;
}

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
                                                               MergeTree& tree, std::string const& joined,
                                                               std::string const& tip) const {
  if (place.checks.empty()) return std::nullopt;
  ANDON_TRY(auto const ended, outcome(place, tree, joined, tip));
  return ended.failure;
}

core::Result<CheckOutcome> JoinedChecks::outcome(service::LandingPlace const& place, MergeTree& tree,
                                                 std::string const& joined, std::string const& tip) const {
  if (place.checks.empty() && place.board.test_list.empty()) return CheckOutcome{};
  os::make_private_directory(tree.run_directory() / "tmp");
  auto const environment = environment_of(place, tree);
  ANDON_TRY(auto const sandbox, sandbox_of_checks(place, tree, environment));
  RunInTimeInTree const run = [&](CheckSpec const& command, core::Duration limit, ReadyTree const& ready) {
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
  auto setup = tree_setup_of(place.board, commands_.data);
  if (auto trouble = keep_results_of(setup, tree, {joined, tip}, run); !trouble.empty())
    return CheckOutcome{std::move(trouble)};
  bool const is_restored = has_kept_results(setup, tree);
  auto ended = outcome_after(setup, place, tree, run);
  if (!ended.failure || !is_restored || stopping_()) return ended;
  if (auto trouble = tree.check_out(joined); !trouble.empty()) return CheckOutcome{std::move(trouble)};
  setup.cache.reset();
  return outcome_after(setup, place, tree, run);
}

}  // namespace andon::runner
