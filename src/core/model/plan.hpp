#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "core/field.hpp"
#include "core/id.hpp"
#include "core/time/time.hpp"

namespace andon::core {

/// The rule of a task or a worker for plans: `required` lets no agent begin before a person accepts one.
enum class PlanRule { none, required };
inline constexpr std::array<std::string_view, 2> kPlanRuleNames{"none", "required"};
constexpr auto const& wire_names(PlanRule) { return kPlanRuleNames; }

/// The state of a task's plan.
enum class PlanState {
  none,
  proposed,  ///< it waits for a verdict
  accepted,  ///< the next run works by it
  returned   ///< the next run writes another one
};
inline constexpr std::array<std::string_view, 4> kPlanStateNames{"none", "proposed", "accepted", "returned"};
constexpr auto const& wire_names(PlanState) { return kPlanStateNames; }

/// The most bytes of a plan.
inline constexpr std::size_t kPlanBytes = 262'144;

/// Why a task is blocked whose plan waits on a board without a review column.
inline constexpr std::string_view kPlanWaits =
    "its plan waits for a person: accept it, or send it back with a reason";

/// The plan of a task: how an agent is to do it.
struct Plan {
  std::string text;  ///< Markdown
  PlanState state = PlanState::none;
  std::string sha256;          ///< of the text, in hex
  std::string by;              ///< the actor who wrote it
  Instant at{};                ///< when it was written
  std::string comment{};       ///< why a person sent it back
  std::string judged_by{};     ///< the actor who accepted it or sent it back
  std::optional<RunId> run{};  ///< the run that wrote it; absent where a person did
  bool operator==(Plan const&) const = default;
};
void describe(auto& field, Plan const*) {
  field(&Plan::text, "text", "The plan, in Markdown", always);
  field(&Plan::state, "state", "none, proposed, accepted or returned", always);
  field(&Plan::sha256, "sha256", "SHA-256 of the text in hex");
  field(&Plan::by, "by", "Who wrote it");
  field(&Plan::at, "at", "When it was written", always);
  field(&Plan::comment, "comment", "Why it was sent back");
  field(&Plan::judged_by, "judged_by", "Who accepted it or sent it back");
  field(&Plan::run, "run", "The run that wrote it; absent where a person did");
}

}  // namespace andon::core
