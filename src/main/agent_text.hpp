#pragma once

#include <string>

#include "runner/profiles/detect.hpp"
#include "runner/profiles/examine.hpp"
#include "runner/profiles/profile.hpp"

namespace andon::main {

std::string list_line(runner::Profile const& profile, runner::Detection const& found);
std::string profile_text(runner::Profile const& profile, std::string const& file);
std::string examination_text(runner::Examination const& found);

}  // namespace andon::main
