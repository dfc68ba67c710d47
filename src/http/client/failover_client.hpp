#pragma once

#include <memory>
#include <string>
#include <vector>

#include "http/client/client.hpp"

namespace andon::http {

/// A client of several servers of one store. It stays with one as long as that answers, then uses the next,
/// for as long as `ClientTimes::absence` says. A request that may have arrived is sent again only if arriving
/// twice has the effect of once.
std::unique_ptr<api::Transport> client_of_any(std::vector<std::string> const& urls, ClientTimes times,
                                              std::string const& certificates);

}  // namespace andon::http
