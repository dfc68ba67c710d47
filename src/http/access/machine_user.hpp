#pragma once

#include "http/wire/message.hpp"

namespace andon::http {

/// True for a process of the machine's own user at the Unix socket: one of this process's user or of root
/// that still runs and does not descend from a run of an agent or from this server. A run's processes stay
/// beneath its supervisor, which adopts them (PR_SET_CHILD_SUBREAPER, prctl(2)).
bool is_machines_user(Peer const& peer);

}  // namespace andon::http
