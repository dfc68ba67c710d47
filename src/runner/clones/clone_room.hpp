#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "core/time/time.hpp"
#include "os/data/file_lock.hpp"

namespace andon::runner {

/// The bounds of all clones of a data directory together.
struct CloneLimits {
  std::size_t clones = 40;
  std::int64_t bytes = std::int64_t{20} << 30U;
  core::Duration time{600'000};  ///< of one fetch or push
};

/// The files that belong to a clone but lie beside its folder, so that they stay when it is removed.
std::filesystem::path fetch_lock(std::filesystem::path const& clone);    ///< held while it is made or fetched
std::filesystem::path landing_lock(std::filesystem::path const& clone);  ///< held while work lands in it
/// The directory in which a clone is made before it gets its name, so that half a clone never has it.
std::filesystem::path unfinished_clone(std::filesystem::path const& clone);

/// Notes that a clone is used now.
void note_use(std::filesystem::path const& clone);

/// Removes the least recently used clones that nothing needs until `limits` leave room for `more` further
/// clones. `kept` is never removed. Also removes clones that were never finished. A clone is needed when it
/// lends objects to a work tree, when it is fetched, when work lands in it, and in the minute after its last
/// use. Returns a sentence when there is no room.
std::optional<std::string> make_room(std::filesystem::path const& clones, std::filesystem::path const& kept,
                                     std::size_t more, CloneLimits const& limits);

}  // namespace andon::runner
