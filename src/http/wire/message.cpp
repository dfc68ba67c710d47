#include "http/wire/message.hpp"

#include <array>

#include <boost/beast/http/status.hpp>

namespace andon::http {
namespace {

constexpr std::string_view kForEveryAnswer =
    "Server: andon\r\n"
    "X-Content-Type-Options: nosniff\r\n"
    "Referrer-Policy: no-referrer\r\n";
constexpr std::string_view kForData = "Cache-Control: no-store\r\n";
constexpr std::string_view kForThePage =
    "Content-Security-Policy: default-src 'self'; img-src 'self' blob:; base-uri 'none'; object-src 'none'; "
    "frame-ancestors 'none'\r\n"
    "X-Frame-Options: DENY\r\n"
    "Cross-Origin-Opener-Policy: same-origin\r\n"
    "Cross-Origin-Resource-Policy: same-origin\r\n";

void add(std::string& out, std::string_view name, std::string_view value) {
  out += name;
  out += ": ";
  out += value;
  out += "\r\n";
}

std::string status_line(int status) {
  auto const reason = beast::http::obsolete_reason(beast::http::int_to_status(static_cast<unsigned>(status)));
  std::string out = "HTTP/1.1 " + std::to_string(status) + " ";
  out.append(reason.data(), reason.size());
  out += "\r\n";
  return out;
}

}  // namespace

std::string head_of(Response const& response, Request const& request, std::size_t length, bool keep_alive) {
  auto out = status_line(response.status);
  out.reserve(512);
  out += kForEveryAnswer;
  out += response.is_page ? kForThePage : kForData;
  add(out, "X-Request-Id", request.id);
  for (auto const& [name, value] : response.headers) add(out, name, value);
  bool const may_have_body = response.status != 204 && response.status != 304;
  if (may_have_body) {
    if (length != 0) add(out, "Content-Type", response.type);
    add(out, "Content-Length", std::to_string(length));
  }
  add(out, "Connection", keep_alive ? "keep-alive" : "close");
  out += "\r\n";
  return out;
}

std::string chunked_head(Response const& response, Request const& request) {
  auto out = status_line(response.status);
  out += kForEveryAnswer;
  out += kForData;
  add(out, "X-Request-Id", request.id);
  for (auto const& [name, value] : response.headers) add(out, name, value);
  add(out, "Content-Type", response.type);
  out += "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n";
  return out;
}

std::string stream_head(Request const& request) {
  auto out = status_line(200);
  out += kForEveryAnswer;
  out += kForData;
  add(out, "X-Request-Id", request.id);
  out += "Content-Type: text/event-stream\r\nX-Accel-Buffering: no\r\nConnection: close\r\n\r\n";
  return out;
}

}  // namespace andon::http
