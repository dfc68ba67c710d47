#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/error.hpp"

namespace andon::runner {

/// Consecutive TCP ports of one work tree.
struct PortRange {
  int first = 0;
  int count = 0;
  bool operator==(PortRange const&) const = default;
};
void describe(auto& field, PortRange const*) {
  field(&PortRange::first, "first");
  field(&PortRange::count, "count");
}

/// The facts that Andon keeps about a work tree, outside of it, so that nothing in the tree can change them.
struct TreeRecord {
  std::string directory;  ///< of the tree
  PortRange ports;
  std::string setup;  ///< the fingerprint of the last set-up that ended well
};
void describe(auto& field, TreeRecord const*) {
  field(&TreeRecord::directory, "directory");
  field(&TreeRecord::ports, "ports");
  field(&TreeRecord::setup, "setup");
}

/// The record of the tree; an empty one when there is none. `records` is the directory of all of them.
TreeRecord read_tree_record(std::filesystem::path const& records, std::filesystem::path const& tree);
void write_tree_record(std::filesystem::path const& records, TreeRecord const& record);
void remove_tree_record(std::filesystem::path const& records, std::filesystem::path const& tree);

/// Gives the tree `count` ports that no other tree has and that nobody listens on, and records them. It keeps
/// the ports that it has while they are free. A sentence when there are none.
core::Result<PortRange> take_ports(std::filesystem::path const& records, std::filesystem::path const& tree,
                                   int count);

/// The ports as `ANDON_PORT_0=N` and so on.
std::vector<std::string> port_variables(PortRange const& ports);

}  // namespace andon::runner
