#pragma once

#include <string>

#include "runner/detect.hpp"
#include "runner/examine.hpp"
#include "runner/profile.hpp"

namespace andon::main {

std::string list_line(runner::Profile const& profile, runner::Detection const& found);
std::string profile_text(runner::Profile const& profile, std::string const& file);
std::string examination_text(runner::Examination const& found);

}  // namespace andon::main
