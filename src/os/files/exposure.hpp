#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <sys/types.h>

namespace andon::os {

/// What lets other users change a file that decides over what this program does.
struct Exposure {
  std::filesystem::path path;  ///< the file, or the directory in which somebody could put another link
  mode_t mode = 0;             ///< its permission bits
  std::string text;            ///< a sentence with path and mode, and the command that mends it
};

/// Whether the file, which need not be there, can be written by others: by its group, by everybody, or by an
/// owner who is neither this user nor root. The group of a user who is alone in it counts as that user. For
/// root, the owner of the directory may own the file.
std::optional<Exposure> exposure_of_file(std::filesystem::path const& file);

/// Whether others can lead the path elsewhere: by a symbolic link, at any place of the path, that belongs to
/// somebody else or lies in a directory that others can write. A directory with the sticky bit, such as
/// `/tmp`, is none of those.
std::optional<Exposure> exposure_of_links(std::filesystem::path const& path);

/// Either of them.
std::optional<Exposure> exposure_of(std::filesystem::path const& file);

}  // namespace andon::os
