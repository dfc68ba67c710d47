#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>

#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

#include "core/error.hpp"
#include "http/wire/connections.hpp"
#include "http/wire/message.hpp"
#include "http/wire/written_bytes.hpp"

namespace andon::http {

class Session;

/// Decides about requests whose head has arrived: answers them, or admits them with `Session::read_body`.
class Handler {
 public:
  virtual ~Handler() = default;
  virtual void authenticate(std::shared_ptr<Session> session) = 0;
  virtual std::string next_request_id() = 0;
};

/// The most bytes of a body, and the time in which it must arrive.
struct BodyBound {
  std::size_t most = 0;
  Milliseconds time{};
};

/// A flag that becomes true when the peer of a request hangs up.
using Gone = std::shared_ptr<std::atomic<bool>>;

/// One request and its answer. The next request begins a new one, so that none of its memory outlives it.
struct Exchange {
  beast::http::request_parser<beast::http::string_body> parser;
  Request request;
  std::move_only_function<void()> then;  ///< goes on when the body has arrived
  Response response;
  std::string head;  ///< of the response
  Gone gone;
  std::size_t most_body = 0;
  bool began = false;  ///< the first byte of the request has arrived
  bool answered = false;
  bool keep_alive = false;
};

/// One connection with requests in sequence. Each is answered once, by `answer` or by taking the socket.
class Session final : public Connection, public std::enable_shared_from_this<Session> {
 public:
  Session(Socket socket, Connections::Place place, Peer peer, Connections& connections, Limits const& limits,
          Handler& handler);

  void start() { next_request(); }

  Request& request() { return exchange_->request; }
  bool is_closed() const { return closed_; }
  /// The peer has shown a valid credential.
  void set_known() { known_ = true; }
  bool has_body() const;
  /// Reads the body, then calls `then`. Refuses a body beyond the bound or a broken one.
  void read_body(BodyBound bound, std::move_only_function<void()> then);
  void answer(Response response);
  /// Watches until the answer whether the client hangs up. The flag becomes true when it does.
  Gone watch_for_disconnect();
  /// Ends this session and returns its socket and place, for an event stream.
  std::pair<Socket, Connections::Place> take();

  SteadyTime last_progress() const override { return last_progress_; }
  SteadyTime idle_since() const override;
  void tick(SteadyTime now) override;
  void drain() override;
  void close() override;

 private:
  void next_request();
  void read_head();
  void on_head(std::size_t size);
  void feed_body();
  std::optional<core::Error> fault_of_body();
  void skip_body();
  void refuse(core::Error const& error);
  void write();
  void on_written();
  void discard();
  void set_deadline(Milliseconds time);

  Socket socket_;
  Connections::Place place_;
  Peer const peer_;
  Connections& connections_;
  Limits const& limits_;
  Handler& handler_;

  boost::beast::flat_buffer buffer_;
  std::optional<Exchange> exchange_;  ///< always there
  SteadyTime deadline_ = SteadyTime::max();
  SteadyTime opened_;
  SteadyTime last_progress_ = SteadyTime::max();
  WrittenBytes written_;
  Connections::Held held_;
  std::size_t discarded_ = 0;
  bool draining_ = false;
  bool known_ = false;
  bool closed_ = false;
};

}  // namespace andon::http
