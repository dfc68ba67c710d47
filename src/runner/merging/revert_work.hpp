#pragma once

#include "runner/merging/merge_tree.hpp"
#include "service/runs/landing_queue.hpp"
#include "service/runs/revert.hpp"

namespace andon::runner {

/// Makes one commit on top of the default branch that takes back all landed work of the place's task. `known`
/// is what landed on the board. The work counts as taken back already when the branch has nothing of it: then
/// the commit is the present one. Where the files would not be what they are without the task, there is a
/// conflict instead, with the later commits that stand in the way.
MergeTree::Joined take_back(service::LandingPlace const& place, service::LandedWorks const& known,
                            MergeTree& tree, Repository const& repository);

}  // namespace andon::runner
