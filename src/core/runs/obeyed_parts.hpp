#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace andon::core {

/// True for a file of which some parts are executed or obeyed and others are not, such as `package.json`: its
/// scripts are, its description is not.
bool has_obeyed_parts(std::string_view path);

/// The parts of such a file that are executed or obeyed, one line each, in the order of the file. `tools` are
/// the programs that the checks of the board start; sections that only other programs read are left out. Text
/// that is not of the expected form counts as a whole where it names such a part.
std::vector<std::string> obeyed_parts(std::string_view path, std::string_view text,
                                      std::vector<std::string> const& tools);

}  // namespace andon::core
