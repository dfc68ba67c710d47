#include "http/wire/written_bytes.hpp"

#include <linux/sockios.h>
#include <sys/ioctl.h>

namespace andon::http {

void WrittenBytes::add_up_to(std::size_t bytes, SteadyTime now) {
  written_ = before_ + static_cast<std::int64_t>(bytes);
  if (since_ == SteadyTime::max()) since_ = now;
}

/// On a Unix socket the kernel counts its own overhead too, so that `taken_` may fall with a write. It rises
/// only when the peer reads.
void WrittenBytes::look(int socket, SteadyTime now) {
  if (since_ == SteadyTime::max()) return;
  int kept = 0;
  if (::ioctl(socket, SIOCOUTQ, &kept) != 0) return;
  auto const taken = written_ - kept;
  if (taken > taken_) since_ = now;
  taken_ = taken;
  if (kept == 0) since_ = SteadyTime::max();
}

void drop_unsent(Socket& socket) {
  boost::system::error_code ignored;
  socket.set_option(boost::asio::socket_base::linger(true, 0), ignored);
}

}  // namespace andon::http
