// The files compiled into the binary. cmake/assets.cmake makes one function per embedded directory.
#pragma once

#include <span>
#include <string_view>

namespace andon {

/// One embedded file, readable for the life of the process. `path` is relative to its directory, with '/'.
struct EmbeddedFile {
  std::string_view path;
  std::string_view mime;
  std::string_view etag;  // hex digits of the content's SHA-256, without quotes
  std::span<unsigned char const> raw;
  std::span<unsigned char const>
      gzip;  // empty if compression does not make the file smaller, or was not requested
  std::span<unsigned char const> brotli;  // empty under the conditions of `gzip`
};

/// The files of each directory, sorted by path. The library that embeds them defines the function
/// (andon_embed in CMake).
std::span<EmbeddedFile const> page_files();
std::span<EmbeddedFile const> statement_files();
std::span<EmbeddedFile const> sqlite_files();
std::span<EmbeddedFile const> postgres_files();
std::span<EmbeddedFile const> agent_profile_files();
std::span<EmbeddedFile const> secret_rule_files();
std::span<EmbeddedFile const> welcome_files();
std::span<EmbeddedFile const> skill_files();

}  // namespace andon
