#pragma once

#include <functional>
#include <map>

#include "os/data/data_directory.hpp"
#include "runner/merging/merge_tree.hpp"
#include "runner/operation_client.hpp"
#include "service/runs/landing_queue.hpp"

namespace andon::runner {

/// Joins accepted work to the default branches of boards, one piece at a time and in order of acceptance:
/// onto the present commit, through the board's checks, then the branch is moved forward. The commit it will
/// be moved to is recorded first, so that after a crash it is known whether it was. No work is landed by
/// halves or twice. The loop body of a thread of its own.
class MergeQueue {
 public:
  /// `own` is the environment checks are chosen from; `stopping` is asked while a check runs,
  /// `stop` is readable then and ends what git does.
  MergeQueue(OperationClient& client, os::DataDirectory data, std::vector<std::string> own,
             std::filesystem::path andon_directory, std::function<bool()> stopping, int stop = -1);

  /// Tries the first in the queue of every board. Returns when to look again if nothing changes.
  core::Instant step(core::Instant now);

 private:
  enum class End { landed, waits, returned };

  End land(service::LandingPlace const& place);
  End land_once(service::LandingPlace const& place, MergeTree& tree, bool& moved_on);
  End finish(service::LandingPlace const& place, Repository const& repository, std::string const& commit);
  End hold(service::LandingPlace const& place, std::string const& reason);
  End send_back(service::LandingPlace const& place, std::string const& reason);
  /// Why the checks say no; nothing when they are green.
  std::optional<std::string> failed_check(service::LandingPlace const& place, MergeTree const& tree);
  bool plan(service::LandingPlace const& place, std::string const& commit, std::string const& onto);

  OperationClient& client_;
  os::DataDirectory data_;
  std::vector<std::string> own_;
  std::filesystem::path andon_directory_;
  std::function<bool()> stopping_;
  int stop_;
  std::map<std::int64_t, std::optional<core::WorkPlace>> trees_;  ///< in which work is joined, by board
  std::map<core::RunId, core::Instant> rests_;  ///< what waits is not tried at every change of the board
};

}  // namespace andon::runner
