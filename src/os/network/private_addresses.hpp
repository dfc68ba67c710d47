#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace andon::os {

/// From where an address can be reached.
enum class AddressScope {
  unreadable,
  machine,      ///< loopback
  private_net,  ///< RFC 1918, or a unique local address of IPv6 (RFC 4193)
  link,         ///< link-local: valid together with an interface only
  carrier,      ///< RFC 6598: the network of a provider, also used by tunnels
  other         ///< public, multicast, reserved, unspecified, or IPv4 written as IPv6
};

/// The scope of an IPv4 or IPv6 address in text form, without brackets and without a zone.
AddressScope scope_of(std::string_view address);

/// One address of a network interface of this machine.
struct InterfaceAddress {
  std::string interface;
  std::string address;
  bool is_up = true;
  bool is_tunnel = false;    ///< a point-to-point interface, as VPNs have
  bool is_loopback = false;  ///< no other device reaches it
};

/// The private addresses by which devices of the same network reach this machine: of interfaces that are up,
/// and neither loopback nor tunnels nor networks of containers and virtual machines. IPv4 comes first.
std::vector<std::string> private_addresses_of(std::span<InterfaceAddress const> interfaces);

/// The addresses of all interfaces now. Throws a SystemError.
std::vector<InterfaceAddress> interface_addresses();

/// The name of this machine without its domain, in lower case.
std::string machine_name();

}  // namespace andon::os
