#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "http/options.hpp"
#include "http/wire/message.hpp"

namespace andon::http {

/// Throws std::invalid_argument for hosts and origins that are no names, such as `*`. Each accepted name must
/// be listed.
void check_names(ServerOptions const& options);

/// The origins at which other devices reach the server, the best first: behind a proxy its names,
/// otherwise at the addresses in the local network. Empty when no other device reaches it.
std::vector<std::string> origins_for_others(ServerOptions const& options, std::uint16_t port);

/// The names of this server and the origins that may call it. Refuses requests that a foreign page sends
/// through a browser, by their host (DNS rebinding) or their origin. A loopback name is the server's at every
/// port, as a tunnel gives it another one; a page at such a port may call nothing but that port.
class Origins {
 public:
  Origins(ServerOptions const& options, std::uint16_t port);

  /// Checks the Host of every request, and the Origin if there is one.
  std::optional<core::Error> fault_of(Request const& request) const;
  /// `origins_for_others` of this server.
  std::vector<std::string> const& for_others() const { return for_others_; }

 private:
  bool is_own_host(std::string_view host, bool is_local) const;
  bool is_own_origin(std::string_view origin, std::string_view host) const;

  std::set<std::string, std::less<>> hosts_;
  std::set<std::string, std::less<>> origins_;
  std::vector<std::string> for_others_;
};

}  // namespace andon::http
