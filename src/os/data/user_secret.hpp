#pragma once

#include <string>

namespace andon::os {

/// A secret of this user on this machine, made at its first use. It lies in `andon/secret` of
/// `$XDG_STATE_HOME` or `~/.local/state`, or in `/tmp/andon-UID` if neither can be written. No other user can
/// choose a name that derives from it. Throws `SystemError` when no place can hold it.
std::string user_secret();

}  // namespace andon::os
