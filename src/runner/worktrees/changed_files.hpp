#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/model/run.hpp"
#include "runner/git/git.hpp"

namespace andon::service {
struct ChangedFile;
}

namespace andon::runner {

/// The arguments of a `git diff` between two commits that runs no program and finds renamed files. `how`
/// holds further options.
std::vector<std::string> diff_arguments(std::vector<std::string> const& how, std::string const& base,
                                        std::string const& head);

/// The files that differ between two commits, with their lines counted.
std::vector<service::ChangedFile> changed_files(Git const& git, std::string const& base,
                                                std::string const& head);

/// The number of these files and of their lines. Nothing when a commit is empty or both are equal.
std::optional<core::DiffSize> diff_size(Git const& git, std::string const& base, std::string const& head);

}  // namespace andon::runner
