#pragma once

#include <array>
#include <string_view>

namespace andon::core {

/// The acts on a task. core/tasks/verbs.cpp says what each one does.
enum class Verb {
  approve,
  claim,
  release,
  start,
  submit,
  complete,
  fail,
  handoff,
  block,
  unblock,
  answer,
  accept,
  reject,
  retry,
  kill,
  archive,
  move,
  note,
  remove,
  exhaust,      ///< the engine blocks it because a budget is spent
  recover,      ///< the engine makes it ready again because its holder is gone
  accept_plan,  ///< `accept`, while a plan waits for a verdict
  return_plan,  ///< `reject`, while a plan waits for a verdict
  // Moves to another column that have a name of their own in the strict machine.
  shelve,
  reject_resume,
  fail_retry,
  reopen,
  restore,
};

inline constexpr std::array<std::string_view, 28> kVerbNames{
    "approve",     "claim",       "release", "start",         "submit",     "complete", "fail",
    "handoff",     "block",       "unblock", "answer",        "accept",     "reject",   "retry",
    "kill",        "archive",     "move",    "note",          "delete",     "budget",   "recover",
    "accept-plan", "return-plan", "shelve",  "reject-resume", "fail-retry", "reopen",   "restore"};
constexpr auto const& wire_names(Verb) { return kVerbNames; }
constexpr std::string_view to_text(Verb verb) { return kVerbNames[static_cast<std::size_t>(verb)]; }

}  // namespace andon::core
