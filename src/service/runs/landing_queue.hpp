#pragma once

#include "service/tasks/unmerged_work.hpp"

namespace andon::service {

/// One place in the queue, with what is needed to land it.
struct LandingPlace {
  core::Run run;
  core::Task task;
  core::Board board;
  std::vector<std::string> checks;
};
BOOST_DESCRIBE_STRUCT(LandingPlace, (), (run, task, board, checks))
inline constexpr std::array kLandingPlaceFields{core::Field{"run", "The run whose work it is", core::always},
                                                core::Field{"task", "Its task", core::always},
                                                core::Field{"board", "Its board", core::always},
                                                core::Field{"checks", "Checks to pass before it lands"}};
constexpr auto const& fields(LandingPlace const*) { return kLandingPlaceFields; }

struct LandingQueue {
  std::vector<LandingPlace> items;
};
BOOST_DESCRIBE_STRUCT(LandingQueue, (), (items))
inline constexpr std::array kLandingQueueFields{
    core::Field{"items", "What waits, in the order it was accepted", core::always}};
constexpr auto const& fields(LandingQueue const*) { return kLandingQueueFields; }
core::Result<LandingQueue> landing_queue(OperationContext& ctx, NoRequest const&);

struct PlanLandingRequest {
  core::RunId id = 0;
  std::string commit;
  std::string onto;
};
BOOST_DESCRIBE_STRUCT(PlanLandingRequest, (), (id, commit, onto))
/// Stores the commit to which the default branch is about to be moved. After a crash this tells whether it
/// was moved.
core::Result<core::Run> plan_landing(OperationContext& ctx, PlanLandingRequest const& request);

struct LandedRequest {
  core::RunId id = 0;
  std::string commit;
  std::string branch;  ///< the default branch
};
BOOST_DESCRIBE_STRUCT(LandedRequest, (), (id, commit, branch))
/// Records that the work is part of the default branch.
core::Result<core::Run> land_run(OperationContext& ctx, LandedRequest const& request);

struct NotLandedRequest {
  core::RunId id = 0;
  std::string reason;
  std::vector<std::string> files{};  ///< in conflict with the default branch
};
BOOST_DESCRIBE_STRUCT(NotLandedRequest, (), (id, reason, files))
/// Says what the work waits for; it keeps its place.
core::Result<core::Run> hold_landing(OperationContext& ctx, NotLandedRequest const& request);
/// The work cannot be joined: its task goes back, and the reason into the next prompt.
core::Result<core::Run> return_landing(OperationContext& ctx, NotLandedRequest const& request);

}  // namespace andon::service
