#pragma once

#include <string>

namespace andon::os {

/// A secret of this user on this machine, made when it is first asked for: `andon/secret` in
/// `$XDG_STATE_HOME` or `~/.local/state`, and where neither can be written in `/tmp/andon-UID`. What is named
/// after it cannot have come from elsewhere. Throws `SystemError` when it can be kept nowhere.
std::string user_secret();

}  // namespace andon::os
