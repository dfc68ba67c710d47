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

/// What a profile comes to in one run.
struct Invocation {
  std::vector<std::string> argv;
  std::vector<std::pair<std::string, std::string>> env;
  std::vector<RenderedFile> files;
  std::string stdin_text;
};

/// Fills a profile in. `permissions` is the worker's level. No shell is involved: one item is one argument,
/// whatever is in it. Refuses a profile without a command, a level that holds an agent back where the
/// profile has levels but not that one, an argument the kernel would not take, and a
/// name that the program would take for an option.
core::Result<Invocation> expand(Profile const& profile, Variables const& variables,
                                std::string const& permissions);

}  // namespace andon::runner
