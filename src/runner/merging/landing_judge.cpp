#include "runner/merging/landing_judge.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <set>

#include "core/runs/landing_gate.hpp"
#include "core/text/visible_text.hpp"
#include "os/digest.hpp"
#include "runner/git/held_filters.hpp"
#include "runner/merging/change_measure.hpp"
#include "runner/merging/check_sources.hpp"
#include "runner/output/plain_text.hpp"
#include "runner/secrets/history_secrets.hpp"
#include "runner/secrets/secret_rules.hpp"
#include "runner/secrets/value_finder.hpp"
#include "runner/worktrees/filter_form.hpp"

namespace andon::runner {
namespace {

constexpr std::size_t kShownId = 12;  ///< letters of a commit's id

/// Paths beneath the folder of the board as paths of the repository.
std::vector<std::string> in_repository(core::Board const& board, std::vector<std::string> paths) {
  if (!board.folder.empty())
    for (auto& path : paths) path = (std::filesystem::path{board.folder} / path).lexically_normal().native();
  return paths;
}

/// The files of the checks among those that the work changes; none where the board lets work change them.
std::vector<ChangedEntry> changed_checks(MeasuredChange const& change, core::LandLimits const& limits) {
  std::vector<ChangedEntry> out;
  if (limits.check_files < 0) return out;
  for (std::size_t i = 0; i < change.files.size(); ++i)
    if (core::is_check(change.files[i], change, limits.check_paths)) out.push_back(change.entries[i]);
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

/// The place as a person reads it: `abc1234abcde src/pay.js:12: aws-access-token`.
std::string in_words(SecretPlace const& place) {
  auto const file = place.path.empty() ? std::string{"message"} : core::visible_line(as_utf8(place.path));
  return place.commit.substr(0, kShownId) + " " + file + ":" + std::to_string(place.line) + ": " + place.what;
}

/// The finding about places in the history. Its content has no commits, whose ids change when the work is
/// joined again, except where there are more places than are named.
core::LandFinding finding_about(std::string_view limit, std::vector<SecretPlace> const& places,
                                std::string const& joined) {
  std::vector<std::string> lines;
  for (auto const& place : places) lines.push_back(in_words(place));
  auto out = core::finding_of(limit, static_cast<std::int64_t>(places.size()), std::move(lines));
  for (auto const& place : places) out.content += place.path + '\n' + place.what + '\n' + place.digest + '\n';
  if (places.size() >= kMostSecretPlaces) out.content += joined;
  return out;
}

/// The likely secrets of the history that the files of the joined work do not show.
std::vector<SecretPlace> only_in_history(std::vector<SecretPlace> places,
                                         std::set<std::string> const& shown) {
  std::erase_if(places,
                [&](SecretPlace const& place) { return shown.contains(place.path + '\n' + place.digest); });
  return places;
}

void add_secrets(HistorySecrets const& search, MeasuredChange const& change, core::LandLimits const& limits,
                 std::string const& joined, std::vector<core::LandFinding>& found) {
  if (!search.known.empty()) found.push_back(finding_about(core::kKnownSecrets, search.known, joined));
  auto const likely = only_in_history(search.likely, change.secret_lines);
  bool const exceeds = static_cast<std::int64_t>(likely.size()) > limits.secret_commits;
  if (limits.secret_commits < 0 || !exceeds) return;
  std::erase_if(found, [](core::LandFinding const& one) { return one.limit == "secret_commits"; });
  auto finding = finding_about("secret_commits", likely, joined);
  finding.most = limits.secret_commits;
  found.push_back(std::move(finding));
}

/// Leaves of a line with a secret only its place.
void hide_secret(std::string& line, ValueFinder const& values) {
  bool const is_secret = values.find(line) || !SecretRules::embedded().in_text({}, line).empty();
  if (is_secret) line = line.substr(0, line.find(": ")) + ": not shown, since it looks like a secret";
}

}  // namespace

/// Work that was taken back may bring its files again as they were.
core::LandLimits limits_of(service::LandingPlace const& place) {
  auto out = place.board.land_limits.value_or(core::LandLimits{});
  if (place.was_reverted) out.reverted_files = -1;
  return out;
}

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
  auto change =
      measure_change(repository.git, commits, check_sources(repository.git, repository.tip, place.board));
  if (!change) return {.trouble = change.error()};
  change->touches = in_repository(place.board, place.task.touches);
  auto const search = find_history_secrets(repository.git, {repository.tip, joined}, secrets);
  change->is_cut = change->is_cut || search.is_cut;
  auto const limits = limits_of(place);
  auto found = core::findings_of(*change, limits);
  add_secrets(search, *change, limits, joined, found);
  if (place.run.left_out_count > 0) found.push_back(left_out_of(place.run));
  return {.findings = std::move(found), .checks = changed_checks(*change, limits)};
}

std::vector<core::LandFinding> questions_of(std::vector<core::LandFinding> found,
                                            core::Landing const& landing,
                                            std::vector<std::string> const& secrets) {
  ValueFinder const values{secrets};
  for (auto& each : found) {
    each.content = os::hex(os::sha256(each.content));
    for (auto& line : each.lines) hide_secret(line, values);
  }
  bool const is_allowed = !landing.allowed_by.empty() && core::beyond(found, landing.findings).empty();
  return is_allowed ? std::vector<core::LandFinding>{} : found;
}

}  // namespace andon::runner
