#include "support/cutting_proxy.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <poll.h>
#include <set>
#include <stdexcept>
#include <string_view>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <vector>

namespace andon::test {
namespace {

constexpr std::string_view kSocket = ".s.PGSQL.5432";

sockaddr_un address_of(std::string const& directory) {
  sockaddr_un out{};
  out.sun_family = AF_UNIX;
  auto const path = directory + "/" + std::string{kSocket};
  if (path.size() >= sizeof out.sun_path) throw std::runtime_error("the path of the socket is too long");
  std::ranges::copy(path, std::begin(out.sun_path));
  return out;
}

os::Descriptor new_socket() { return os::Descriptor{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)}; }

sockaddr const* pointer(sockaddr_un const& address) { return reinterpret_cast<sockaddr const*>(&address); }

bool send_all(os::Descriptor const& to, std::string_view text) {
  while (!text.empty()) {
    auto const sent = ::send(to.get(), text.data(), text.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

bool receive_into(os::Descriptor const& from, std::string& buffer) {
  std::array<char, 65536> part{};
  auto const size = ::recv(from.get(), part.data(), part.size(), 0);
  if (size <= 0) return false;
  buffer.append(part.data(), static_cast<std::size_t>(size));
  return true;
}

std::uint32_t number_in(std::string_view text, std::size_t at) {
  std::uint32_t out = 0;
  for (std::size_t i = 0; i < 4; ++i) out = (out << 8U) | static_cast<unsigned char>(text[at + i]);
  return out;
}

/// Takes messages off a stream of the protocol, see "Message Formats" in the manual of PostgreSQL.
class Messages {
 public:
  std::string buffer;
  /// Only the first message of a client has no type.
  explicit Messages(bool has_start) : expects_start_(has_start) {}
  std::optional<std::string> take() {
    std::size_t const head = expects_start_ ? 0 : 1;
    if (buffer.size() < head + 4) return std::nullopt;
    auto const length = head + number_in(buffer, head);
    if (buffer.size() < length) return std::nullopt;
    expects_start_ = false;
    auto out = buffer.substr(0, length);
    buffer.erase(0, length);
    return out;
  }

 private:
  bool expects_start_;
};

/// The text that begins there and ends with a zero byte.
std::string_view text_at(std::string_view message, std::size_t at) {
  return message.substr(at, message.find('\0', at) - at);
}

/// Follows which prepared statements are commits.
class CommitWatch {
 public:
  /// True when the message runs a commit.
  bool sees_commit(std::string_view message) {
    constexpr std::size_t kBody = 5;
    if (message.size() <= kBody) return false;
    auto const first = text_at(message, kBody);
    auto const second = text_at(message, kBody + first.size() + 1);
    if (message[0] == 'P' && second.starts_with("COMMIT")) commits_.insert(std::string{first});
    return message[0] == 'B' && commits_.count(std::string{second}) > 0;
  }

 private:
  std::set<std::string> commits_;
};

}  // namespace

CuttingProxy::CuttingProxy(std::string server)
    : directory_(scratch_.path().native()), server_(std::move(server)), listening_(new_socket()) {
  auto const address = address_of(directory_);
  constexpr int kQueue = 64;
  if (::bind(listening_.get(), pointer(address), sizeof address) != 0 ||
      ::listen(listening_.get(), kQueue) != 0)
    throw std::runtime_error("the proxy cannot listen");
  accepting_ = std::thread{[this] { accept(); }};
}

CuttingProxy::~CuttingProxy() {
  stop_.set();
  accepting_.join();
  for (auto& connection : connections_) connection.join();
}

void CuttingProxy::accept() {
  for (;;) {
    std::array waiting{pollfd{listening_.get(), POLLIN, 0}, pollfd{stop_.handle(), POLLIN, 0}};
    ::poll(waiting.data(), waiting.size(), -1);
    if (waiting[1].revents != 0) return;
    os::Descriptor client{::accept4(listening_.get(), nullptr, nullptr, SOCK_CLOEXEC)};
    if (!client) continue;
    std::scoped_lock const lock{mutex_};
    connections_.emplace_back([this, client = std::move(client)]() mutable { serve(std::move(client)); });
  }
}

void CuttingProxy::serve(os::Descriptor client) {
  auto server = new_socket();
  auto const address = address_of(server_);
  if (::connect(server.get(), pointer(address), sizeof address) != 0) return;
  Messages from_client{true}, from_server{false};
  CommitWatch watch;
  auto cut = Cut::none;
  for (;;) {
    std::array waiting{pollfd{client.get(), POLLIN, 0}, pollfd{server.get(), POLLIN, 0},
                       pollfd{stop_.handle(), POLLIN, 0}};
    ::poll(waiting.data(), waiting.size(), -1);
    if (waiting[2].revents != 0) return;
    if (waiting[0].revents != 0) {
      if (!receive_into(client, from_client.buffer)) return;
      while (auto const message = from_client.take()) {
        if (cut == Cut::none && watch.sees_commit(*message)) {
          cut = next_.exchange(Cut::none);
          if (cut != Cut::none) ++cuts_;
        }
        if (cut == Cut::before || !send_all(server, *message)) return;
        if (cut == Cut::during && message->front() == 'S') return;
      }
    }
    if (waiting[1].revents == 0) continue;
    if (!receive_into(server, from_server.buffer)) return;
    if (cut == Cut::none) {
      if (!send_all(client, std::exchange(from_server.buffer, {}))) return;
      continue;
    }
    while (auto const message = from_server.take())
      if (message->front() == 'Z') return;  // the transaction has ended
  }
}

}  // namespace andon::test
