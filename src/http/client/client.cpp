#include "http/client/client.hpp"

#include <algorithm>
#include <atomic>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <set>
#include <stdexcept>
#include <sys/socket.h>
#include <thread>
#include <vector>

#include <boost/asio/buffer.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/basic_stream.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/buffer_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>

#include "core/text/ascii.hpp"
#include "http/client/http_call.hpp"
#include "http/client/proven_server.hpp"
#include "http/client/secure_client.hpp"
#include "os/digest.hpp"
#include "os/processes/clock.hpp"

namespace andon::http {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
using asio::generic::stream_protocol;
using boost::system::error_code;
using core::Code;
using core::Result;

constexpr std::uint64_t kLongestAnswer = 64U << 20U;
constexpr std::uint64_t kLongestProof = 4U << 10U;
constexpr std::size_t kMostProven = 64;
constexpr std::size_t kLongestLine = 8U << 20U;      ///< in a stream
constexpr std::size_t kLongestRefusal = 64U << 10U;  ///< instead of a stream
constexpr std::string_view kScheme = "http://";
constexpr std::string_view kSecureScheme = "https://";

struct Target {
  std::string name;  ///< for the Host header and messages
  std::string host;
  std::string port;
  std::filesystem::path socket;
};

/// The request as bytes. Refuses values with line breaks, which could inject lines.
Result<std::string> text_of(api::HttpCall const& call, std::string const& host) {
  std::string out = call.method + " " + call.target + " HTTP/1.1\r\nHost: " + host + "\r\n";
  if (breaks_a_line(call.method + call.target) || call.target.find(' ') != std::string::npos)
    return core::refuse(Code::kInvalidInput, "the address holds characters it may not");
  for (auto const& [name, value] : call.headers) {
    if (breaks_a_line(name) || breaks_a_line(value))
      return core::refuse(Code::kInvalidInput, "the header " + name + " holds characters it may not");
    out += name + ": " + value + "\r\n";
  }
  if (!call.body.empty() || call.method != "GET")
    out += "Content-Length: " + std::to_string(call.body.size()) + "\r\n";
  return out + "\r\n" + call.body;
}

template <class Message>
api::HttpAnswer answer_of(Message const& message) {
  api::HttpAnswer out;
  out.status = static_cast<int>(message.result_int());
  for (auto const& field : message)
    out.headers.emplace_back(core::ascii_lower({field.name_string().data(), field.name_string().size()}),
                             std::string{field.value().data(), field.value().size()});
  return out;
}

/// An error after which the connection may be tried anew. All others are answers that no server gives.
bool is_of_connection(error_code error) {
  static auto const& of_http = make_error_code(beast::http::error::bad_version).category();
  return error.category() != of_http || error == beast::http::error::end_of_stream ||
         error == beast::http::error::partial_message;
}

std::string cause(error_code error) {
  return error == beast::error::timeout ? "it did not answer in time" : error.message();
}

bool is_address(sockaddr const* found, asio::ip::address const& address) {
  if (found && found->sa_family == AF_INET && address.is_v4())
    return ntohl(reinterpret_cast<sockaddr_in const*>(found)->sin_addr.s_addr) == address.to_v4().to_uint();
  if (found && found->sa_family == AF_INET6 && address.is_v6())
    return std::ranges::equal(reinterpret_cast<sockaddr_in6 const*>(found)->sin6_addr.s6_addr,
                              address.to_v6().to_bytes());
  return false;
}

/// Packets to a loopback address, or to another address of this machine, do not leave it.
bool is_of_this_machine(asio::ip::address const& address) {
  if (address.is_loopback()) return true;
  ifaddrs* all = nullptr;
  if (::getifaddrs(&all) != 0) return false;
  std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> const owner{all, &::freeifaddrs};
  for (auto const* each = all; each; each = each->ifa_next)
    if (is_address(each->ifa_addr, address)) return true;
  return false;
}

/// Reasons of this client's own to send nothing on a connection.
enum class Withheld {
  no,
  exposed,  ///< the server is on another machine, and others could read the token
  foreign   ///< the process at the socket file belongs to another user
};

class Client final : public api::Transport {
 public:
  Client(Target target, ClientTimes times) : target_(std::move(target)), times_(times) {}

  Result<api::HttpAnswer> call(api::HttpCall const& call) override {
    ANDON_TRY(auto const text, text_of(call, target_.name));
    auto const until = os::SteadyClock::now() + times_.absence;
    for (;;) {
      ANDON_TRY(auto error, send(text, token_in(call)));
      api::HttpAnswer answer;
      if (!error) error = read_answer(answer, kLongestAnswer, call.method == "HEAD");
      if (!error) return answer;
      bool const is_repeated = error != beast::error::timeout && is_repeatable(call);
      if (!is_repeated || os::SteadyClock::now() >= until) return unanswered(call, error);
      disconnect();
      std::this_thread::sleep_for(times_.between);
    }
  }

  Result<void> stream(api::HttpCall const& call,
                      std::move_only_function<bool(std::string_view line)> line) override {
    ANDON_TRY(auto const text, text_of(call, target_.name));
    ANDON_TRY(auto const error, send(text, token_in(call)));
    if (error) return trouble(error);
    auto done = follow(line);
    disconnect();
    return done;
  }

  void interrupt() override {
    is_interrupted_ = true;
    io_.stop();
  }

 private:
  using Stream = beast::basic_stream<stream_protocol>;

  /// The error of an operation before it has ended; it stays when the client is interrupted.
  static constexpr auto kUnfinished = asio::error::operation_aborted;

  /// Runs the operation that was just begun, until it ends or the client is interrupted.
  void run() {
    io_.restart();
    if (!is_interrupted_) io_.run();
  }

  void disconnect() {
    stream_.reset();
    buffer_.consume(buffer_.size());
    proven_.clear();
  }

  error_code read_answer(api::HttpAnswer& answer, std::uint64_t longest, bool is_head = false) {
    beast::http::response_parser<beast::http::string_body> parser;
    parser.body_limit(longest);
    if (is_head) parser.skip(true);
    error_code error = kUnfinished;
    beast::http::async_read(*stream_, buffer_, parser, [&](error_code e, std::size_t) { error = e; });
    run();
    if (error) return error;
    answer = answer_of(parser.get());
    answer.body = std::move(parser.get().body());
    if (!parser.get().keep_alive()) disconnect();
    return {};
  }

  std::unexpected<core::Error> trouble(error_code error) {
    disconnect();
    if (withheld_ == Withheld::exposed) return exposed_token();
    if (withheld_ == Withheld::foreign) return foreign_server();
    return core::refuse(Code::kBusy, "the server at " + target_.name + " cannot be reached (" + cause(error) +
                                         "); start it with andon serve, or check the address");
  }

  /// The error of a request that was sent and has no answer.
  std::unexpected<core::Error> unanswered(api::HttpCall const& call, error_code error) {
    if (call.method == "GET" || call.method == "HEAD") return trouble(error);
    disconnect();
    return core::refuse(Code::kBusy, "the server at " + target_.name + " gave no answer (" + cause(error) +
                                         "); it is unknown whether the change was made: look again");
  }

  struct Place {
    stream_protocol::endpoint endpoint;
    bool is_here = false;  ///< on this machine
  };

  std::vector<Place> places(error_code& error) {
    if (!target_.socket.empty())
      return {{asio::local::stream_protocol::endpoint{target_.socket.native()}, true}};
    std::vector<Place> out;
    asio::ip::tcp::resolver resolver{io_};
    for (auto const& entry : resolver.resolve(target_.host, target_.port, error))
      out.push_back({entry.endpoint(), is_of_this_machine(entry.endpoint().address())});
    return out;
  }

  std::unexpected<core::Error> exposed_token() const {
    return core::refuse(Code::kInvalidInput,
                        "a token is not sent to " + target_.name +
                            " over plain http, where others can read it; name https://, or forward a port of "
                            "this machine, as "
                            "with ssh -L 7420:127.0.0.1:7420 " +
                            target_.host + ", and name http://127.0.0.1:7420",
                        "server");
  }

  std::unexpected<core::Error> foreign_server() const {
    return core::refuse(
        Code::kForbidden,
        "the server at " + target_.socket.native() +
            " runs as another user, so nothing was sent to it; it must run as you, as root, or "
            "as the owner of that directory");
  }

  /// The code lets a client of several servers go on with the next one, and a runner try again.
  std::unexpected<core::Error> unproven(std::string const& found) {
    disconnect();
    return core::refuse(
        Code::kBusy, "the server at " + target_.name + " did not prove that it knows this token (" + found +
                         "); it may be another program, so the token was not sent; if it is an older Andon, "
                         "upgrade it; if the token was mistyped or removed, get a new one; the socket file "
                         "of the machine and https:// need no proof");
  }

  /// False when the server has closed the connection meanwhile.
  bool is_connected() {
    if (!stream_) return false;
    char byte = 0;
    auto const n = ::recv(stream_->socket().native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
  }

  /// Connects, and waits for a server that is restarting. That is safe: no request was sent yet, so none can
  /// run twice.
  error_code connect(bool must_be_here) {
    auto const until = os::SteadyClock::now() + times_.absence;
    for (;;) {
      auto const error = connect_once(must_be_here);
      bool const is_absent =
          error == asio::error::connection_refused || error == boost::system::errc::no_such_file_or_directory;
      if (!is_absent || os::SteadyClock::now() >= until) return error;
      std::this_thread::sleep_for(times_.between);
    }
  }

  error_code connect_once(bool must_be_here) {
    disconnect();
    error_code error = asio::error::host_not_found;
    error_code of_name;
    withheld_ = Withheld::no;
    auto const all = places(of_name);
    if (of_name) return of_name;
    for (auto const& [endpoint, is_here] : all) {
      if (must_be_here && !is_here) {
        withheld_ = Withheld::exposed;
        continue;
      }
      stream_.emplace(io_);
      withheld_ = Withheld::no;
      is_here_ = is_here;
      stream_->expires_after(times_.connect);
      stream_->async_connect(endpoint, [&](error_code e) { error = e; });
      run();
      if (error) continue;
      if (is_local() && !is_trusted_peer(stream_->socket().native_handle(), target_.socket)) {
        withheld_ = Withheld::foreign;
        return asio::error::access_denied;
      }
      return error;
    }
    return error;
  }

  bool is_local() const { return !target_.socket.empty(); }

  /// Sends a request; one with a token only to this machine, after the server has proved that it knows the
  /// token. The value is the error of a connection that ended when a part of the request may have been sent.
  Result<error_code> send(std::string const& text, std::string const& token) {
    auto const until = os::SteadyClock::now() + times_.absence;
    for (;;) {
      bool const goes_on = is_connected();
      if (goes_on && !token.empty() && !is_here_) return exposed_token();
      if (!goes_on)
        if (auto const error = connect(!token.empty())) return trouble(error);
      if (token.empty() || is_local()) return write(text);
      ANDON_TRY(auto const error, prove(token));
      if (!error) return write(text);
      disconnect();
      if (goes_on) continue;
      if (error == beast::error::timeout || os::SteadyClock::now() >= until) return trouble(error);
      std::this_thread::sleep_for(times_.between);
    }
  }

  /// Lets the server prove that it knows a token, once on each connection. The value is the error of a
  /// connection that ended before the answer.
  Result<error_code> prove(std::string const& token) {
    auto const hash = os::hex(os::sha256(token));
    if (proven_.contains(hash)) return error_code{};
    auto const asked = api::proof_request(hash);
    ANDON_TRY(auto const text, text_of(call_of(asked), target_.name));
    if (auto const error = write(text)) return error;
    api::HttpAnswer answer;
    auto const error = read_answer(answer, kLongestProof);
    if (error && is_of_connection(error)) return error;
    if (error) return unproven("its answer is no proof");
    auto const fault = fault_of(answer, hash, asked);
    if (!fault.empty()) return unproven(fault);
    // A server that closes the connection after its proof did not prove anything about the next one.
    if (!stream_) return error_code{asio::error::connection_reset};
    if (proven_.size() >= kMostProven) proven_.clear();
    proven_.insert(hash);
    return error_code{};
  }

  error_code write(std::string const& text) {
    error_code error = kUnfinished;
    stream_->expires_after(times_.answer);
    asio::async_write(*stream_, asio::buffer(text), [&](error_code e, std::size_t) { error = e; });
    run();
    return error;
  }

  Result<void> follow(std::move_only_function<bool(std::string_view)>& line) {
    beast::http::response_parser<beast::http::buffer_body> parser;
    parser.body_limit(boost::none);
    error_code error = kUnfinished;
    beast::http::async_read_header(*stream_, buffer_, parser, [&](error_code e, std::size_t) { error = e; });
    run();
    if (error) return trouble(error);
    std::string text;
    std::vector<char> chunk(16U << 10U);
    bool const is_good = parser.get().result_int() == 200;
    while (!parser.is_done()) {
      parser.get().body().data = chunk.data();
      parser.get().body().size = chunk.size();
      stream_->expires_after(times_.silence);
      error = kUnfinished;
      beast::http::async_read_some(*stream_, buffer_, parser, [&](error_code e, std::size_t) { error = e; });
      run();
      text.append(chunk.data(), chunk.size() - parser.get().body().size);
      if (error && error != beast::http::error::need_buffer) return trouble(error);
      if (is_good && !hand_over(text, line)) return {};
      if (!is_good && text.size() > kLongestRefusal) break;
      if (text.size() > kLongestLine)
        return core::refuse(Code::kTooLarge,
                            "the server at " + target_.name + " sends a line without an end");
    }
    if (!is_good)
      return core::refuse(Code::kBusy, "the server did not begin a stream: " + text.substr(0, 500));
    return {};
  }

  static bool hand_over(std::string& text, std::move_only_function<bool(std::string_view)>& line) {
    std::size_t from = 0;
    for (auto end = text.find('\n'); end != std::string::npos; end = text.find('\n', from)) {
      if (!line(std::string_view{text}.substr(from, end - from))) return false;
      from = end + 1;
    }
    text.erase(0, from);
    return true;
  }

  Target const target_;
  ClientTimes const times_;
  asio::io_context io_;
  std::optional<Stream> stream_;
  std::atomic<bool> is_interrupted_ = false;
  bool is_here_ = false;  ///< the connection leads to this machine
  Withheld withheld_ = Withheld::no;
  std::set<std::string> proven_;  ///< the hashes of tokens that the server proved to know on this connection
  beast::flat_buffer buffer_;
};

}  // namespace

std::unique_ptr<api::Transport> client_of(std::string_view url, ClientTimes times, std::string certificates) {
  if (url.starts_with(kSecureScheme)) return secure_client_of(url, times, std::move(certificates));
  auto rest = url;
  bool const is_http = rest.starts_with(kScheme);
  if (is_http) rest.remove_prefix(kScheme.size());
  if (rest.ends_with('/')) rest.remove_suffix(1);
  bool const is_plain = rest.find_first_of("/?#@ \r\n") == std::string_view::npos && !rest.empty();
  if (!is_http || !is_plain)
    throw std::invalid_argument("\"" + std::string{url} +
                                "\" is no address of a server; write it as http://HOST:PORT or "
                                "https://HOST");
  auto const colon = rest.rfind(':');
  bool const has_port = colon != std::string_view::npos && rest.find(']', colon) == std::string_view::npos;
  std::string host{has_port ? rest.substr(0, colon) : rest};
  std::string port{has_port ? rest.substr(colon + 1) : "80"};
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  return std::make_unique<Client>(Target{std::string{rest}, std::move(host), std::move(port), {}}, times);
}

std::unique_ptr<api::Transport> client_of_socket(std::filesystem::path const& path, ClientTimes times) {
  return std::make_unique<Client>(Target{"localhost", {}, {}, path}, times);
}

}  // namespace andon::http
