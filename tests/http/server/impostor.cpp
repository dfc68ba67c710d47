#include "http/server/impostor.hpp"

#include <poll.h>

#include <boost/asio/write.hpp>

namespace andon::test {
namespace {

using tcp = boost::asio::ip::tcp;
constexpr int kLookEvery = 20;  // ms, only to notice the end of the test

std::size_t length_of(std::string const& head) {
  constexpr std::string_view kName = "Content-Length: ";
  auto const at = head.find(kName);
  return at == std::string::npos ? 0 : std::stoul(head.substr(at + kName.size()));
}

/// The bytes of the first whole request; 0 while there is none.
std::size_t whole_request(std::string const& text) {
  auto const end = text.find("\r\n\r\n");
  if (end == std::string::npos) return 0;
  auto const all = end + 4 + length_of(text.substr(0, end));
  return text.size() >= all ? all : 0;
}

bool is_readable(int socket) {
  pollfd look{socket, POLLIN, 0};
  return ::poll(&look, 1, kLookEvery) > 0;
}

}  // namespace

Impostor::Impostor(Answering answering, std::uint16_t port)
    : answering_(std::move(answering)),
      acceptor_(io_, {boost::asio::ip::address_v4::loopback(), port}),
      port_(acceptor_.local_endpoint().port()),
      thread_([this] { serve(); }) {}

Impostor::~Impostor() {
  is_ending_ = true;
  thread_.join();
}

std::string Impostor::received() const {
  std::scoped_lock const lock(mutex_);
  return received_;
}

std::string Impostor::answer(std::string const& body, std::string const& status, std::string const& headers) {
  return "HTTP/1.1 " + status + "\r\n" + headers +
         "Content-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
         body;
}

void Impostor::serve() {
  while (!is_ending_) {
    if (!is_readable(acceptor_.native_handle())) continue;
    boost::system::error_code error;
    auto connection = acceptor_.accept(error);
    if (error) continue;
    ++connections_;
    serve(connection);
  }
}

void Impostor::serve(tcp::socket& connection) {
  std::string text;
  std::string chunk(4096, '\0');
  while (!is_ending_) {
    // One connection at a time: a client that begins another one has left this one.
    if (!is_readable(connection.native_handle())) {
      if (is_readable(acceptor_.native_handle())) return;
      continue;
    }
    boost::system::error_code error;
    auto const n = connection.read_some(boost::asio::buffer(chunk), error);
    if (error) return;
    text.append(chunk, 0, n);
    {
      std::scoped_lock const lock(mutex_);
      received_.append(chunk, 0, n);
    }
    for (auto size = whole_request(text); size != 0; size = whole_request(text)) {
      auto const given = answering_(text.substr(0, size));
      text.erase(0, size);
      if (!given) return;
      boost::asio::write(connection, boost::asio::buffer(*given), error);
    }
  }
}

}  // namespace andon::test
