#pragma once

#include "service/reference.hpp"
#include "service/requests.hpp"
#include "service/runs/landing_queue.hpp"

namespace andon::service {

struct AskLandingRequest {
  core::RunId id = 0;
  std::vector<core::LandFinding> findings{};
};
void describe(auto& field, AskLandingRequest const*) {
  field(&AskLandingRequest::id, "id");
  field(&AskLandingRequest::findings, "findings");
}
/// The work exceeds limits of its board: it leaves the queue, so that other work goes on, and a person is
/// asked.
core::Result<core::Run> ask_landing(OperationContext& ctx, AskLandingRequest const& request);

enum class LandingVerdict { land, reject };
inline constexpr std::array<std::string_view, 2> kLandingVerdictNames{"land", "reject"};
constexpr auto const& wire_names(LandingVerdict) { return kLandingVerdictNames; }

struct JudgeLandingRequest {
  TaskRef id;
  LandingVerdict verdict = LandingVerdict::land;
  std::string reason{};
  bool squash = false;
};
void describe(auto& field, JudgeLandingRequest const*) {
  field(&JudgeLandingRequest::id, kIdField);
  field(&JudgeLandingRequest::verdict, "verdict", "land or reject", core::required);
  field(&JudgeLandingRequest::reason, "reason", "Why it goes back; the next attempt is told");
  field(&JudgeLandingRequest::squash, "squash", "Land it as one commit, without the history of the work");
}
/// The answer of a person about work that exceeds limits of its board. To land it puts it back into the
/// queue, where only what exceeds more than that asks again; with `squash` it stays one commit until it is
/// sent back. To reject it sends it back with the reason. An answer given twice has one effect; work that is
/// not asked about is refused.
core::Result<core::Run> judge_landing(OperationContext& ctx, JudgeLandingRequest const& request);

}  // namespace andon::service
