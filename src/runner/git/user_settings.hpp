#pragma once

#include <map>
#include <string>

namespace andon::runner {

/// Settings by key, with section and name in lower case as git prints them.
using UserSettings = std::map<std::string, std::string>;

/// The git settings of the user that runs Andon: those of the system and of the user, of which the last one
/// counts. No repository has a say. Empty when git cannot tell them.
UserSettings user_settings();

/// A variable of Andon's own environment; empty without it.
std::string own_variable_of_git(std::string_view name);

}  // namespace andon::runner
