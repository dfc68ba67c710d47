// The files compiled into the binary. cmake/assets.cmake makes one function per embedded directory.
#pragma once

#include <span>
#include <string_view>

namespace andon {

/// One file, readable for the life of the process. `path` is relative to its directory, with '/'.
struct EmbeddedFile {
  std::string_view path;
  std::string_view mime;
  std::string_view etag;  // hex digits of the content's SHA-256, without quotes
  std::span<unsigned char const> raw;
  std::span<unsigned char const>
      gzip;  // empty where compressing does not make it smaller, or was not asked for
  std::span<unsigned char const> brotli;  // likewise
};

/// Each is sorted by path, and defined in the library that embeds it (andon_embed in CMake).
std::span<EmbeddedFile const> page_files();
std::span<EmbeddedFile const> migration_files();
std::span<EmbeddedFile const> agent_profile_files();
std::span<EmbeddedFile const> welcome_files();
std::span<EmbeddedFile const> skill_files();

}  // namespace andon
