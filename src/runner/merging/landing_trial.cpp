#include "runner/merging/landing_trial.hpp"

#include <algorithm>

#include "core/runs/landing_gate.hpp"
#include "core/text/names.hpp"
#include "core/text/visible_text.hpp"

namespace andon::runner {
namespace {

constexpr std::size_t kMostTried = 1'000;  ///< trials that are kept
constexpr std::size_t kLongestNote = 2'000;

bool names_tests(core::Board const& board) { return !board.test_list.empty() || !board.test_reports.empty(); }

std::string note(std::string const& text) {
  return core::visible_line(std::string{core::beginning(text, kLongestNote)});
}

/// Tests that went cannot be told where those of the default branch are not known, so a person is asked.
core::LandFinding about_unknown_tests(std::string const& why) {
  auto out = core::finding_of(core::kUnknownTests, 1, {"on the default branch: " + why});
  out.content = core::kUnknownTests;
  return out;
}

/// A digest of the changed files of the checks, for the finding about them.
std::string content_of(std::vector<ChangedEntry> const& checks) {
  std::string out;
  for (auto const& file : checks) out += file.path + '\n' + file.before + file.after + '\n';
  return out;
}

}  // namespace

std::string LandingTrial::key_of(service::LandingPlace const& place, MergeTree const& tree,
                                 std::string const& joined, std::string const& tip) {
  return tip + tree.files_of(joined) + std::to_string(place.board.rev);
}

core::Result<CheckOutcome> LandingTrial::outcome_at(TrialPlace const& trial,
                                                    std::string const& commit) const {
  if (auto trouble = trial.tree.check_out(commit); !trouble.empty()) return CheckOutcome{std::move(trouble)};
  return checks_.outcome(trial.place, trial.tree, commit, trial.tip);
}

core::Result<core::TestNames> LandingTrial::tests_before(TrialPlace const& trial, std::string& unknown) {
  auto const of = trial.tree.files_of(trial.tip) + std::to_string(trial.place.board.rev);
  auto& known = known_[trial.place.board.id];
  if (known.of == of) return known.tests;
  ANDON_TRY(auto ended, outcome_at(trial, trial.tip));
  bool const has_all_reports = trial.place.board.test_reports.empty() || !ended.failure;
  if (ended.unlisted || !has_all_reports) {
    unknown = note(ended.unlisted ? *ended.unlisted : *ended.failure);
    return std::move(ended.tests);
  }
  known = {of, std::move(ended.tests)};
  return known.tests;
}

core::Result<std::optional<std::string>> LandingTrial::try_new(TrialPlace const& trial, Tried& tried) {
  bool const has_names = names_tests(trial.place.board);
  core::TestNames before;
  if (has_names) ANDON_SET(before, tests_before(trial, tried.unknown));
  ANDON_TRY(auto ended, outcome_at(trial, trial.joined));
  if (ended.failure) return ended.failure;
  tried.has_passed = true;
  if (has_names) tried.lost = core::lost_tests(before, ended.tests);
  return std::nullopt;
}

core::Result<void> LandingTrial::try_old(TrialPlace const& trial, std::vector<ChangedEntry> const& checks,
                                         Tried& tried) {
  auto const old = trial.tree.with_old_files(trial.joined, checks);
  if (old.empty()) {
    tried.notes.emplace_back("the checks as they were could not be tried");
    return {};
  }
  ANDON_TRY(auto ended, outcome_at(trial, old));
  tried.differs = ended.failure.has_value();
  tried.notes.push_back("with the checks as they were: " +
                        (ended.failure ? note(*ended.failure) : std::string{"all pass"}));
  tried.notes.emplace_back("with the checks as the work changes them: all pass");
  return {};
}

core::Result<std::optional<std::string>> LandingTrial::run(TrialPlace const& trial, GateVerdict& verdict) {
  bool const has_old = !verdict.checks.empty() && !trial.place.checks.empty();
  if (!has_old && !names_tests(trial.place.board)) return std::nullopt;
  auto const key = key_of(trial.place, trial.tree, trial.joined, trial.tip);
  if (tried_.size() > kMostTried) tried_.clear();
  auto& tried = tried_[trial.place.run.id];
  if (tried.of != key) {
    Tried now{.of = key};
    ANDON_TRY(auto const failure, try_new(trial, now));
    if (!failure && has_old && !stopping_()) ANDON_CHECK(try_old(trial, verdict.checks, now));
    static_cast<void>(trial.tree.check_out(trial.joined));
    if (failure || stopping_()) return failure;
    tried = std::move(now);
  }
  core::add_lost_tests(verdict.findings, limits_of(trial.place), tried.lost);
  if (!tried.unknown.empty()) verdict.findings.push_back(about_unknown_tests(tried.unknown));
  auto const row = std::ranges::find(verdict.findings, "check_files", &core::LandFinding::limit);
  if (row != verdict.findings.end())
    row->lines.insert(row->lines.begin(), tried.notes.begin(), tried.notes.end());
  if (!tried.differs) return std::nullopt;
  auto finding = core::finding_of(core::kOldChecks, 1, tried.notes);
  finding.content = content_of(verdict.checks);
  verdict.findings.push_back(std::move(finding));
  return std::nullopt;
}

bool LandingTrial::has_passed(service::LandingPlace const& place, MergeTree const& tree,
                              std::string const& joined, std::string const& tip) const {
  auto const found = tried_.find(place.run.id);
  return found != tried_.end() && found->second.has_passed &&
         found->second.of == key_of(place, tree, joined, tip);
}

}  // namespace andon::runner
