#include "runner/prompts/sources.hpp"

#include "runner/output/plain_text.hpp"
#include "runner/profiles/agent_environment.hpp"
#include "runner/runs/check.hpp"

namespace andon::runner {
namespace {

constexpr std::size_t kKept = 8U << 10U;
constexpr core::Duration kLongestSource = std::chrono::seconds{30};

std::string text_of(core::CheckResult const& result) {
  constexpr std::string_view kFailed = "\n(the source failed)";
  if (result.passed) return std::string{tail(result.output, kKept)};
  return std::string{tail(result.output, kKept - kFailed.size())}.append(kFailed);
}

}  // namespace

api::SourceTexts run_sources(service::SourceQuestion const& question, SourcePlace const& place) {
  auto const environment =
      agent_environment({}, place.own, {}, {{"ANDON_BOARD", question.board}}, place.andon_directory.native());
  auto const redactor = Redactor::for_environment(environment, {});
  auto const directory = question.repo.empty() ? place.directory : std::filesystem::path{question.repo};
  api::SourceTexts out;
  for (auto const& [name, argv] : question.commands)
    out[name] = text_of(run_check({name, argv}, directory, environment, kLongestSource, redactor));
  return out;
}

}  // namespace andon::runner
