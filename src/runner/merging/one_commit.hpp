#pragma once

#include <string>

#include "runner/merging/merge_tree.hpp"
#include "service/runs/landing_queue.hpp"

namespace andon::runner {

/// Puts the work of a place on top of the default branch: as its own commits, or as one commit with the files
/// of the joined work. One commit it is where a person asked for that, and where the joined work would bring
/// commits of earlier work of its task that were kept out in this way.
MergeTree::Joined join_work(service::LandingPlace const& place, MergeTree& tree,
                            Repository const& repository);

/// The message of the one commit: it has nothing that an agent wrote into its commits.
std::string message_of_one_commit(core::Task const& task);

}  // namespace andon::runner
