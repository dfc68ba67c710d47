#pragma once

#include <functional>
#include <map>

#include "runner/clones/clone.hpp"
#include "runner/merging/joined_checks.hpp"
#include "runner/merging/landing_trial.hpp"
#include "runner/merging/merge_tree.hpp"
#include "runner/operation_client.hpp"
#include "service/runs/landing_queue.hpp"

namespace andon::runner {

/// Lands accepted work on the default branches of boards, and takes landed work back, one piece at a time in
/// the order of acceptance. It puts the work on top of the current commit, runs the board's checks, and moves
/// the branch. The target commit is recorded before the move, so that a restart can see whether the move
/// happened. No work lands partially or twice. Its loop needs its own thread.
class MergeQueue {
 public:
  /// The environment of checks is a selection of `own`; `program` is the `andon` that supervises them.
  /// `stopping` is called while a check runs. `stop` becomes readable at the same time and ends running git
  /// commands.
  MergeQueue(OperationClient& client, os::DataDirectory data, std::vector<std::string> own,
             std::filesystem::path program, std::function<bool()> stopping, int stop = -1);

  /// Tries the first piece in the queue of every board. Returns the time of the next step if nothing changes.
  core::Instant step(core::Instant now);

 private:
  enum class End { landed, waits, waits_for_remote, returned };

  static core::Duration rest_after(End end);
  End land(service::LandingPlace const& place);
  End land_once(service::LandingPlace const& place, MergeTree& tree, bool& moved_on);
  /// The end when the joined work may not land now: git failed, it may never land, or a person is asked.
  std::optional<End> gate(service::LandingPlace const& place, MergeTree& tree, Repository const& repository,
                          std::string const& joined);
  /// Why the piece can never come onto the default branch; nothing when it may.
  std::optional<std::string> unfit(service::LandingPlace const& place, Repository const& repository);
  /// Makes the commit to which the default branch is to be moved: with accepted work, or without landed work.
  MergeTree::Joined make_next(service::LandingPlace const& place, MergeTree& tree,
                              Repository const& repository);
  End finish(service::LandingPlace const& place, Repository const& repository, std::string const& commit);
  End hold(service::LandingPlace const& place, std::string const& reason);
  /// Like `hold`, but for longer with a remote: each try asks another machine.
  End wait_for(Clone const& clone, service::LandingPlace const& place, std::string const& reason);
  Clone clone_of(service::LandingPlace const& place) const;
  core::Result<Repository> open(service::LandingPlace const& place, MergeTree const& tree) const;
  /// Moves the default branch of the origin, then that of the clone.
  End move(service::LandingPlace const& place, Repository const& repository, std::string const& commit,
           bool& moved_on);
  End send_back(service::LandingPlace const& place, std::string const& reason,
                std::vector<std::string> const& files = {});
  bool plan(service::LandingPlace const& place, std::string const& commit, std::string const& onto);

  OperationClient& client_;
  CommandPlace const commands_;
  std::function<bool()> const stopping_;
  JoinedChecks const checks_{client_, commands_, stopping_};
  LandingTrial trial_{checks_, stopping_};
  int stop_;
  std::map<core::BoardId, std::optional<core::WorkPlace>> trees_;  ///< the merge trees, by board
  std::map<core::RunId, core::Instant>
      rests_;  ///< when a waiting piece may be tried again, so that not every change of the board tries it
};

}  // namespace andon::runner
