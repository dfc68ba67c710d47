#include "os/network/free_port.hpp"

#include <cerrno>
#include <netinet/in.h>
#include <sys/socket.h>

#include "os/files/descriptor.hpp"

namespace andon::os {
namespace {

template <class Address>
bool can_listen(int family, Address const& address) {
  Descriptor const socket{::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  if (!socket) return true;  // the machine lacks the family
  int const yes = 1;
  // Connections that have ended do not keep a port from a server that sets this, as servers do.
  ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (family == AF_INET6) ::setsockopt(socket.get(), IPPROTO_IPV6, IPV6_V6ONLY, &yes, sizeof yes);
  auto const* any = reinterpret_cast<sockaddr const*>(&address);
  if (::bind(socket.get(), any, sizeof address) != 0) return errno != EADDRINUSE && errno != EACCES;
  return ::listen(socket.get(), 1) == 0;
}

}  // namespace

bool is_port_free(int port) {
  auto const number = htons(static_cast<in_port_t>(port));
  sockaddr_in four{};
  four.sin_family = AF_INET;
  four.sin_port = number;
  sockaddr_in6 six{};
  six.sin6_family = AF_INET6;
  six.sin6_port = number;
  return can_listen(AF_INET, four) && can_listen(AF_INET6, six);
}

}  // namespace andon::os
