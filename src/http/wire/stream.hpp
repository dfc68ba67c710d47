#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "http/wire/connections.hpp"
#include "http/wire/written_bytes.hpp"

namespace andon::http {

/// Bytes for a stream. `shared` is common to many streams and lies between the other two.
struct Piece {
  std::string before;
  std::shared_ptr<std::string const> shared{};
  std::string after{};

  /// Of what belongs to this stream alone.
  std::size_t own_size() const { return before.size() + after.size(); }
  std::size_t size() const { return before.size() + (shared ? shared->size() : 0) + after.size(); }
};

/// One server-sent event. `data` must be one line.
std::string sse_frame(std::string_view event, std::string_view data, std::string_view id = {});

/// The form of a stream beside the pieces that are sent.
struct StreamForm {
  SteadyTime end{};                          ///< when it ends by itself
  std::string hello = "retry: 1500\n\n";     ///< sent after the head
  std::string heartbeat = ": hb\n\n";        ///< sent while there is nothing else; or none
  std::string bye = sse_frame("bye", "{}");  ///< sent when the server stops
  std::string slow = sse_frame("reset", R"({"reason":"slow"})");  ///< sent to a reader that is too slow
  std::shared_ptr<std::atomic<bool>> gone{};                      ///< set when the stream is closed
  std::function<void()> idle{};                                   ///< called when all was written
};

/// The body of an event stream, or of another answer that is sent in pieces. The queue for a slow reader is
/// bounded: beyond the limit the stream ends.
class Stream final : public Connection, public std::enable_shared_from_this<Stream> {
 public:
  Stream(Socket socket, Connections::Place place, Connections& connections, Limits const& limits,
         StreamForm form);
  Stream(Socket socket, Connections::Place place, Connections& connections, Limits const& limits);

  /// Call it once, after the stream was added to the connections.
  void start(std::string head);
  void send(Piece piece);
  /// Sends `last` and closes.
  void end(std::string last);
  bool is_open() const { return !closed_ && !ending_; }
  /// Whether nothing waits to be written.
  bool is_idle() const { return queue_.empty(); }

  SteadyTime last_progress() const override { return last_progress_; }
  void tick(SteadyTime now) override;
  void drain() override { end(form_.bye); }
  void close() override;

 private:
  void watch_peer();
  void write();

  Socket socket_;
  Connections::Place place_;
  Connections& connections_;
  Limits const& limits_;
  StreamForm const form_;
  std::deque<Piece> queue_;  ///< the first `in_flight_` are being written
  std::size_t in_flight_ = 0;
  std::size_t bytes_ = 0;
  std::size_t own_bytes_ = 0;
  Connections::Held held_;
  WrittenBytes written_;
  SteadyTime last_progress_ = SteadyTime::max();
  SteadyTime heartbeat_;
  bool ending_ = false;
  bool closed_ = false;
};

}  // namespace andon::http
