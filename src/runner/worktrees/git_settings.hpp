#pragma once

#include <string_view>

#include "runner/profiles/agent_environment.hpp"

namespace andon::runner {

/// Settings that hold in every repository, whatever it says itself.
Environment const& git_settings();

/// What to set so that a key of a repository's configuration has no effect; nothing for the keys that may
/// stand: those that say how a repository is stored and how its text is compared, none of which names a
/// program, a file or a place elsewhere. A key that a newer git knows and we do not is none of them.
Environment without_effect(std::string_view key);

}  // namespace andon::runner
