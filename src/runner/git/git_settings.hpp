#pragma once

#include <string_view>

#include "runner/profiles/agent_environment.hpp"

namespace andon::runner {

/// Settings that override those of every repository.
Environment const& git_settings();

/// The settings that disable a key of a repository's configuration; nothing for allowed keys. Allowed keys
/// describe how a repository is stored and how its text is compared. None of them names a program, a file or
/// a place elsewhere, except those that include a file with settings: git cannot be kept from that, so the
/// settings of these files must be judged too. A key that only newer versions of git have is not allowed.
Environment without_effect(std::string_view key);

}  // namespace andon::runner
