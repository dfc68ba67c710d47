#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "runner/profiles/placeholder.hpp"
#include "runner/profiles/profile.hpp"

namespace andon::runner {

struct RenderedFile {
  std::string path;  ///< beneath the run directory
  std::string content;
};

/// A profile filled in for one run.
struct Invocation {
  std::vector<std::string> argv;
  std::vector<std::pair<std::string, std::string>> env;
  std::vector<RenderedFile> files;
  std::string stdin_text;
};

/// Fills a profile in. `permissions` names the worker's level. No shell is involved: one item is one
/// argument, whatever it contains. Refuses a profile without a command, an argument that the kernel rejects,
/// and a name that the program would read as an option. Refuses a restrictive level that the profile does not
/// have although it has levels.
core::Result<Invocation> expand(Profile const& profile, Variables const& variables,
                                std::string_view permissions);

}  // namespace andon::runner
