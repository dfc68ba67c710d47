#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>

#include "os/files/descriptor.hpp"

namespace andon::os {

/// The whole content of a regular file; more than `limit` bytes is a `SystemError` (EFBIG).
std::string read_file(std::filesystem::path const& path, std::size_t limit);
/// The same, or nothing where there is no such file.
std::optional<std::string> read_file_if_there(std::filesystem::path const& path, std::size_t limit);

/// Replaces a file as a whole: after a crash it has the old or the new content. On return the new one is on
/// disk.
void write_file(std::filesystem::path const& path, std::string_view content, mode_t mode = 0600);

/// The same without waiting for the disk: enough for what means nothing after a restart of the machine.
void write_passing_file(std::filesystem::path const& path, std::string_view content, mode_t mode = 0600);

/// Makes a directory (and its parents) that only its owner can enter.
void make_private_directory(std::filesystem::path const& path);

/// Opens a directory to resolve names beneath it.
Descriptor open_directory(std::filesystem::path const& path);
/// Opens a name beneath a directory; `..` out of it, symbolic links and magic links are refused by the
/// kernel.
Descriptor open_beneath(Descriptor const& directory, std::filesystem::path const& name, int flags,
                        mode_t mode = 0);

/// Writes all bytes, going on after interruptions.
void write_all(Descriptor const& file, std::string_view content, std::string_view name);

}  // namespace andon::os
