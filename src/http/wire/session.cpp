#include "http/wire/session.hpp"

#include <algorithm>
#include <array>
#include <sys/socket.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/error.hpp>

#include "http/wire/framing.hpp"
#include "http/wire/refusal.hpp"
#include "os/processes/clock.hpp"

namespace andon::http {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using core::Code;
using Clock = os::SteadyClock;

constexpr std::size_t kReadAtOnce = 16U << 10U;
/// The first read is small, because an idle connection may hold the buffer for long. Most requests fit.
constexpr std::size_t kReadFirst = 2U << 10U;
/// Bodies and answers up to this size pass even while the connections exceed the limit of held bytes.
constexpr std::size_t kSmall = 64U << 10U;
constexpr std::size_t kWrittenAtOnce = 64U << 10U;

std::string_view view(beast::flat_buffer const& buffer) {
  auto const data = buffer.data();
  return {static_cast<char const*>(data.data()), data.size()};
}

bool has_bare_newline(std::string_view text) {
  for (auto at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1))
    if (at == 0 || text[at - 1] != '\r') return true;
  return false;
}

core::Error too_large() { return {Code::kTooLarge, "the body of the request is too large", {}, {}, {}}; }

core::Error full() {
  return {Code::kBusy, "the server holds as much for slow clients as it may; try again", {}, {}, {}};
}

core::Error fault_of(error_code const& error) {
  if (error == beast::http::error::body_limit) return too_large();
  return malformed("the request is not valid HTTP: " + error.message());
}

/// Refuses every transfer coding but chunked, so that no two programs read a body differently.
bool has_strange_coding(beast::http::fields const& fields, unsigned version) {
  auto const found = fields.find(Field::transfer_encoding);
  if (found == fields.end()) return false;
  return version < 11 || !beast::iequals(found->value(), "chunked");
}

/// Whether the request expects anything but 100-continue, the only expectation of RFC 9110.
bool has_strange_expectation(beast::http::fields const& fields) {
  auto const found = fields.find(Field::expect);
  return found != fields.end() && !beast::iequals(found->value(), "100-continue");
}

}  // namespace

Session::Session(Socket socket, Connections::Place place, Peer peer, Connections& connections,
                 Limits const& limits, Handler& handler)
    : socket_(std::move(socket)),
      place_(std::move(place)),
      peer_(std::move(peer)),
      connections_(connections),
      limits_(limits),
      handler_(handler),
      exchange_(std::in_place),
      opened_(Clock::now()),
      held_(connections) {}

void Session::set_deadline(Milliseconds time) { deadline_ = Clock::now() + time; }

void Session::next_request() {
  if (draining_) return close();
  auto& exchange = exchange_.emplace();
  exchange.request.peer = peer_;
  exchange.request.id = handler_.next_request_id();
  exchange.parser.header_limit(
      static_cast<std::uint32_t>(limits_.head * 2));  // `fault_of_head` checks the true limit on the bytes
  exchange.parser.body_limit(std::max(limits_.body, limits_.file_body));  // each route has its own bound
  exchange.began = buffer_.size() != 0;
  set_deadline(exchange.began ? limits_.head_time : limits_.idle_time);
  read_head();
}

void Session::read_head() {
  auto const seen = view(buffer_);
  auto const end = seen.find("\r\n\r\n");
  auto const size = end == std::string_view::npos ? seen.size() : end + 4;
  if (size > limits_.head) return refuse(fault_of_long_head(seen, limits_));
  if (has_bare_newline(seen.substr(0, size)))
    return refuse(malformed("a line of the head does not end in CR LF"));
  if (end != std::string_view::npos) return on_head(size);
  socket_.async_read_some(buffer_.prepare(exchange_->began ? kReadAtOnce : kReadFirst),
                          [self = shared_from_this()](error_code error, std::size_t n) {
                            if (error) return self->close();
                            self->buffer_.commit(n);
                            if (!std::exchange(self->exchange_->began, true))
                              self->set_deadline(self->limits_.head_time);
                            self->read_head();
                          });
}

void Session::on_head(std::size_t size) {
  auto const head = view(buffer_).substr(0, size);
  if (auto const fault = fault_of_head(head, limits_)) return refuse(*fault);
  error_code error;
  exchange_->parser.put(asio::buffer(head.data(), head.size()), error);
  auto& message = exchange_->parser.get();
  if (error) return refuse(fault_of(error));
  if (has_strange_coding(message, message.version()))
    return refuse(malformed("the transfer encoding is not supported"));
  if (has_strange_expectation(message))
    return refuse({Code::kMalformed, "\"Expect\" may only be 100-continue", "Expect", {}, {}});
  buffer_.consume(size);
  deadline_ = SteadyTime::max();
  exchange_->parser.eager(true);
  exchange_->keep_alive = message.keep_alive();
  auto& request = exchange_->request;
  request.method = std::string_view{message.method_string().data(), message.method_string().size()};
  std::string_view const target{message.target().data(), message.target().size()};
  auto const mark = target.find('?');
  request.path = target.substr(0, mark);
  if (mark != std::string_view::npos) request.query = target.substr(mark + 1);
  request.fields = std::move(static_cast<beast::http::fields&>(message.base()));
  handler_.authenticate(shared_from_this());
}

bool Session::has_body() const { return !exchange_->parser.is_done(); }

void Session::read_body(BodyBound bound, std::move_only_function<void()> then) {
  exchange_->most_body = bound.most;
  if (auto const length = exchange_->parser.content_length(); length && *length > exchange_->most_body)
    return refuse(too_large());
  exchange_->then = std::move(then);
  set_deadline(bound.time);
  last_progress_ = Clock::now();
  bool const waits = beast::iequals(exchange_->request.fields[Field::expect], "100-continue");
  if (!waits || exchange_->parser.is_done() || buffer_.size() != 0) return feed_body();
  constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
  asio::async_write(socket_, asio::buffer(kContinue),
                    [self = shared_from_this()](error_code error, std::size_t) {
                      if (error) return self->close();
                      self->feed_body();
                    });
}

void Session::feed_body() {
  while (!exchange_->parser.is_done() && buffer_.size() != 0) {
    error_code error;
    auto const used = exchange_->parser.put(buffer_.data(), error);
    buffer_.consume(used);
    if (error && error != beast::http::error::need_more) return refuse(fault_of(error));
    if (used == 0) break;
  }
  if (auto const fault = fault_of_body()) return refuse(*fault);
  if (exchange_->parser.is_done()) {
    deadline_ = SteadyTime::max();
    last_progress_ = SteadyTime::max();
    exchange_->request.body = std::move(exchange_->parser.get().body());
    return std::exchange(exchange_->then, nullptr)();
  }
  // The rest is the begin of a chunk's head or of the trailer, which must not grow without limit.
  if (buffer_.size() > limits_.head)
    return refuse({Code::kHeadTooLarge, "the head of a chunk or the trailer is too large", {}, {}, {}});
  socket_.async_read_some(buffer_.prepare(kReadAtOnce),
                          [self = shared_from_this()](error_code error, std::size_t n) {
                            if (error) return self->close();
                            self->last_progress_ = Clock::now();
                            self->buffer_.commit(n);
                            self->feed_body();
                          });
}

/// Why the body as received so far must be refused.
std::optional<core::Error> Session::fault_of_body() {
  auto const size = exchange_->parser.get().body().size();
  held_.set(size);
  if (size > exchange_->most_body) return too_large();
  if (size > kSmall && connections_.is_full()) return full();
  return std::nullopt;
}

/// Discards received bytes of a body that the handler did not request.
void Session::skip_body() {
  while (exchange_->parser.is_header_done() && !exchange_->parser.is_done() && buffer_.size() != 0) {
    error_code error;
    auto const used = exchange_->parser.put(buffer_.data(), error);
    buffer_.consume(used);
    if (error || used == 0) return;
  }
}

void Session::refuse(core::Error const& error) {
  exchange_->then = nullptr;
  auto response = refusal(error, exchange_->request.id);
  response.close = true;
  answer(std::move(response));
}

void Session::answer(Response response) {
  if (closed_ || std::exchange(exchange_->answered, true)) return;
  exchange_->gone = nullptr;
  // The answer of a write is always sent, because the write has happened.
  auto const& request = exchange_->request;
  bool const may_ask_again = request.is_safe() && response.body.size() > kSmall;
  if (may_ask_again && connections_.is_full()) response = refusal(full(), request.id);
  held_.set(response.body.size());
  if (!response.close) skip_body();
  exchange_->keep_alive =
      exchange_->keep_alive && !response.close && !draining_ && exchange_->parser.is_done();
  exchange_->response = std::move(response);
  write();
}

void Session::write() {
  auto const& request = exchange_->request;
  auto const& response = exchange_->response;
  auto const length = response.file.empty() ? response.body.size() : response.file.size();
  exchange_->head = head_of(response, request, length, exchange_->keep_alive);
  auto const body = request.method == "HEAD" ? asio::const_buffer{}
                    : response.file.empty()  ? asio::buffer(response.body)
                                             : asio::buffer(response.file.data(), response.file.size());
  std::array<asio::const_buffer, 2> const parts{asio::buffer(exchange_->head), body};
  deadline_ = SteadyTime::max();
  written_.begin_write();
  auto const on_progress = [this](error_code error, std::size_t bytes) {
    last_progress_ = Clock::now();
    written_.add_up_to(bytes, last_progress_);
    return error ? 0 : kWrittenAtOnce;
  };
  asio::async_write(socket_, parts, on_progress,
                    [self = shared_from_this()](error_code error, std::size_t bytes) {
                      self->last_progress_ = SteadyTime::max();
                      self->written_.add_up_to(bytes, Clock::now());
                      if (error) return self->close();
                      self->on_written();
                    });
}

/// Frees everything of the last exchange before the connection waits for the next one.
void Session::on_written() {
  held_.set(0);
  if (buffer_.size() == 0) buffer_.shrink_to_fit();
  if (exchange_->keep_alive) return next_request();
  // Assigning to a string keeps its memory; moving from it does not.
  (void)std::exchange(exchange_->response, {});
  error_code ignored;
  socket_.shutdown(Socket::shutdown_send, ignored);
  if (exchange_->parser.is_done()) return close();
  set_deadline(limits_.discard_time);
  discard();
}

/// Reads for a short time. If the socket were closed with unread bytes, the kernel would discard the answer.
void Session::discard() {
  buffer_.consume(buffer_.size());
  socket_.async_read_some(buffer_.prepare(kReadAtOnce),
                          [self = shared_from_this()](error_code error, std::size_t n) {
                            self->discarded_ += n;
                            if (error || self->discarded_ > self->limits_.discard_bytes) return self->close();
                            self->discard();
                          });
}

Gone Session::watch_for_disconnect() {
  auto const gone = std::make_shared<std::atomic<bool>>(false);
  exchange_->gone = gone;
  socket_.async_wait(Socket::wait_read, [weak = weak_from_this(), gone](error_code error) {
    auto const self = weak.lock();
    if (!self || self->exchange_->gone != gone || error) return;
    char byte = 0;
    auto const read = ::recv(self->socket_.native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    if (read == 0 || (read < 0 && errno != EAGAIN && errno != EWOULDBLOCK)) {
      *gone = true;
      self->close();
    }
  });
  return gone;
}

std::pair<Socket, Connections::Place> Session::take() {
  closed_ = true;
  std::pair<Socket, Connections::Place> out{std::move(socket_), std::move(place_)};
  connections_.remove(*this);
  return out;
}

/// A peer that is sending its head counts as idle: it may take its time.
SteadyTime Session::idle_since() const {
  bool const waits = !known_ && !exchange_->answered && !exchange_->then && deadline_ != SteadyTime::max();
  return waits ? opened_ : SteadyTime::max();
}

void Session::tick(SteadyTime now) {
  if (now >= deadline_) return close();
  written_.look(socket_.native_handle(), now);
  if (!written_.has_stalled(now, limits_.write_time)) return;
  drop_unsent(socket_);
  close();
}

void Session::drain() {
  draining_ = true;
  if (!exchange_->began) return close();
  if (!exchange_->gone) return;
  *exchange_->gone = true;
  refuse({Code::kBusy, "the server is about to end; try again", {}, {}, {}});
}

void Session::close() {
  if (std::exchange(closed_, true)) return;
  if (exchange_->gone) *exchange_->gone = true;
  error_code ignored;
  socket_.close(ignored);
  place_ = {};
  connections_.remove(*this);
}

}  // namespace andon::http
