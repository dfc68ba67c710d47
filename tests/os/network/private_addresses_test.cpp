#include "os/network/private_addresses.hpp"

#include <doctest/doctest.h>

using namespace andon;
using os::AddressScope;

namespace {

struct ScopeCase {
  std::string_view address;
  AddressScope scope;
};

constexpr ScopeCase kScopeCases[] = {
    {"10.0.0.1", AddressScope::private_net},
    {"10.255.255.255", AddressScope::private_net},
    {"9.255.255.255", AddressScope::other},
    {"11.0.0.0", AddressScope::other},
    {"172.16.0.1", AddressScope::private_net},
    {"172.31.255.254", AddressScope::private_net},
    {"172.15.255.255", AddressScope::other},
    {"172.32.0.0", AddressScope::other},
    {"192.168.0.1", AddressScope::private_net},
    {"192.168.255.255", AddressScope::private_net},
    {"192.167.255.255", AddressScope::other},
    {"192.169.0.0", AddressScope::other},
    {"127.0.0.1", AddressScope::machine},
    {"127.8.8.8", AddressScope::machine},
    {"169.254.7.7", AddressScope::link},
    {"100.64.0.1", AddressScope::carrier},
    {"100.127.255.255", AddressScope::carrier},
    {"100.63.255.255", AddressScope::other},
    {"100.128.0.0", AddressScope::other},
    {"0.0.0.0", AddressScope::other},
    {"224.0.0.251", AddressScope::other},
    {"255.255.255.255", AddressScope::other},
    {"8.8.8.8", AddressScope::other},
    {"203.0.113.9", AddressScope::other},
    {"::1", AddressScope::machine},
    {"::", AddressScope::other},
    {"fe80::1", AddressScope::link},
    {"febf::1", AddressScope::link},
    {"fec0::1", AddressScope::other},
    {"fc00::1", AddressScope::private_net},
    {"fd12:3456:789a::5", AddressScope::private_net},
    {"fbff::1", AddressScope::other},
    {"fe00::1", AddressScope::other},
    {"ff02::fb", AddressScope::other},
    {"2001:db8::1", AddressScope::other},
    {"2a02:8071::7", AddressScope::other},
    {"::ffff:192.168.1.5", AddressScope::other},
    {"64:ff9b::c0a8:105", AddressScope::other},
    {"", AddressScope::unreadable},
    {"192.168.1", AddressScope::unreadable},
    {"192.168.1.256", AddressScope::unreadable},
    {"192.168.1.5:80", AddressScope::unreadable},
    {"[fd00::1]", AddressScope::unreadable},
    {"fe80::1%eth0", AddressScope::unreadable},
    {"localhost", AddressScope::unreadable},
};

}  // namespace

TEST_CASE("PrivateAddresses.ScopeFollowsTheBlocksOfTheStandards") {
  for (auto const& each : kScopeCases) {
    CAPTURE(each.address);
    CHECK(os::scope_of(each.address) == each.scope);
  }
}

TEST_CASE("PrivateAddresses.AreThoseOfNetworksThatOtherDevicesShare") {
  std::vector<os::InterfaceAddress> const interfaces{
      {"lo", "127.0.0.1"},
      {"lo", "::1"},
      {"eth0", "fd00::7"},
      {"eth0", "192.168.77.5"},
      {"eth0", "203.0.113.9"},
      {"eth0", "2001:db8::1"},
      {"eth0", "fe80::1"},
      {"eth1", "10.1.2.3", false},
      {"wg0", "10.9.0.2", true, true},
      {"tailscale0", "fd7a:115c:a1e0::1", true, true},
      {"docker0", "172.17.0.1"},
      {"br-1f2e", "172.18.0.1"},
      {"virbr0", "192.168.122.1"},
      {"veth12ab", "10.4.0.1"},
      {"br0", "192.168.2.1"},
      {"lo", "10.66.0.1", true, false, true},
  };
  CHECK(os::private_addresses_of(interfaces) ==
        std::vector<std::string>{"192.168.77.5", "192.168.2.1", "fd00::7"});
}

TEST_CASE("PrivateAddresses.MachineHasLoopback") {
  bool has_loopback = false;
  for (auto const& each : os::interface_addresses())
    if (os::scope_of(each.address) == AddressScope::machine) has_loopback = true;
  CHECK(has_loopback);
}

TEST_CASE("PrivateAddresses.NameOfTheMachineHasNoDomain") {
  auto const name = os::machine_name();
  CHECK(!name.contains('.'));
}
