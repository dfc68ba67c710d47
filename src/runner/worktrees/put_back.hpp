#pragma once

#include <string>
#include <vector>

#include "core/model/work_place.hpp"
#include "runner/git/git.hpp"
#include "runner/runs/run_spec.hpp"

namespace andon::runner {

/// Puts a work tree back to the branch and the commit of the note, without its changed and its new files.
/// Ignored files and those `kept_out` stay. Returns a sentence about what a person must look at; empty when
/// all is as it was.
std::string put_tree_back(core::WorkPlace const& place, RunStart const& noted, GitUse const& use,
                          std::vector<std::string> const& kept_out);

}  // namespace andon::runner
