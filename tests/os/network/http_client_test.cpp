#include "os/network/http_client.hpp"

#include <arpa/inet.h>
#include <functional>
#include <netinet/in.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

#include <doctest/doctest.h>

#include "os/files/descriptor.hpp"

using namespace andon;
using namespace std::chrono_literals;
using os::Descriptor;
using os::HttpClient;
using os::NoAnswer;

namespace {

/// A server for one test. It gives each connection to its handler, on a thread of its own.
class LoopbackServer {
 public:
  using Handler = std::function<void(int connection)>;

  explicit LoopbackServer(Handler handler) : handler_(std::move(handler)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const plain = reinterpret_cast<sockaddr*>(&address);
    REQUIRE(::bind(listener_.get(), plain, size) == 0);
    REQUIRE(::listen(listener_.get(), 8) == 0);
    REQUIRE(::getsockname(listener_.get(), plain, &size) == 0);
    port_ = ntohs(address.sin_port);
    thread_ = std::jthread([this] {
      std::vector<std::jthread> threads;
      for (Descriptor one{::accept(listener_.get(), nullptr, nullptr)}; one;
           one = Descriptor{::accept(listener_.get(), nullptr, nullptr)}) {
        ++connections;
        threads.emplace_back([this, connection = std::move(one)] { handler_(connection.get()); });
      }
    });
  }
  ~LoopbackServer() { ::shutdown(listener_.get(), SHUT_RDWR); }

  std::string url(std::string_view path = "/") const {
    return "http://127.0.0.1:" + std::to_string(port_) + std::string{path};
  }

  std::atomic<int> connections = 0;

 private:
  Handler handler_;
  Descriptor listener_{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  int port_ = 0;
  std::jthread thread_;
};

/// Reads a request with its body.
std::string read_request(int connection) {
  std::string text;
  std::array<char, 65536> bytes{};
  auto const is_whole = [&] {
    auto const end = text.find("\r\n\r\n");
    if (end == std::string::npos) return false;
    auto const at = text.find("Content-Length: ");
    auto const length = at < end ? std::stoul(text.substr(at + 16)) : 0;
    return text.size() >= end + 4 + length;
  };
  while (!is_whole()) {
    auto const n = ::recv(connection, bytes.data(), bytes.size(), 0);
    if (n <= 0) break;
    text.append(bytes.data(), static_cast<std::size_t>(n));
  }
  return text;
}

void write(int connection, std::string_view text) {
  while (!text.empty()) {
    auto const n = ::send(connection, text.data(), text.size(), MSG_NOSIGNAL);
    if (n <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
}

void answer(int connection, std::string_view body, std::string_view status = "200 OK",
            std::string_view headers = "") {
  write(connection, "HTTP/1.1 " + std::string{status} + "\r\nContent-Length: " + std::to_string(body.size()) +
                        "\r\n" + std::string{headers} + "\r\n" + std::string{body});
}

/// Reads until the client leaves.
void wait_for_end(int connection) {
  std::array<char, 1024> bytes{};
  while (::recv(connection, bytes.data(), bytes.size(), 0) > 0) {
  }
}

}  // namespace

TEST_CASE("HttpClient.Gets") {
  std::string seen;
  LoopbackServer server{[&](int connection) {
    seen = read_request(connection);
    answer(connection, "hello");
  }};
  HttpClient client;
  auto const got = client.send({.url = server.url("/a?b=c"), .headers = {"X-One: 1"}});
  REQUIRE(got.has_value());
  CHECK(got->status == 200);
  CHECK(got->body == "hello");
  CHECK(seen.starts_with("GET /a?b=c HTTP/1.1\r\n"));
  CHECK(seen.find("\r\nX-One: 1\r\n") != std::string::npos);
}

TEST_CASE("HttpClient.PostsALongBodyWithoutAskingFirst") {
  std::string seen;
  LoopbackServer server{[&](int connection) {
    seen = read_request(connection);
    answer(connection, "taken", "201 Created");
  }};
  HttpClient client;
  std::string const body(3U << 20U, 'x');
  auto const got = client.send({.method = "POST", .url = server.url(), .body = body});
  REQUIRE(got.has_value());
  CHECK(got->status == 201);
  CHECK(seen.ends_with("\r\n\r\n" + body));
  CHECK(seen.find("Expect:") == std::string::npos);
}

TEST_CASE("HttpClient.FollowsNoRedirect") {
  LoopbackServer server{[](int connection) {
    read_request(connection);
    answer(connection, "", "302 Found", "Location: /elsewhere\r\n");
  }};
  HttpClient client;
  auto const got = client.send({.url = server.url()});
  REQUIRE(got.has_value());
  CHECK(got->status == 302);
  CHECK(server.connections == 1);
}

TEST_CASE("HttpClient.TakesNoOtherProtocol") {
  HttpClient client;
  auto const got = client.send({.url = "file:///etc/hostname"});
  REQUIRE_FALSE(got.has_value());
  CHECK(got.error().why == NoAnswer::unreachable);
}

TEST_CASE("HttpClient.RefusesAnAnswerOverTheLimit") {
  LoopbackServer server{[](int connection) {
    read_request(connection);
    answer(connection, std::string(1001, 'x'));
  }};
  HttpClient client;
  auto const got = client.send({.url = server.url(), .most_bytes = 1000});
  REQUIRE_FALSE(got.has_value());
  CHECK(got.error().why == NoAnswer::too_large);
  CHECK(got.error().beginning == std::string(256, 'x'));
}

TEST_CASE("HttpClient.GivesUpAServerThatNeverAnswers") {
  LoopbackServer server{wait_for_end};
  HttpClient client;
  auto const got = client.send({.url = server.url("/bot1:SECRET/get"), .time_limit = 100ms});
  REQUIRE_FALSE(got.has_value());
  CHECK(got.error().why == NoAnswer::broken);
  CHECK(got.error().message.find("SECRET") == std::string::npos);
}

TEST_CASE("HttpClient.SaysThatNobodyListens") {
  std::string url;
  {
    LoopbackServer const gone{[](int) {}};
    url = gone.url("/bot1:SECRET/get");
  }
  HttpClient client;
  auto const got = client.send({.method = "POST", .url = url, .body = "x"});
  REQUIRE_FALSE(got.has_value());
  CHECK(got.error().why == NoAnswer::unreachable);
  CHECK(got.error().message.find("SECRET") == std::string::npos);
  CHECK(got.error().message.find("127.0.0.1") == std::string::npos);
}

TEST_CASE("HttpClient.SaysThatAnAnswerWasCut") {
  LoopbackServer server{[](int connection) {
    read_request(connection);
    write(connection, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf");
  }};
  HttpClient client;
  auto const got = client.send({.url = server.url()});
  REQUIRE_FALSE(got.has_value());
  CHECK(got.error().why == NoAnswer::broken);
}

TEST_CASE("HttpClient.SendsAPostOnce") {
  std::atomic<int> posts = 0;
  LoopbackServer server{[&](int connection) {
    for (auto request = read_request(connection); !request.empty(); request = read_request(connection)) {
      if (request.starts_with("POST")) {
        ++posts;
        return;  // the connection breaks behind the effect
      }
      answer(connection, "kept open");
    }
  }};
  HttpClient client;
  CHECK(client.send({.url = server.url()}).has_value());
  CHECK(client.send({.url = server.url()}).has_value());
  CHECK(server.connections == 1);
  auto const posted = client.send({.method = "POST", .url = server.url(), .body = "x"});
  REQUIRE_FALSE(posted.has_value());
  CHECK(posted.error().why == NoAnswer::broken);
  CHECK(posts == 1);
}

TEST_CASE("HttpClient.IsStoppedByAnotherThread") {
  std::atomic<bool> is_asked = false;
  LoopbackServer server{[&](int connection) {
    read_request(connection);
    is_asked = true;
    is_asked.notify_all();
    wait_for_end(connection);
  }};
  HttpClient client;
  std::jthread const stopper([&] {
    is_asked.wait(false);
    client.stop();
  });
  auto const got = client.send({.url = server.url()});
  REQUIRE_FALSE(got.has_value());
  CHECK(got.error().why == NoAnswer::stopped);
  auto const later = client.send({.url = server.url()});
  REQUIRE_FALSE(later.has_value());
  CHECK(later.error().why == NoAnswer::stopped);
}
