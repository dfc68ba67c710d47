#pragma once

#include <cstdint>

#include "http/wire/connections.hpp"

namespace andon::http {

/// Measures when a peer last took a byte of what was written to its socket. What the kernel still keeps for
/// the peer is not taken: the kernel accepts megabytes for a peer that reads nothing.
class WrittenBytes {
 public:
  void begin_write() { before_ = written_; }
  /// The kernel has accepted so many bytes of this write.
  void add_up_to(std::size_t bytes, SteadyTime now);
  /// Asks the kernel how much it keeps. Costs nothing when the peer has taken everything.
  void look(int socket, SteadyTime now);
  bool has_stalled(SteadyTime now, Milliseconds limit) const {
    return since_ != SteadyTime::max() && now - since_ >= limit;
  }

 private:
  SteadyTime since_ = SteadyTime::max();  ///< the last byte was taken; the maximum when nothing waits
  std::int64_t before_ = 0;               ///< accepted by the kernel before this write
  std::int64_t written_ = 0;              ///< accepted by the kernel
  std::int64_t taken_ = 0;                ///< by the peer, at the last look
};

/// Makes the next `close` drop what the peer has not taken, and reset the connection.
void drop_unsent(Socket& socket);

}  // namespace andon::http
