#include "http/wire/stream.hpp"

#include <algorithm>
#include <vector>

#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>

#include "os/processes/clock.hpp"

namespace andon::http {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using Clock = os::SteadyClock;

constexpr std::size_t kPiecesAtOnce = 16;         ///< pieces
constexpr std::size_t kTakenAtOnce = 64U << 10U;  ///< bytes
constexpr int kSendBuffer = 128 << 10;

}  // namespace

std::string sse_frame(std::string_view event, std::string_view data, std::string_view id) {
  std::string out;
  out.reserve(event.size() + data.size() + id.size() + 24);
  if (!id.empty()) out.append("id: ").append(id).append("\n");
  out.append("event: ").append(event).append("\ndata: ").append(data).append("\n\n");
  return out;
}

Stream::Stream(Socket socket, Connections::Place place, Connections& connections, Limits const& limits,
               StreamForm form)
    : socket_(std::move(socket)),
      place_(std::move(place)),
      connections_(connections),
      limits_(limits),
      form_(std::move(form)),
      held_(connections),
      heartbeat_(Clock::now() + limits.stream_heartbeat) {
  place_.leave_peer();
}

Stream::Stream(Socket socket, Connections::Place place, Connections& connections, Limits const& limits)
    : Stream(std::move(socket), std::move(place), connections, limits,
             StreamForm{Clock::now() + limits.stream_time}) {}

void Stream::start(std::string head) {
  error_code
      ignored;  // a failure is ignored; the option keeps the kernel from holding megabytes for a slow reader
  socket_.set_option(asio::socket_base::send_buffer_size(kSendBuffer), ignored);
  watch_peer();
  send({std::move(head) + form_.hello});
}

/// The client may send nothing more, so any readiness of the socket means its end.
void Stream::watch_peer() {
  socket_.async_wait(Socket::wait_read, [weak = weak_from_this()](error_code) {
    if (auto const self = weak.lock()) self->close();
  });
}

void Stream::send(Piece piece) {
  if (!is_open()) return;
  auto const waiting = queue_.size() - in_flight_;
  if (waiting >= limits_.queued_frames || (waiting > 0 && bytes_ + piece.size() > limits_.queued_bytes)) {
    queue_.resize(in_flight_);
    return end(form_.slow);
  }
  bytes_ += piece.size();
  own_bytes_ += piece.own_size();
  held_.set(own_bytes_);
  queue_.push_back(std::move(piece));
  heartbeat_ = Clock::now() + limits_.stream_heartbeat;
  if (in_flight_ == 0) write();
}

void Stream::end(std::string last) {
  if (!is_open()) return;
  ending_ = true;
  bytes_ += last.size();
  own_bytes_ += last.size();
  held_.set(own_bytes_);
  queue_.push_back({std::move(last)});
  if (in_flight_ == 0) write();
}

void Stream::write() {
  in_flight_ = std::min(queue_.size(), kPiecesAtOnce);
  std::vector<asio::const_buffer> parts;
  parts.reserve(in_flight_ * 3);
  for (std::size_t i = 0; i < in_flight_; ++i) {
    auto const& piece = queue_[i];
    parts.push_back(asio::buffer(piece.before));
    if (piece.shared) parts.push_back(asio::buffer(*piece.shared));
    if (!piece.after.empty()) parts.push_back(asio::buffer(piece.after));
  }
  written_.begin_write();
  auto const on_progress = [this](error_code error, std::size_t bytes) {
    last_progress_ = Clock::now();
    written_.add_up_to(bytes, last_progress_);
    return error ? 0 : kTakenAtOnce;
  };
  asio::async_write(socket_, parts, on_progress,
                    [self = shared_from_this()](error_code error, std::size_t bytes) {
                      self->last_progress_ = SteadyTime::max();
                      self->written_.add_up_to(bytes, Clock::now());
                      if (error) return self->close();
                      for (; self->in_flight_ > 0; --self->in_flight_) {
                        self->bytes_ -= std::min(self->bytes_, self->queue_.front().size());
                        self->own_bytes_ -= std::min(self->own_bytes_, self->queue_.front().own_size());
                        self->queue_.pop_front();
                      }
                      self->held_.set(self->own_bytes_);
                      if (!self->queue_.empty()) return self->write();
                      self->queue_.shrink_to_fit();
                      if (self->ending_) return self->close();
                      if (self->form_.idle) self->form_.idle();
                    });
}

void Stream::tick(SteadyTime now) {
  written_.look(socket_.native_handle(), now);
  if (written_.has_stalled(now, limits_.write_time)) {
    drop_unsent(socket_);
    return close();
  }
  if (now >= form_.end) return end({});
  if (now >= heartbeat_ && !form_.heartbeat.empty()) send({form_.heartbeat});
}

void Stream::close() {
  if (std::exchange(closed_, true)) return;
  if (form_.gone) *form_.gone = true;
  error_code ignored;
  socket_.shutdown(Socket::shutdown_both, ignored);
  socket_.close(ignored);
  connections_.remove(*this);
}

}  // namespace andon::http
