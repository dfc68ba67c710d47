#pragma once

#include "core/model/board.hpp"
#include "core/model/plan.hpp"
#include "core/model/run.hpp"
#include "core/model/task.hpp"
#include "core/model/work_place.hpp"
#include "core/model/worker.hpp"
#include "service/requests.hpp"

namespace andon::service {

/// The conversation of an earlier run that this one may go on with.
struct EarlierConversation {
  core::RunId run = 0;
  std::string session;
  core::Usage used;     ///< by all runs of that session together
  std::string agent{};  ///< the profile of that run; empty for a run that was started before it was recorded
  std::string cwd{};    ///< the directory in which its agent started, from the same record
};
void describe(auto& field, EarlierConversation const*) {
  field(&EarlierConversation::run, "run");
  field(&EarlierConversation::session, "session");
  field(&EarlierConversation::used, "used");
  field(&EarlierConversation::agent, "agent");
  field(&EarlierConversation::cwd, "cwd");
}

/// The input for starting a run: the task with all parts of its prompt.
struct RunBrief {
  core::Run run;
  core::Task task;
  core::Worker worker;
  core::Board board;
  std::vector<core::Task> context;    ///< parent and dependencies with their results
  std::vector<core::Task> beside;     ///< other work in progress on the board
  std::vector<std::string> feedback;  ///< of earlier attempts, reviews and checks, and notes; newest last
  std::vector<std::string> checks;    ///< of the board, to be run on its work
  std::optional<EarlierConversation> earlier;
  std::string unfinished{};  ///< the work that the run before said success without, which this one finishes
  core::Allowance allowance{};             ///< what the run may spend
  std::optional<core::WorkPlace> place{};  ///< the work tree that earlier runs of the task left
  std::string branch{};                    ///< on which they worked
  std::optional<core::Plan> plan{};        ///< the accepted one, or the one before for a planning run
};
void describe(auto& field, RunBrief const*) {
  field(&RunBrief::run, "run");
  field(&RunBrief::task, "task");
  field(&RunBrief::worker, "worker");
  field(&RunBrief::board, "board");
  field(&RunBrief::context, "context");
  field(&RunBrief::beside, "beside");
  field(&RunBrief::feedback, "feedback");
  field(&RunBrief::checks, "checks");
  field(&RunBrief::earlier, "earlier");
  field(&RunBrief::unfinished, "unfinished");
  field(&RunBrief::allowance, "allowance");
  field(&RunBrief::place, "place");
  field(&RunBrief::branch, "branch");
  field(&RunBrief::plan, "plan");
}

/// The brief of a run that is about to begin, or that would be.
RunBrief brief_of(OperationContext& ctx, core::Run run, core::Task task, core::Worker worker,
                  core::Board const& board);

struct PromptRequest {
  TaskRef id;
  std::string worker;
};
void describe(auto& field, PromptRequest const*) {
  field(&PromptRequest::id, kIdField);
  field(&PromptRequest::worker, "worker", "Worker that would do it; whoever would get it when left out");
}

/// The prompt of a task.
struct Prompt {
  core::TaskId task = 0;
  std::string worker;
  std::string agent;
  std::string session;
  std::string role;
  std::string prompt;
  std::int64_t bytes = 0;
};
void describe(auto& field, Prompt const*) {
  field(&Prompt::task, "task", "Number of the task", core::always);
  field(&Prompt::worker, "worker", "Who is told", core::always);
  field(&Prompt::agent, "agent", "Agent profile of the worker");
  field(&Prompt::session, "session", "The agent's conversation it goes on with");
  field(&Prompt::role, "role", "Role document and memory, where the agent gets them apart from the prompt");
  field(&Prompt::prompt, "prompt", "The prompt", core::always);
  field(&Prompt::bytes, "bytes", "Length of it all", core::always);
}

/// The brief that the task's next run would get. A run may ask only for its own worker.
core::Result<RunBrief> prompt_of(OperationContext& ctx, PromptRequest const& request);

}  // namespace andon::service
