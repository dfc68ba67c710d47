#include "os/network/loopback_listener.hpp"

#include <netinet/in.h>
#include <sys/socket.h>

#include "os/system_error.hpp"

namespace andon::os {

LoopbackListener::LoopbackListener()
    : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {
  if (!socket_) fail("make a socket");
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  auto* any = reinterpret_cast<sockaddr*>(&address);
  socklen_t size = sizeof address;
  if (::bind(socket_.get(), any, size) != 0 || ::listen(socket_.get(), 1) != 0) fail("listen on 127.0.0.1");
  if (::getsockname(socket_.get(), any, &size) != 0) fail("read the port of a socket");
  port_ = ntohs(address.sin_port);
}

bool LoopbackListener::take_connection() const {
  Descriptor const connection{::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC)};
  return static_cast<bool>(connection);
}

}  // namespace andon::os
