#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runner/git/git.hpp"

namespace andon::runner {

// git-lfs stores a pointer in a commit, and the content as `GIT_DIRECTORY/lfs/objects/AA/BB/SHA256`. Git
// brings no such file along, so Andon does.

inline constexpr char kLargeFileFilter[] = "lfs";

/// The bytes that are copied at once from a repository of an agent. A file with holes takes no room there,
/// and all of it in a copy.
inline constexpr std::int64_t kMostLargeBytes = std::int64_t{8} << 30U;

/// The content that a pointer names.
struct LargeFile {
  std::string id;  ///< SHA-256, in hex
  std::int64_t size = 0;
};

/// Parses a pointer of git-lfs; nothing for any other content.
std::optional<LargeFile> parse_pointer(std::string_view content);

/// The pointers among these objects, in their order; nothing for each other one. Git may write in `scratch`.
std::vector<std::optional<LargeFile>> pointers_among(Git const& git, std::filesystem::path const& scratch,
                                                     std::vector<std::string> const& objects);

/// Gives a git directory the content that another one has, if it lacks it. Returns whether it has it then.
/// Copies only what has the size and the digest of the pointer and at most `room` bytes, and follows no link.
/// `room` becomes less by what is copied.
bool bring_large_file(LargeFile const& file, std::filesystem::path const& from,
                      std::filesystem::path const& to, std::int64_t& room);

}  // namespace andon::runner
