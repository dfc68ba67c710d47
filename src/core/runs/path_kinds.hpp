#pragma once

#include <string_view>
#include <vector>

namespace andon::core {

// Kinds of files, told by their paths alone. Paths have `/` and begin at the top of the repository; they may
// hold any byte. The case of ASCII letters does not matter.

/// The kinds of files that a landing is asked about.
enum class PathKind {
  test,
  generated,           ///< or vendored
  generated_when_new,  ///< a folder that some repositories keep by hand
  secret,              ///< a name that usually holds one
};
bool is_of_kind(std::string_view path, PathKind kind);

/// The names of the manifests that a lock file is made from; empty when the path is no lock file.
std::vector<std::string_view> manifests_of(std::string_view path);
/// True when the file at the path is such a manifest.
bool is_manifest(std::string_view path, std::string_view manifest);

}  // namespace andon::core
