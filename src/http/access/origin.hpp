#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "core/error.hpp"
#include "http/options.hpp"
#include "http/wire/message.hpp"

namespace andon::http {

/// Refuses hosts and origins that are no names, such as `*`: which names are ours is said one by one. Throws
/// std::invalid_argument.
void check_names(ServerOptions const& options);

/// The names this server goes by, and the pages that may talk to it. Refuses requests that a foreign page
/// made a browser send, by name (rebinding) or by origin.
class Origins {
 public:
  Origins(ServerOptions const& options, std::uint16_t port);

  /// Checks the Host of every request and the Origin of those that have one.
  std::optional<core::Error> fault_of(Request const& request) const;
  /// Whether a browser says that our own page sent it. What is not said is not granted.
  bool is_from_own_page(Request const& request) const;

 private:
  bool is_own_host(std::string_view host, bool is_local) const;

  std::set<std::string, std::less<>> hosts_;
  std::set<std::string, std::less<>> origins_;
};

}  // namespace andon::http
