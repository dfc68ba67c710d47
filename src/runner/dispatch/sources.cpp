#include "runner/dispatch/sources.hpp"

#include "os/files/file.hpp"
#include "runner/git/outlying_parts.hpp"
#include "runner/output/plain_text.hpp"
#include "runner/profiles/agent_environment.hpp"
#include "runner/supervision/supervised_check.hpp"
#include "runner/worktrees/evidence.hpp"

namespace andon::runner {
namespace {

constexpr std::size_t kKept = 8U << 10U;
constexpr core::Duration kLongestSource = std::chrono::seconds{30};

/// It marks the processes of sources, and is open to them.
std::filesystem::path source_directory(std::filesystem::path const& data) {
  return data / "work" / "sources";
}

std::string text_of(core::CheckResult const& result) {
  constexpr std::string_view kFailed = "\n(the source failed)";
  if (result.passed) return std::string{tail(result.output, kKept)};
  return std::string{tail(result.output, kKept - kFailed.size())}.append(kFailed);
}

/// Nothing for a board without a repository, whose commands read only what the administrator wrote.
std::optional<SandboxSpec> sandbox_of_source(service::SourceQuestion const& question,
                                             SourcePlace const& place,
                                             std::vector<std::string> const& environment) {
  if (question.repo.empty() || os::confinement_version() == 0) return std::nullopt;
  auto out = sandbox_of({.program = place.program,
                         .andon_directory = place.program.parent_path(),
                         .data = place.data,
                         .run_dir = source_directory(place.data),
                         .cwd = question.repo,
                         .only_reads_work = true,
                         .environment = environment,
                         .folders = {}});
  if (auto const git = place_around(question.repo)) {
    out.reads.push_back(git->git_directory);
    out.reads.push_back(git->common_directory);
    auto const records = std::filesystem::absolute(place.data) / "repositories";
    for (auto& part : kept_outlying(records, *git).value_or(std::vector<std::string>{}))
      out.reads.push_back(std::move(part));
  }
  return out;
}

}  // namespace

api::SourceTexts run_sources(service::SourceQuestion const& question, SourcePlace const& place) {
  auto const own = source_directory(place.data);
  os::make_private_directory(own);
  auto const environment =
      agent_environment({}, place.own, {}, {{"ANDON_BOARD", question.board}, {"ANDON_RUN_DIR", own.native()}},
                        place.program.parent_path().native());
  SupervisedCheck command{.check = {},
                          .directory = question.repo.empty() ? place.data.native() : question.repo,
                          .env = environment,
                          .limit = kLongestSource,
                          .sandbox = sandbox_of_source(question, place, environment)};
  api::SourceTexts out;
  for (auto const& [name, argv] : question.commands) {
    command.check = {name, argv};
    out[name] = text_of(run_supervised(command, {.program = place.program, .run_dir = own}));
  }
  return out;
}

}  // namespace andon::runner
