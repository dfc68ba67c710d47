#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace andon::core {

/// The sort of program that executes a file by itself, or obeys it, when somebody merely opens, fetches,
/// installs or checks the repository. Empty when none is known by the name of the file. Paths have `/` and
/// begin at the top of the repository; the case of ASCII letters does not matter.
std::string_view executor_of(std::string_view path);

/// A tool that a check starts, and the files that it reads beside its arguments.
struct ToolFiles {
  std::string_view tool;  ///< the name of its program
  std::string_view file;  ///< the name of a file; `*` stands for any bytes
};

/// True when a check that starts these programs reads the file.
bool is_read_by(std::string_view path, std::vector<std::string> const& tools);

/// True for a word that names a tool of which files are known.
bool is_known_tool(std::string_view word);

}  // namespace andon::core
