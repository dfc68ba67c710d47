#include "http/access/origin.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "core/text/ascii.hpp"

namespace andon::http {
namespace {

constexpr std::array<std::string_view, 3> kLoopbackNames{"localhost", "127.0.0.1", "[::1]"};

core::Error foreign(std::string message) {
  return {core::Code::kForeignOrigin, std::move(message), {}, {}, {}};
}

bool is_port(std::string_view text) {
  return !text.empty() && text.size() <= 5 &&
         std::ranges::all_of(text, [](char c) { return core::is_ascii_digit(c); });
}

bool is_host_name(std::string_view text) {
  bool const is_address = text.size() > 2 && text.front() == '[' && text.back() == ']';
  std::string_view const marks = is_address ? ":." : ".-_";
  if (is_address) text = text.substr(1, text.size() - 2);
  return !text.empty() && std::ranges::all_of(text, [&](char c) {
    return (c >= 'a' && c <= 'z') || core::is_ascii_digit(c) || marks.contains(c);
  });
}

/// Whether a text is `NAME`, `NAME:PORT`, `[ADDRESS]` or `[ADDRESS]:PORT`.
bool is_host(std::string_view text) {
  if (is_host_name(text)) return true;
  auto const colon = text.rfind(':');
  return colon != std::string_view::npos && is_host_name(text.substr(0, colon)) &&
         is_port(text.substr(colon + 1));
}

/// A name of this machine, at any port: a forwarded port may have another number than the server's.
bool is_loopback(std::string_view host) {
  return std::ranges::any_of(kLoopbackNames, [&](std::string_view name) {
    if (!host.starts_with(name)) return false;
    auto const rest = host.substr(name.size());
    return rest.empty() || (rest.front() == ':' && is_port(rest.substr(1)));
  });
}

bool is_origin(std::string_view text) {
  for (std::string_view const scheme : {"https://", "http://"})
    if (text.starts_with(scheme)) return is_host(text.substr(scheme.size()));
  return false;
}

std::string with_brackets(std::string const& address) {
  return address.contains(':') ? "[" + address + "]" : address;
}

/// Addresses and names in the local network, as the host of a URL.
std::vector<std::string> lan_hosts(LocalNetwork const& lan) {
  std::vector<std::string> out;
  for (auto const& address : lan.addresses) out.push_back(with_brackets(address));
  for (auto const& name : lan.names)
    if (is_host_name(name)) out.push_back(name);
  return out;
}

}  // namespace

void check_names(ServerOptions const& options) {
  for (auto const& host : options.allowed_hosts)
    if (!is_host(core::ascii_lower(host)))
      throw std::invalid_argument(
          "\"--host " + host +
          "\" must be a name or an address, with or without :PORT; give each name apart");
  for (auto const& origin : options.allowed_origins)
    if (!is_origin(core::ascii_lower(origin)))
      throw std::invalid_argument(
          "\"--origin " + origin +
          "\" must be http://NAME or https://NAME, with or without :PORT; give each apart");
}

std::vector<std::string> origins_for_others(ServerOptions const& options, std::uint16_t port) {
  std::vector<std::string> out;
  if (options.behind_tls_proxy)
    for (auto const& host : options.allowed_hosts) out.push_back("https://" + core::ascii_lower(host));
  auto const with_port = port == 80 ? std::string{} : ":" + std::to_string(port);
  for (auto const& address : options.lan.addresses)
    out.push_back("http://" + with_brackets(address) + with_port);
  return out;
}

Origins::Origins(ServerOptions const& options, std::uint16_t port)
    : for_others_(origins_for_others(options, port)) {
  auto const with_port = ":" + std::to_string(port);
  auto names = lan_hosts(options.lan);
  names.insert(names.end(), kLoopbackNames.begin(), kLoopbackNames.end());
  for (auto const& name : names) {
    hosts_.insert(name + with_port);
    if (port == 80) hosts_.insert(name);
  }
  for (auto const& host : options.allowed_hosts) hosts_.insert(core::ascii_lower(host));
  for (auto const& host : hosts_) {
    origins_.insert("http://" + host);
    if (options.behind_tls_proxy) origins_.insert("https://" + host);
  }
  for (auto const& origin : options.allowed_origins) origins_.insert(core::ascii_lower(origin));
}

bool Origins::is_own_host(std::string_view host, bool is_local) const {
  auto const name = core::ascii_lower(host);
  if (is_local && (name == "localhost" || name == "andon")) return true;
  return hosts_.contains(name) || is_loopback(name);
}

bool Origins::is_own_origin(std::string_view origin, std::string_view host) const {
  auto const name = core::ascii_lower(origin);
  return origins_.contains(name) ||
         (is_loopback(core::ascii_lower(host)) && name == "http://" + core::ascii_lower(host));
}

std::optional<core::Error> Origins::fault_of(Request const& request) const {
  if (!is_own_host(request.header(Field::host), request.peer.is_local))
    return foreign("this server does not go by that name; start it with --host NAME if it should");
  bool const has_origin = request.fields.find(Field::origin) != request.fields.end();
  if (has_origin && !is_own_origin(request.header(Field::origin), request.header(Field::host)))
    return foreign("pages of another origin may not use this server; start it with --origin if they may");
  return std::nullopt;
}

}  // namespace andon::http
