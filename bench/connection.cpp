#include "connection.hpp"

#include <arpa/inet.h>
#include <charconv>
#include <cstdint>
#include <netinet/tcp.h>
#include <stdexcept>
#include <sys/socket.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace bench {
namespace {

constexpr std::string_view kEndOfHead = "\r\n\r\n";
constexpr std::string_view kLength = "Content-Length: ";

[[noreturn]] void fail(char const* what) { throw std::system_error(errno, std::generic_category(), what); }

sockaddr_in loopback(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

int connected(int port) {
  int const socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket < 0) fail("socket");
  auto const to = loopback(port);
  if (::connect(socket, reinterpret_cast<sockaddr const*>(&to), sizeof to) != 0) {
    ::close(socket);
    fail("connect");
  }
  int const on = 1;
  ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return socket;
}

long to_number(std::string_view text) {
  long value = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) throw std::runtime_error("not a number: " + std::string{text.substr(0, 40)});
  return value;
}

std::size_t body_size(std::string_view head) {
  auto const at = head.find(kLength);
  return at == head.npos ? 0 : static_cast<std::size_t>(to_number(head.substr(at + kLength.size())));
}

}  // namespace

Connection::Connection(Target const& target) : socket_(connected(target.port)) {
  fixed_lines_ = "\r\nHost: 127.0.0.1:" + std::to_string(target.port) + "\r\nAuthorization: Bearer " +
                 target.token + "\r\nContent-Type: application/json\r\n";
}

Connection::~Connection() {
  if (socket_ >= 0) ::close(socket_);
}

Connection::Connection(Connection&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)),
      fixed_lines_(std::move(other.fixed_lines_)),
      buffer_(std::move(other.buffer_)) {}

void Connection::send(std::string_view method, std::string_view path, std::string_view accept,
                      std::string_view body) {
  std::string request;
  request.reserve(method.size() + path.size() + fixed_lines_.size() + body.size() + 100);
  request.append(method).append(" ").append(path).append(" HTTP/1.1").append(fixed_lines_);
  request.append("Accept: ").append(accept).append("\r\n");
  if (method != "GET") request.append(kLength).append(std::to_string(body.size())).append("\r\n");
  request.append("\r\n").append(body);
  for (std::string_view left = request; !left.empty();) {
    auto const sent = ::send(socket_, left.data(), left.size(), MSG_NOSIGNAL);
    if (sent < 0) fail("send");
    left.remove_prefix(static_cast<std::size_t>(sent));
  }
}

void Connection::receive() {
  char bytes[16384];
  auto const got = ::recv(socket_, bytes, sizeof bytes, 0);
  if (got < 0) fail("recv");
  if (got == 0) throw std::runtime_error("the server closed the connection");
  buffer_.append(bytes, static_cast<std::size_t>(got));
}

std::size_t Connection::receive_head() {
  for (;;) {
    if (auto const end = buffer_.find(kEndOfHead); end != buffer_.npos) return end + kEndOfHead.size();
    receive();
  }
}

Answer Connection::call(std::string_view method, std::string_view path, std::string_view body) {
  send(method, path, "application/json", body);
  auto const head = receive_head();
  auto const whole = head + body_size(std::string_view{buffer_}.substr(0, head));
  while (buffer_.size() < whole) receive();
  Answer answer{static_cast<int>(to_number(std::string_view{buffer_}.substr(9, 3))), {}};
  answer.body.assign(buffer_, head, whole - head);
  buffer_.erase(0, whole);
  return answer;
}

std::string Connection::post(std::string_view path, std::string_view body) {
  auto answer = call("POST", path, body);
  if (answer.status / 100 == 2) return std::move(answer.body);
  throw std::runtime_error("POST " + std::string{path} + ": " + std::to_string(answer.status) + " " +
                           answer.body.substr(0, 300));
}

void Connection::open_stream(std::string_view path) {
  send("GET", path, "text/event-stream", {});
  auto const head = receive_head();
  if (buffer_.compare(9, 3, "200") != 0) throw std::runtime_error("no stream: " + buffer_.substr(0, 300));
  while (buffer_.size() == head) receive();
}

long number_in(std::string_view json, std::string_view name) {
  auto const key = "\"" + std::string{name} + "\":";
  auto const at = json.find(key);
  if (at == json.npos) throw std::runtime_error("no " + key + " in " + std::string{json.substr(0, 200)});
  return to_number(json.substr(at + key.size()));
}

}  // namespace bench
