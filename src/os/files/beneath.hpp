#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace andon::os {

// Files beneath a directory whose content nobody trusts: no name leads out of it or through a link. All
// functions throw a `SystemError`; ELOOP stands for a link on the way.

/// The content of a regular file; nothing when there is none. More than `limit` bytes is EFBIG.
std::optional<std::string> read_beneath(std::filesystem::path const& directory,
                                        std::filesystem::path const& name, std::size_t limit);
/// Replaces the content of a regular file, or makes it with its directories.
void write_beneath(std::filesystem::path const& directory, std::filesystem::path const& name,
                   std::string_view content);
/// Makes a regular file with its directories, and returns when they are on the disk. EEXIST where the name is
/// taken. A file that could not be written is removed again.
void write_new_beneath(std::filesystem::path const& directory, std::filesystem::path const& name,
                       std::string_view content);
/// Removes a file, and the directories above it that are empty then. Does nothing when there is none.
void remove_beneath(std::filesystem::path const& directory, std::filesystem::path const& name);
/// True for a directory.
bool is_directory_beneath(std::filesystem::path const& directory, std::filesystem::path const& name);

}  // namespace andon::os
