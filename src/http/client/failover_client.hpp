#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "http/client/client.hpp"

namespace andon::http {

/// The place in a list of servers of the one that is asked first. The clients of a process share it, so that
/// only one of them has to find out that a server is away.
using ServerChoice = std::atomic<std::size_t>;

/// A client of several servers of one store. It stays with one as long as that answers, then uses the next,
/// for as long as `ClientTimes::absence` says. A request that may have arrived is sent again only if arriving
/// twice has the effect of once. The choice outlives the client.
std::unique_ptr<api::Transport> client_of_any(std::vector<std::string> const& urls, ServerChoice& choice,
                                              ClientTimes times, std::string const& certificates);

}  // namespace andon::http
