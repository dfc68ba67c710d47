#pragma once

#include <expected>
#include <filesystem>
#include <string>

#include "core/model/work_place.hpp"
#include "os/files/descriptor.hpp"

namespace andon::runner {

/// Where git would work for a directory that is the top of a work tree. It is found without git, from what
/// `.git` and `commondir` say; no setting of the repository moves it. A sentence when the directory is no
/// such top.
std::expected<core::WorkPlace, std::string> find_work_place(std::filesystem::path const& top);

/// The closest directory above, or the directory itself, that holds a `.git`; empty when there is none.
std::filesystem::path top_above(std::filesystem::path const& directory);

/// Opens the files of a place after a look at all three directories: each must be the very one that was
/// found, with no link on the way, and what git reads of it first must be files. A sentence when something
/// else is there by now.
std::expected<os::Descriptor, std::string> enter(core::WorkPlace const& place);

/// Which directory that is on the disk, as `DEVICE:INODE`. No link is followed on the way there; a sentence
/// when there is one, or no directory.
std::expected<std::string, std::string> directory_identity(std::filesystem::path const& directory);

}  // namespace andon::runner
