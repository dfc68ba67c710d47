#pragma once

#include "service/requests.hpp"

namespace andon::service {

/// Whether accepted work of the board's work trees is joined to the default branch by the server.
bool lands(core::Board const& board);

/// Whether the last run of the task left commits that are to be joined to the default branch.
bool has_work_to_land(Unit& u, core::Task const& task);

/// Gives accepted work of a task its place in its board's queue, when its last run has ended and left
/// commits.
void queue_landing(Unit& u, core::Task const& task);
/// Takes work out of the queue that was taken up again.
void withdraw_landing(Unit& u, core::Task const& task);
/// Whether the task builds on work (of its parent or a dependency) that is not landed yet: a work tree made
/// now would lack it.
bool builds_on_waiting(Unit& u, core::Task const& task);

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
core::Result<LandingQueue> landing_queue(Unit& u, NoRequest const&);

struct PlanLandingRequest {
  core::RunId id = 0;
  std::string commit;
  std::string onto;
};
BOOST_DESCRIBE_STRUCT(PlanLandingRequest, (), (id, commit, onto))
/// Keeps, before the default branch is touched, to what commit it will be moved: whoever comes after a crash
/// can tell whether it was.
core::Result<core::Run> plan_landing(Unit& u, PlanLandingRequest const& request);

struct LandedRequest {
  core::RunId id = 0;
  std::string commit;
  std::string branch;  ///< the default branch
};
BOOST_DESCRIBE_STRUCT(LandedRequest, (), (id, commit, branch))
/// Records that the work is part of the default branch.
core::Result<core::Run> land_run(Unit& u, LandedRequest const& request);

struct NotLandedRequest {
  core::RunId id = 0;
  std::string reason;
};
BOOST_DESCRIBE_STRUCT(NotLandedRequest, (), (id, reason))
/// Says what the work waits for; it keeps its place.
core::Result<core::Run> hold_landing(Unit& u, NotLandedRequest const& request);
/// The work cannot be joined: its task goes back, and the reason into the next prompt.
core::Result<core::Run> return_landing(Unit& u, NotLandedRequest const& request);

/// The checks that a task's work must pass: those it names, else, where its work is judged or landed, all of
/// its board.
std::vector<std::string> checks_of(core::Board const& board, core::Task const& task);

}  // namespace andon::service
