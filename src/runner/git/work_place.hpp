#pragma once

#include <expected>
#include <filesystem>
#include <string>

#include "core/model/work_place.hpp"
#include "os/files/descriptor.hpp"

namespace andon::runner {

/// The directories that git would use for the top of a work tree. They come from `.git` and `commondir`,
/// without git; no setting of the repository changes them. A sentence when the directory is no such top.
std::expected<core::WorkPlace, std::string> find_work_place(std::filesystem::path const& top);

/// The nearest directory with a `.git`, from this one upwards; empty without one.
std::filesystem::path top_above(std::filesystem::path const& directory);

/// Opens the work tree of a place after a check of all three directories. Each must be the recorded one,
/// reached without a link, and the files that git reads first must be regular. Otherwise returns a sentence.
std::expected<os::Descriptor, std::string> enter(core::WorkPlace const& place);

/// Opens a folder of a work tree after `enter`, or the work tree itself for an empty one. A sentence when the
/// folder is not there, or a link is on the way to it.
std::expected<os::Descriptor, std::string> enter_folder(core::WorkPlace const& place,
                                                        std::string const& folder);

/// The identity of a directory on the disk, as `DEVICE:INODE`. A sentence when it is no directory or its path
/// contains a link.
std::expected<std::string, std::string> directory_identity(std::filesystem::path const& directory);

}  // namespace andon::runner
