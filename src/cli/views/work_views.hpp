#pragma once

#include <string>

#include "cli/command_line/screen.hpp"
#include "service/runs/open_work.hpp"
#include "service/runs/work.hpp"

namespace andon::cli {

/// A summary of the changed files, then the diff.
std::string diff_page(service::RunDiff const& diff, Screen const& screen);
std::string work_page(service::WorkList const& work, Screen const& screen);
/// Commands for a shell that enter the tree and set its variables.
std::string opened_page(service::OpenedWork const& work, Screen const& screen);
std::string cleaned_page(service::WorkCleaned const& cleaned, Screen const& screen);

}  // namespace andon::cli
