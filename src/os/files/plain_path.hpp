#pragma once

#include <filesystem>

#include "os/files/descriptor.hpp"

namespace andon::os {

/// The part of the tree to which a path may lead.
enum class Reach { anywhere, beneath };

/// Opens a path, close-on-exec, and follows no link on the way to it or at its end. Empty on a failure, with
/// errno: ELOOP stands for a link, EXDEV for a path that leads out of `directory`. `directory` may be
/// AT_FDCWD.
///
/// openat2(2) does this in one call. Where it is missing (ENOSYS), each part is opened by itself: a service
/// with RestrictSUIDSGID=yes has no openat2, since a filter cannot read the mode in its arguments.
Descriptor open_plain(int directory, std::filesystem::path const& path, int flags, Reach reach,
                      mode_t mode = 0);

}  // namespace andon::os
