#include "runner/supervision/base_trial.hpp"

#include <algorithm>
#include <filesystem>

#include "core/runs/fault_scope.hpp"
#include "os/files/file.hpp"
#include "runner/setup/tree_record.hpp"
#include "runner/supervision/setup_stage.hpp"
#include "runner/worktrees/own_repository.hpp"
#include "runner/worktrees/repository.hpp"
#include "runner/worktrees/workspace.hpp"

namespace andon::runner {
namespace {

namespace fs = std::filesystem;

/// With less free space nothing can be written reliably.
constexpr std::uintmax_t kLeastSpace = 16'777'216;

/// Removes the tree with its record.
class TreeOfBase {
 public:
  TreeOfBase(fs::path directory, std::string records)
      : directory_(std::move(directory)), records_(std::move(records)) {}
  TreeOfBase(TreeOfBase const&) = delete;
  TreeOfBase& operator=(TreeOfBase const&) = delete;
  ~TreeOfBase() {
    std::error_code ignored;
    fs::remove_all(directory_.parent_path(), ignored);
    if (!records_.empty()) remove_tree_record(records_, directory_);
  }

 private:
  fs::path directory_;
  std::string records_;
};

/// The spec of a run that works in the tree of the base.
core::Result<RunSpec> spec_at_base(RunSpec const& spec, fs::path const& directory) {
  auto out = spec;
  auto& workspace = *out.workspace;
  workspace.directory = directory;
  ANDON_TRY(auto const clone, open_clone(workspace.repo, use_for(workspace), workspace.board_branch));
  ANDON_SET(out.place, make_own_repository(clone, {.directory = directory,
                                                   .branch = "base",
                                                   .commit = spec.noted.tip,
                                                   .origin = workspace.origin,
                                                   .filters = held_filters(workspace.filters)}));
  out.noted.head = out.noted.tip;
  out.cwd = place_of_agent(workspace);
  if (out.sandbox) out.sandbox->work = directory;
  return out;
}

std::string words_of(core::CheckResult const& failed, std::string const& branch) {
  return "the check \"" + failed.name + "\" fails on " + branch + " too, without the work of any task:\n" +
         failed.output;
}

}  // namespace

/// The words of a set-up that failed there, or the result of the check.
struct BaseTrial::Tried {
  std::string set_up{};
  std::optional<core::CheckResult> check{};
};

BaseTrial::Tried BaseTrial::try_there(CheckSpec const* check) try {
  if (!spec_.workspace || !spec_.place || spec_.noted.tip.empty()) return {};
  auto const directory = files_.dir / "base" / "tree";
  TreeOfBase const tree{directory, spec_.setup ? spec_.setup->records : std::string{}};
  os::make_private_directory(directory.parent_path());
  auto const spec = spec_at_base(spec_, directory);
  if (!spec) return {};
  SetupStage stage{files_, *spec, signals_, link_};
  ReadyTree ready;
  if (spec->setup) {
    auto made = stage.run();
    if (stage.stopped()) return {};
    if (!made) return {.set_up = made.error().message};
    ready = *std::move(made);
  }
  if (!check) return {};
  auto result = stage.run_command(*check, ready, spec->check_limit);
  if (stage.stopped()) return {};
  return {.check = std::move(result)};
} catch (std::exception const&) {
  return {};  // it shows nothing, so the failure is the task's
}

std::optional<core::Fault> BaseTrial::of_set_up() {
  auto const tried = try_there(nullptr);
  if (tried.set_up.empty()) return std::nullopt;
  return core::fault_of({.place = core::FaultPlace::set_up, .is_of_work = false, .words = tried.set_up});
}

std::optional<core::Fault> BaseTrial::of_check(core::CheckResult const& failed) {
  auto const check = std::ranges::find(spec_.checks, failed.name, &CheckSpec::name);
  if (check == spec_.checks.end()) return std::nullopt;
  auto const tried = try_there(&*check);
  if (!tried.set_up.empty())
    return core::fault_of({.place = core::FaultPlace::set_up, .is_of_work = false, .words = tried.set_up});
  if (!tried.check || !core::fails_alike(failed, *tried.check)) return std::nullopt;
  return core::fault_of({.place = core::FaultPlace::check,
                         .is_of_work = false,
                         .words = words_of(*tried.check, spec_.noted.default_branch)});
}

bool is_disk_full(std::string const& directory) {
  std::error_code error;
  auto const space = fs::space(directory, error);
  return !error && space.available < kLeastSpace;
}

std::optional<core::Fault> fault_of_end(EndRecord const& record, RunFiles const& files, RunSpec const& spec,
                                        os::SignalQueue& signals, ServerLink& link) {
  if (record.stopped && record.stopped != StopReason::reported) return std::nullopt;
  auto const failed = std::ranges::find(record.checks, false, &core::CheckResult::passed);
  bool const has_failed = record.error_class || failed != record.checks.end();
  if (!has_failed) return std::nullopt;
  if (is_disk_full(spec.cwd))
    return core::fault_of({.is_disk_full = true, .words = "the disk of " + spec.cwd + " is full"});
  if (failed == record.checks.end() || !failed->exit) return std::nullopt;
  return BaseTrial{files, spec, signals, link}.of_check(*failed);
}

}  // namespace andon::runner
