#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/beast/http/fields.hpp>

#include "os/processes/process.hpp"

namespace andon::http {

namespace beast = boost::beast;
using Field = beast::http::field;

/// The origin of a connection.
struct Peer {
  std::string address;  ///< without the port; `local` for the Unix socket
  bool is_local = false;
  /// The process at the other end of the Unix socket, and its user, from the kernel when it connected.
  std::optional<os::ProcessId> process{};
  std::optional<std::uint32_t> user{};
};

/// A request whose head was checked. The body is read after the request was admitted.
struct Request {
  std::string method;
  std::string path;  ///< as sent, with percent escapes
  std::string query;
  beast::http::fields fields;
  std::string body;
  Peer peer;
  std::string id;                                 ///< appears in the answer and the log
  std::chrono::steady_clock::time_point begun{};  ///< when its operation began; zero for one that may wait

  std::string_view header(Field name) const {
    auto const found = fields.find(name);
    return found == fields.end() ? std::string_view{}
                                 : std::string_view{found->value().data(), found->value().size()};
  }
  std::string_view header(std::string_view name) const {
    auto const found = fields.find(beast::string_view{name.data(), name.size()});
    return found == fields.end() ? std::string_view{}
                                 : std::string_view{found->value().data(), found->value().size()};
  }
  bool is_safe() const { return method == "GET" || method == "HEAD"; }
};

using Headers = std::vector<std::pair<std::string, std::string>>;

struct Response {
  int status = 200;
  std::string_view type = "application/json";
  std::string body{};
  std::span<unsigned char const> file{};  ///< sent instead of `body`; must live as long as the process
  Headers headers{};
  bool is_page = false;  ///< a file of the page: may be cached, and gets a content security policy
  bool close = false;
};

/// The status line and the header section. `length` is the length of the body, even if the body is not sent.
std::string head_of(Response const& response, Request const& request, std::size_t length, bool keep_alive);
/// The response header of an event stream.
std::string stream_head(Request const& request);
/// The head of an answer whose body follows in chunks (RFC 9112, 7.1).
std::string chunked_head(Response const& response, Request const& request);

}  // namespace andon::http
