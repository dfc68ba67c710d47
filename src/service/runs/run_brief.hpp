#pragma once

#include "core/model/work_place.hpp"
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
BOOST_DESCRIBE_STRUCT(EarlierConversation, (), (run, session, used, agent, cwd))

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
  core::Allowance allowance{};             ///< what the run may spend
  std::optional<core::WorkPlace> place{};  ///< the work tree that earlier runs of the task left
  std::string branch{};                    ///< on which they worked
};
BOOST_DESCRIBE_STRUCT(RunBrief, (),
                      (run, task, worker, board, context, beside, feedback, checks, earlier, allowance, place,
                       branch))

/// The brief of a run that is about to begin, or that would be.
RunBrief brief_of(OperationContext& ctx, core::Run run, core::Task task, core::Worker worker,
                  core::Board const& board);

struct PromptRequest {
  TaskRef id;
  std::string worker;
};
BOOST_DESCRIBE_STRUCT(PromptRequest, (), (id, worker))
inline constexpr std::array kPromptRequestFields{
    kIdField, core::Field{"worker", "Worker that would do it; whoever would get it when left out"}};
constexpr auto const& fields(PromptRequest const*) { return kPromptRequestFields; }

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
BOOST_DESCRIBE_STRUCT(Prompt, (), (task, worker, agent, session, role, prompt, bytes))
inline constexpr std::array kPromptFields{
    core::Field{"task", "Number of the task", core::always},
    core::Field{"worker", "Who is told", core::always},
    core::Field{"agent", "Agent profile of the worker"},
    core::Field{"session", "The agent's conversation it goes on with"},
    core::Field{"role", "Role document and memory, where the agent gets them apart from the prompt"},
    core::Field{"prompt", "The prompt", core::always},
    core::Field{"bytes", "Length of it all", core::always}};
constexpr auto const& fields(Prompt const*) { return kPromptFields; }

/// The brief that the task's next run would get. A run may ask only for its own worker.
core::Result<RunBrief> prompt_of(OperationContext& ctx, PromptRequest const& request);

}  // namespace andon::service
