#include "http/server/wire.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <cstdlib>
#include <cstring>
#include <netinet/in.h>
#include <stdexcept>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>

namespace andon::test {
namespace {

constexpr timeval kPatience{30, 0};
/// Small, so that a reader that stopped is soon felt at the other end.
constexpr int kReceiveBuffer = 64 << 10;

void limit_waits(int socket) {
  ::setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &kReceiveBuffer, sizeof kReceiveBuffer);
  ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &kPatience, sizeof kPatience);
  ::setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &kPatience, sizeof kPatience);
}

std::string to_lower(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

}  // namespace

Wire::Wire(int port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  limit_waits(socket_.get());
  if (::connect(socket_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
    throw std::runtime_error(std::string{"connect: "} + std::strerror(errno));
}

Wire::Wire(std::string const& path) : socket_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
  limit_waits(socket_.get());
  if (::connect(socket_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
    throw std::runtime_error(std::string{"connect: "} + std::strerror(errno));
}

void Wire::send(std::string_view bytes) {
  while (!bytes.empty()) {
    auto const n = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n <= 0) return;  // the server has refused already; the answer tells
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}

bool Wire::read_more() {
  char chunk[16384];
  auto const n = ::recv(socket_.get(), chunk, sizeof chunk, 0);
  if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
    throw std::runtime_error("the server said nothing for half a minute; so far:\n" + buffer_);
  if (n <= 0) return false;
  buffer_.append(chunk, static_cast<std::size_t>(n));
  return true;
}

std::string Wire::until(std::string_view text) {
  auto at = buffer_.find(text);
  for (; at == std::string::npos; at = buffer_.find(text))
    if (!read_more())
      throw std::runtime_error("the server closed before \"" + std::string{text} + "\"; so far:\n" + buffer_);
  auto out = buffer_.substr(0, at + text.size());
  buffer_.erase(0, out.size());
  return out;
}

std::string Wire::rest() {
  while (read_more()) {
  }
  return std::exchange(buffer_, {});
}

bool Wire::is_closed_by_server() { return buffer_.empty() && !read_more(); }

WireAnswer Wire::answer(bool to_head) {
  WireAnswer out;
  while (buffer_.find("\r\n\r\n") == std::string::npos)
    if (!read_more()) return out;
  auto head = until("\r\n\r\n");
  out.status = std::atoi(head.c_str() + 9);
  for (auto line = head.find("\r\n") + 2; line + 2 < head.size();) {
    auto const end = head.find("\r\n", line);
    auto const colon = head.find(": ", line);
    out.headers[to_lower(head.substr(line, colon - line))] = head.substr(colon + 2, end - colon - 2);
    line = end + 2;
  }
  if (out.status == 100) return answer(to_head);
  auto const length = static_cast<std::size_t>(std::atoll(out.headers["content-length"].c_str()));
  while (!to_head && buffer_.size() < length)
    if (!read_more()) break;
  out.body = buffer_.substr(0, to_head ? 0 : length);
  std::string{buffer_, out.body.size()}.swap(buffer_);  // frees the memory, too
  return out;
}

}  // namespace andon::test
