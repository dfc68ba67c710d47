#pragma once

#include "service/requests.hpp"
#include "service/tasks/change.hpp"

namespace andon::service {

struct CompleteRequest {
  TaskRef id;
  std::string result;
  std::string no_change;
  std::string claim;
  std::optional<std::int64_t> epoch;
  bool force = false;
};
BOOST_DESCRIBE_STRUCT(CompleteRequest, (), (id, result, no_change, claim, epoch, force))
inline constexpr std::array kCompleteFields{kIdField,
                                            core::Field{"result", "What was done"},
                                            core::Field{"no_change", "Why the work needed no change"},
                                            kClaimField,
                                            kEpochField,
                                            kForceField};
constexpr auto const& fields(CompleteRequest const*) { return kCompleteFields; }

struct BlockRequest {
  TaskRef id;
  std::string reason;
  std::vector<std::string> choices;
  std::string claim;
  std::optional<std::int64_t> epoch;
  bool force = false;
};
BOOST_DESCRIBE_STRUCT(BlockRequest, (), (id, reason, choices, claim, epoch, force))
inline constexpr std::array kBlockFields{
    kIdField,
    core::Field{"reason", "What stops it, or the question to be answered", core::required},
    core::Field{"choices", "Answers to choose from"},
    kClaimField,
    kEpochField,
    kForceField};
constexpr auto const& fields(BlockRequest const*) { return kBlockFields; }

struct AskRequest {
  TaskRef id;
  std::string text;
  std::vector<std::string> choices;
  std::optional<std::int64_t> epoch;
  bool withdraw = false;
};
BOOST_DESCRIBE_STRUCT(AskRequest, (), (id, text, choices, epoch, withdraw))
inline constexpr std::array kAskFields{
    kIdField, core::Field{"text", "What the agent wants to be allowed", core::required},
    core::Field{"choices", "Answers to choose from; Allow and Deny when left out"}, kEpochField,
    core::Field{"withdraw", "Take this question back instead of asking it", core::set_only}};
constexpr auto const& fields(AskRequest const*) { return kAskFields; }

struct AnswerRequest {
  TaskRef id;
  std::string text;
  std::string question;
};
BOOST_DESCRIBE_STRUCT(AnswerRequest, (), (id, text, question))
inline constexpr std::array kAnswerFields{
    kIdField, core::Field{"text", "The answer", core::required},
    core::Field{"question", "The question it is for; refused when the task asks something else by now"}};
constexpr auto const& fields(AnswerRequest const*) { return kAnswerFields; }

struct HandoffRequest {
  TaskRef id;
  std::string note;
  std::string to;
  std::string append_body;
  std::string block;
  bool to_review = false;
  bool take = false;
  bool release = false;
  std::string claim;
  std::optional<std::int64_t> epoch;
  bool force = false;
};
BOOST_DESCRIBE_STRUCT(HandoffRequest, (),
                      (id, note, to, append_body, block, to_review, take, release, claim, epoch, force))
inline constexpr std::array kHandoffFields{
    kIdField,
    core::Field{"note", "What the next one must know"},
    core::Field{"to", "Worker or person to hand to"},
    core::Field{"append_body", "Text to add to the brief"},
    core::Field{"block", "Mark it as blocked, for this reason"},
    core::Field{"to_review", "Refuse when the board has no review column", core::set_only},
    core::Field{"take", "Claim it for the name in `claim` as well", core::set_only},
    core::Field{"release", "End the claim", core::set_only},
    kClaimField,
    kEpochField,
    kForceField};
constexpr auto const& fields(HandoffRequest const*) { return kHandoffFields; }

struct NoteRequest {
  TaskRef id;
  std::string text;
};
BOOST_DESCRIBE_STRUCT(NoteRequest, (), (id, text))
inline constexpr std::array kNoteFields{kIdField,
                                        core::Field{"text", "The note, in Markdown", core::required}};
constexpr auto const& fields(NoteRequest const*) { return kNoteFields; }

struct RejectRequest {
  TaskRef id;
  std::string reason;
};
BOOST_DESCRIBE_STRUCT(RejectRequest, (), (id, reason))
inline constexpr std::array kRejectFields{kIdField,
                                          core::Field{"reason", "What must be better", core::required}};
constexpr auto const& fields(RejectRequest const*) { return kRejectFields; }

core::Result<core::Task> approve_task(OperationContext& ctx, TaskRequest const& request);
core::Result<core::Task> start_task(OperationContext& ctx, HeldTaskRequest const& request);
core::Result<core::Task> submit_task(OperationContext& ctx, CompleteRequest const& request);
core::Result<core::Task> complete_task(OperationContext& ctx, CompleteRequest const& request);
core::Result<core::Task> fail_task(OperationContext& ctx, ReasonRequest const& request);
core::Result<core::Task> handoff_task(OperationContext& ctx, HandoffRequest const& request);
core::Result<core::Task> block_task(OperationContext& ctx, BlockRequest const& request);
/// Asks a person on behalf of the caller's run, which goes on and waits for the answer: the task stays where
/// it is. The same question again is the one that stands.
core::Result<core::Task> ask_permission(OperationContext& ctx, AskRequest const& request);
/// Answers the question of a task. A blocked task goes back where it was, and the next prompt holds the
/// answer; a task in work stays in work, and its run goes on.
core::Result<core::Task> answer_task(OperationContext& ctx, AnswerRequest const& request);
core::Result<core::Task> unblock_task(OperationContext& ctx, TaskRequest const& request);
core::Result<core::Task> accept_task(OperationContext& ctx, TaskRequest const& request);
core::Result<core::Task> reject_task(OperationContext& ctx, RejectRequest const& request);
core::Result<core::Task> retry_task(OperationContext& ctx, TaskRequest const& request);
core::Result<core::Task> note_task(OperationContext& ctx, NoteRequest const& request);

// Checks of the verbs, apart from those of the claim and of the request's fields. A function named `prepare`
// also makes the change. None of them writes.
core::Result<void> prepare_approve(OperationContext& ctx, Change& change);
core::Result<void> prepare_start(OperationContext& ctx, Change& change, Proof const& proof);
core::Result<void> check_submit(OperationContext& ctx, Change const& change);
core::Result<void> check_complete(OperationContext& ctx, Change const& change);
core::Result<void> check_fail(OperationContext& ctx, Change const& change);
core::Result<void> check_handoff(OperationContext& ctx, Change const& change);
core::Result<void> check_block(Change const& change);
core::Result<void> prepare_unblock(OperationContext& ctx, Change& change);
core::Result<void> prepare_answer(OperationContext& ctx, Change& change);
core::Result<void> check_accept(OperationContext& ctx, Change const& change);
core::Result<void> check_reject(OperationContext& ctx, Change const& change);
core::Result<void> prepare_retry(OperationContext& ctx, Change& change);
// Whether a verb has nothing to do, because the task is in the wanted state.
bool is_approved_already(OperationContext& ctx, Change const& change);
bool is_complete_already(Change const& change);
bool is_blocked(Change const& change);

// Changes that the engine makes to a task when work on it ends. The caller saves the change.
void apply_done(OperationContext& ctx, Change& change);
/// Back to ready with back-off while attempts are left; else, or when the same reason came twice, parked.
/// Returns the event that tells of it.
core::EventKind apply_failure(OperationContext& ctx, Change& change, std::string const& reason);
void apply_block(OperationContext& ctx, Change& change, std::string const& reason);
/// Back where it was before it was blocked.
void apply_unblock(OperationContext& ctx, Change& change);
void apply_kill(OperationContext& ctx, Change& change);
/// Back to where it can be picked again, without counting against it.
void apply_recover(OperationContext& ctx, Change& change);

}  // namespace andon::service
