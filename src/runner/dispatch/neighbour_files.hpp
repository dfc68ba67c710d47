// The servers and runners of one user on one machine know of each other's runs by files in a directory that
// all of them use. Each writes one file, PID@STARTED@BOOT.fleet after its process, and replaces it as a
// whole:
//
//   RUNS HELD RESERVED\n      three decimal numbers, the last two in bytes
//
// A file counts while exactly this process lives. The others are removed. Whatever else lies in the directory
// is left alone and counts for nothing: the agents of the user may write there.

#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "os/processes/process.hpp"

namespace andon::runner {

/// The live runs of one server or runner.
struct Fleet {
  std::int64_t runs = 0;
  std::int64_t held = 0;      ///< bytes that their processes use
  std::int64_t reserved = 0;  ///< bytes that they may come to use
  bool operator==(Fleet const&) const = default;
};

std::string to_text(Fleet const& fleet);
/// Nothing for a text that `to_text` does not write, and for numbers that no machine has.
std::optional<Fleet> parse_fleet(std::string_view text);

class NeighbourFiles {
 public:
  /// Without a directory there are no neighbours.
  explicit NeighbourFiles(std::filesystem::path directory, os::ProcessId self = os::own_identity());
  NeighbourFiles(NeighbourFiles const&) = delete;
  /// Removes the own file.
  ~NeighbourFiles();

  /// Writes the own file if the fleet changed or the file is gone.
  void publish(Fleet const& fleet);
  /// The fleets of the other processes. Removes the files of dead ones.
  std::vector<Fleet> read() const;

 private:
  std::filesystem::path own_file() const;

  std::filesystem::path const directory_;
  os::ProcessId const self_;
  std::optional<Fleet> published_;
};

}  // namespace andon::runner
