#pragma once

#include <filesystem>

namespace andon::runner {

/// Gives a repository all objects of another one. Both paths are `objects` directories of git. A hard link
/// keeps an object when its own repository drops it, and costs no disk; where the file system has none, the
/// object is copied. Follows the alternates of `from`. `from` may be repacked meanwhile: every object that is
/// there all the time is in `to` afterwards. Nothing in `from` changes. Throws a `SystemError`, for example
/// without room on the disk.
void share_objects(std::filesystem::path const& from, std::filesystem::path const& to);

}  // namespace andon::runner
