#include "runner/merging/landing_judge.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>

#include "core/runs/landing_gate.hpp"
#include "runner/git/held_filters.hpp"
#include "runner/merging/change_measure.hpp"
#include "runner/secrets/history_secrets.hpp"
#include "runner/worktrees/filter_form.hpp"

namespace andon::runner {
namespace {

constexpr std::size_t kMostNamedCommits = 5;
constexpr std::size_t kShownId = 12;  ///< letters of a commit's id

/// Paths beneath the folder of the board as paths of the repository.
std::vector<std::string> in_repository(core::Board const& board, std::vector<std::string> paths) {
  if (!board.folder.empty())
    for (auto& path : paths) path = (std::filesystem::path{board.folder} / path).lexically_normal().native();
  return paths;
}

std::vector<std::string> files_of_checks(service::LandingPlace const& place) {
  std::vector<std::string> out;
  for (auto const& [name, command] : place.board.checks)
    for (auto& file : core::files_of_check(command)) out.push_back(std::move(file));
  return in_repository(place.board, std::move(out));
}

/// Work that was taken back may bring its files again as they were.
core::LandLimits limits_of(service::LandingPlace const& place) {
  auto out = place.board.land_limits.value_or(core::LandLimits{});
  if (place.was_reverted) out.reverted_files = -1;
  return out;
}

std::string may_never_land(std::vector<std::string> const& files) {
  return "the work has commits with " + shown_names(files) +
         ", which the board copies into its work trees and which may never land; take it out of every commit "
         "of "
         "this branch (git rebase), keep it ignored, and report again";
}

std::string may_not_be_seen(std::vector<std::string> const& files) {
  return "the work has commits with " + shown_names(files) +
         ", which their filter did not see, so they may hold what it hides; take these files out of every "
         "commit of this branch (git rebase), or let the board run the filter (--filters), and report again";
}

/// The part of the work that would not land. Its task is blocked, unless a person went on with it.
core::LandFinding left_out_of(core::Run const& run) {
  std::vector<std::string> paths;
  for (auto const& left : run.left_out) paths.push_back(left.path);
  return core::left_out_of(run.left_out_count, paths);
}

/// The commits of these places, the first few.
std::vector<std::string> commits_of(std::vector<SecretPlace> const& places) {
  std::vector<std::string> out;
  for (auto const& place : places) {
    bool const is_named = std::ranges::find(out, place.commit) != out.end();
    if (!is_named && out.size() < kMostNamedCommits) out.push_back(place.commit);
  }
  return out;
}

/// The finding that commits of the work hold likely secrets.
core::LandFinding likely_secrets_in(std::vector<SecretPlace> const& places) {
  core::LandFinding out{.limit = "secret_commits", .count = static_cast<std::int64_t>(places.size())};
  for (auto const& place : places) {
    auto const file = place.path.empty() ? std::string{"message"} : place.path;
    out.files.push_back(place.commit.substr(0, kShownId) + " " + file + ":" + std::to_string(place.line) +
                        " (" + place.what + ")");
  }
  return out;
}

}  // namespace

GateVerdict judge_change(service::LandingPlace const& place, Repository const& repository,
                         std::string const& joined, std::vector<std::string> const& secrets) {
  LandingCommits const commits{repository.tip, joined, place.run.base, place.run.head};
  auto const copied = files_of_work(repository.git, commits, place.board.copy);
  if (!copied) return {.trouble = copied.error()};
  if (!copied->empty()) return {.refusal = may_never_land(*copied)};
  auto const folder = std::filesystem::path{repository.git.place().directory}.parent_path();
  auto const filtered =
      unfiltered_files(repository.git, folder, repository.tip, joined, held_filters(place.board.filters));
  if (!filtered.empty()) return {.refusal = may_not_be_seen(filtered)};
  auto change = measure_change(repository.git, commits);
  if (!change) return {.trouble = change.error()};
  change->touches = in_repository(place.board, place.task.touches);
  change->check_files = files_of_checks(place);
  auto const search = find_history_secrets(repository.git, {repository.tip, joined}, secrets);
  change->is_cut = change->is_cut || search.is_cut;
  auto found = core::findings_of(*change, limits_of(place));
  if (!search.known.empty()) found.push_back(core::known_secrets_in(commits_of(search.known)));
  if (!search.likely.empty()) found.push_back(likely_secrets_in(search.likely));
  if (place.run.left_out_count > 0) found.push_back(left_out_of(place.run));
  auto const& landing = *place.run.landing;
  bool const is_allowed = !landing.allowed_by.empty() && core::beyond(found, landing.findings).empty();
  if (is_allowed) return {};
  return {.findings = std::move(found)};
}

}  // namespace andon::runner
