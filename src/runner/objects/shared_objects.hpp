#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace andon::runner {

/// Gives a repository all objects of another one. Both paths are `objects` directories of git. A hard link
/// keeps an object when its own repository drops it, and costs no disk; where the file system has none, the
/// object is copied. Follows the alternates of `from` if they are among `elsewhere`, by their real paths;
/// throws for others, and for links among the objects. `from` may be repacked meanwhile: every object that is
/// there all the time is in `to` afterwards. Nothing in `from` changes. Throws a `SystemError`, for example
/// without room on the disk, when a part of `from` cannot be read, and when new packs came in each of
/// `most_passes` passes over its packs.
void share_objects(std::filesystem::path const& from, std::filesystem::path const& to,
                   std::vector<std::string> const& elsewhere = {}, int most_passes = 100);

}  // namespace andon::runner
