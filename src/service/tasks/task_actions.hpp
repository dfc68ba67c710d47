#pragma once

#include "service/requests.hpp"

namespace andon::core {

struct Column;
struct Change;
}  // namespace andon::core

namespace andon::service {

struct BlockRequest {
  TaskRef id;
  std::string reason;
  std::vector<std::string> choices;
  std::string claim;
  std::optional<core::Epoch> epoch;
  bool force = false;
};
void describe(auto& field, BlockRequest const*) {
  field(&BlockRequest::id, kIdField);
  field(&BlockRequest::reason, "reason", "What stops it, or the question to be answered", core::required);
  field(&BlockRequest::choices, "choices", "Answers to choose from");
  field(&BlockRequest::claim, kClaimField);
  field(&BlockRequest::epoch, kEpochField);
  field(&BlockRequest::force, kForceField);
}

struct AskRequest {
  TaskRef id;
  std::string text;
  std::vector<std::string> choices;
  std::optional<core::Epoch> epoch;
  bool withdraw = false;
};
void describe(auto& field, AskRequest const*) {
  field(&AskRequest::id, kIdField);
  field(&AskRequest::text, "text", "What the agent wants to be allowed", core::required);
  field(&AskRequest::choices, "choices", "Answers to choose from; Allow and Deny when left out");
  field(&AskRequest::epoch, kEpochField);
  field(&AskRequest::withdraw, "withdraw", "Take this question back instead of asking it", core::set_only);
}

struct AnswerRequest {
  TaskRef id;
  std::string text;
  std::string question;
};
void describe(auto& field, AnswerRequest const*) {
  field(&AnswerRequest::id, kIdField);
  field(&AnswerRequest::text, "text", "The answer", core::required);
  field(&AnswerRequest::question, "question",
        "The question it is for; refused when the task asks something else by now");
}

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
  std::optional<core::Epoch> epoch;
  bool force = false;
};
void describe(auto& field, HandoffRequest const*) {
  field(&HandoffRequest::id, kIdField);
  field(&HandoffRequest::note, "note", "What the next one must know");
  field(&HandoffRequest::to, "to", "Worker or person to hand to");
  field(&HandoffRequest::append_body, "append_body", "Text to add to the brief");
  field(&HandoffRequest::block, "block", "Mark it as blocked, for this reason");
  field(&HandoffRequest::to_review, "to_review", "Refuse when the board has no review column",
        core::set_only);
  field(&HandoffRequest::take, "take", "Claim it for the name in `claim` as well", core::set_only);
  field(&HandoffRequest::release, "release", "End the claim", core::set_only);
  field(&HandoffRequest::claim, kClaimField);
  field(&HandoffRequest::epoch, kEpochField);
  field(&HandoffRequest::force, kForceField);
}

struct NoteRequest {
  TaskRef id;
  std::string text;
};
void describe(auto& field, NoteRequest const*) {
  field(&NoteRequest::id, kIdField);
  field(&NoteRequest::text, "text", "The note, in Markdown", core::required);
}

struct AcceptRequest {
  TaskRef id;
  std::string plan_hash;
};
void describe(auto& field, AcceptRequest const*) {
  field(&AcceptRequest::id, kIdField);
  field(&AcceptRequest::plan_hash, "plan_hash",
        "SHA-256 of the plan that was read; refused when another plan waits by now");
}

struct RejectRequest {
  TaskRef id;
  std::string reason;
};
void describe(auto& field, RejectRequest const*) {
  field(&RejectRequest::id, kIdField);
  field(&RejectRequest::reason, "reason", "What must be better", core::required);
}

core::Result<core::Task> approve_task(OperationContext& ctx, TaskRequest const& request);
core::Result<core::Task> start_task(OperationContext& ctx, HeldTaskRequest const& request);
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
/// Accepts finished work. While a plan of the task waits for a verdict, both are about the plan, and the task
/// goes to ready.
core::Result<core::Task> accept_task(OperationContext& ctx, AcceptRequest const& request);
core::Result<core::Task> reject_task(OperationContext& ctx, RejectRequest const& request);
core::Result<core::Task> retry_task(OperationContext& ctx, TaskRequest const& request);
core::Result<core::Task> note_task(OperationContext& ctx, NoteRequest const& request);
/// Ends the work on a task and puts it back into the backlog stage, never into ready.
core::Result<core::Task> kill_task(OperationContext& ctx, TaskRequest const& request);

/// The column for handed work, or the refusal of the handoff.
core::Result<core::Column const*> handoff_column(OperationContext& ctx, core::Change const& change,
                                                 bool to_review);

}  // namespace andon::service
