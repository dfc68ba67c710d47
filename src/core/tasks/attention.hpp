#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "core/model/stage.hpp"

namespace andon::core {

/// The reasons for which something needs a person, the most urgent first.
enum class AttentionKind {
  waiting,      ///< an agent waits for an answer while it works
  question,     ///< a blocked task asks something
  landing,      ///< a person must say whether work lands
  fault,        ///< nothing starts on a board or a machine until its fault is mended
  review,       ///< work or a plan waits for a verdict
  no_evidence,  ///< the same, and the work left nothing to be seen
  returned,     ///< accepted work could not be landed
  failed,       ///< the attempts are used up, or a budget or a person stopped them
  silent,       ///< an agent lives and gets nothing done
  approval,     ///< a task that no person made waits for a person who approves it
  budget,       ///< the budget of a day is spent
  limit,        ///< an account or a worker picks nothing
};
inline constexpr std::array<std::string_view, 12> kAttentionKindNames{
    "waiting",  "question", "landing", "fault",    "review", "no_evidence",
    "returned", "failed",   "silent",  "approval", "budget", "limit"};
constexpr auto const& wire_names(AttentionKind) { return kAttentionKindNames; }
inline constexpr std::size_t kAttentionKinds = kAttentionKindNames.size();
constexpr std::string_view to_text(AttentionKind kind) {
  return kAttentionKindNames[static_cast<std::size_t>(kind)];
}

/// The facts about a task that decide whether it needs a person.
struct AttentionFacts {
  Stage stage = Stage::backlog;
  bool blocked = false;
  bool runs = false;           ///< it has a live run
  bool asks_in_work = false;   ///< and that run waits for an answer
  bool asks = false;           ///< it has a question that no run waits for
  bool landing_asked = false;  ///< a person must say whether its work lands
  bool returned = false;       ///< its last run's work came back from landing
  bool no_evidence = false;    ///< its work left nothing to be seen
  bool was_tried = false;      ///< at least one attempt has begun
  bool has_reviewer = false;   ///< a worker is to judge its work
  bool tries_again = false;    ///< an attempt failed and the next one begins by itself
  bool plan_waits = false;     ///< its plan waits for a verdict, in review or by the blocked mark
  bool unapproved = false;     ///< a person must approve it, and nothing else holds it back
};

/// The reason for which a task needs a person; none when it needs nobody. The page has these rules too, in
/// `web/src/model/attention.ts`; `tests/fixtures/attention.json` holds both to the same answers.
std::optional<AttentionKind> attention_of(AttentionFacts const& facts);

}  // namespace andon::core
