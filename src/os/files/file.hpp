#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

#include "os/files/descriptor.hpp"

namespace andon::os {

/// Returns the whole content of a regular file; more than `limit` bytes is a `SystemError` (EFBIG).
std::string read_file(std::filesystem::path const& path, std::size_t limit);
/// Like `read_file`, but returns nothing when the file does not exist.
std::optional<std::string> read_file_if_there(std::filesystem::path const& path, std::size_t limit);

/// The lines of a regular file without the empty ones; none when there is no such file.
std::vector<std::string> read_lines(std::filesystem::path const& path, std::size_t limit);

/// Replaces a file as a whole: after a crash it has the old or the new content. The new content is on the
/// disk when this returns.
void write_file(std::filesystem::path const& path, std::string_view content, mode_t mode = 0600);

/// Like `write_file`, but does not wait for the disk: for content without meaning after a restart of the
/// machine.
void write_passing_file(std::filesystem::path const& path, std::string_view content, mode_t mode = 0600);

/// Makes a directory (and its parents) that only its owner can enter.
void make_private_directory(std::filesystem::path const& path);

/// Waits until the names in a directory are on the disk; those of the working directory for an empty path.
void sync_directory(std::filesystem::path const& path);

/// Opens a directory to resolve names beneath it.
Descriptor open_directory(std::filesystem::path const& path);
/// Opens a name beneath a directory. The kernel refuses `..` out of it, symbolic links and magic links.
Descriptor open_beneath(Descriptor const& directory, std::filesystem::path const& name, int flags,
                        mode_t mode = 0);

/// Writes all bytes and continues after interruptions.
void write_all(Descriptor const& file, std::string_view content, std::string_view name);

}  // namespace andon::os
