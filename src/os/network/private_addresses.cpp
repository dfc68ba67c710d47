#include "os/network/private_addresses.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <ifaddrs.h>
#include <iterator>
#include <memory>
#include <net/if.h>
#include <netinet/in.h>
#include <unistd.h>

#include "core/text/ascii.hpp"
#include "os/system_error.hpp"

namespace andon::os {
namespace {

/// The first letters of interfaces that Docker, Podman, libvirt, LXC and Kubernetes make. Devices outside
/// this machine do not reach their addresses. A bridge such as `br0` that a person made is none of them.
constexpr std::array<std::string_view, 10> kContainerInterfaces{
    "docker", "br-", "veth", "podman", "cni", "virbr", "vnet", "lxc", "lxd", "flannel"};

struct Block {
  std::array<unsigned char, 4> bytes;
  int bits;
  AddressScope scope;
};
constexpr std::array kBlocks{
    Block{{127, 0, 0, 0}, 8, AddressScope::machine},
    Block{{10, 0, 0, 0}, 8, AddressScope::private_net},
    Block{{172, 16, 0, 0}, 12, AddressScope::private_net},
    Block{{192, 168, 0, 0}, 16, AddressScope::private_net},
    Block{{169, 254, 0, 0}, 16, AddressScope::link},
    Block{{100, 64, 0, 0}, 10, AddressScope::carrier},
};

std::uint32_t number_of(std::array<unsigned char, 4> const& bytes) {
  return std::uint32_t{bytes[0]} << 24U | std::uint32_t{bytes[1]} << 16U | std::uint32_t{bytes[2]} << 8U |
         bytes[3];
}

AddressScope scope_of_ipv4(std::array<unsigned char, 4> const& bytes) {
  auto const is_in = [&](Block const& block) {
    return (number_of(bytes) ^ number_of(block.bytes)) >> (32 - block.bits) == 0;
  };
  auto const block = std::ranges::find_if(kBlocks, is_in);
  return block == kBlocks.end() ? AddressScope::other : block->scope;
}

AddressScope scope_of_ipv6(in6_addr const& address) {
  if (IN6_IS_ADDR_LOOPBACK(&address)) return AddressScope::machine;
  if (IN6_IS_ADDR_LINKLOCAL(&address)) return AddressScope::link;
  bool const is_unique_local = (address.s6_addr[0] & 0xFEU) == 0xFC;
  return is_unique_local ? AddressScope::private_net : AddressScope::other;
}

bool is_of_containers(std::string_view interface) {
  return std::ranges::any_of(kContainerInterfaces,
                             [&](std::string_view begin) { return interface.starts_with(begin); });
}

std::string text_of(sockaddr const& address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  void const* bytes = nullptr;
  if (address.sa_family == AF_INET) bytes = &reinterpret_cast<sockaddr_in const&>(address).sin_addr;
  if (address.sa_family == AF_INET6) bytes = &reinterpret_cast<sockaddr_in6 const&>(address).sin6_addr;
  if (!bytes || !::inet_ntop(address.sa_family, bytes, text.data(), text.size())) return {};
  return text.data();
}

}  // namespace

AddressScope scope_of(std::string_view address) {
  std::string const text{address};
  std::array<unsigned char, 4> ipv4{};
  if (::inet_pton(AF_INET, text.c_str(), ipv4.data()) == 1) return scope_of_ipv4(ipv4);
  in6_addr ipv6{};
  if (::inet_pton(AF_INET6, text.c_str(), &ipv6) == 1) return scope_of_ipv6(ipv6);
  return AddressScope::unreadable;
}

std::vector<std::string> private_addresses_of(std::span<InterfaceAddress const> interfaces) {
  std::vector<std::string> out;
  std::vector<std::string> ipv6;
  for (auto const& each : interfaces) {
    bool const counts =
        each.is_up && !each.is_tunnel && !each.is_loopback && !is_of_containers(each.interface);
    if (!counts || scope_of(each.address) != AddressScope::private_net) continue;
    (each.address.contains(':') ? ipv6 : out).push_back(each.address);
  }
  std::ranges::move(ipv6, std::back_inserter(out));
  return out;
}

std::vector<InterfaceAddress> interface_addresses() {
  ifaddrs* list = nullptr;
  if (::getifaddrs(&list) != 0) throw SystemError("list the addresses of", "this machine", errno);
  std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> const owned{list, &::freeifaddrs};
  std::vector<InterfaceAddress> out;
  for (auto const* each = list; each; each = each->ifa_next) {
    auto text = each->ifa_addr ? text_of(*each->ifa_addr) : std::string{};
    if (text.empty()) continue;
    bool const is_up = (each->ifa_flags & IFF_UP) != 0 && (each->ifa_flags & IFF_RUNNING) != 0;
    out.push_back({each->ifa_name, std::move(text), is_up, (each->ifa_flags & IFF_POINTOPOINT) != 0,
                   (each->ifa_flags & IFF_LOOPBACK) != 0});
  }
  return out;
}

std::string machine_name() {
  constexpr std::size_t kLongestName = 256;
  std::array<char, kLongestName> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0) return {};
  std::string_view const text{name.data()};
  return core::ascii_lower(text.substr(0, text.find('.')));
}

}  // namespace andon::os
