#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <sys/types.h>

namespace andon::os {

/// A permission by which other users can change a file that this program obeys.
struct Exposure {
  std::filesystem::path path;  ///< the file, or the directory in which somebody could replace something
  mode_t mode = 0;             ///< its permission bits
  std::string text;            ///< a sentence with path and mode, and the command that mends it
};

/// Whether the file, which need not be there, can be written by others: by its group, by everybody, or by an
/// owner who is neither this user nor root. The group of a user who is alone in it counts as that user. For
/// root, the owner of the directory may own the file.
std::optional<Exposure> exposure_of_file(std::filesystem::path const& file);

/// Checks a directory like `exposure_of_file` checks a file. For root it may belong to anybody, as that of a
/// service does.
std::optional<Exposure> exposure_of_directory(std::filesystem::path const& directory);

/// Follows a path with all its links. Reports the first directory on the way that others can write, and the
/// first link that, or whose directory, belongs to somebody else: there others could make the path lead
/// elsewhere. A directory with the sticky bit, such as `/tmp`, does not count as one that others can write.
std::optional<Exposure> exposure_of_way(std::filesystem::path const& path);

/// The exposure of the way to the file, else that of the file.
std::optional<Exposure> exposure_of(std::filesystem::path const& file);

/// A mode that lets the group or everybody read a file with a secret, which need not be there. The
/// directories above it do not count: ssh judges its keys in the same way.
std::optional<Exposure> disclosure_of(std::filesystem::path const& file);

}  // namespace andon::os
