#include "http/wire/written_bytes.hpp"

#include <sys/socket.h>

#include <doctest/doctest.h>

#include "os/files/descriptor.hpp"

using namespace andon;
using namespace andon::http;

namespace {

constexpr Milliseconds kLimit{30};
constexpr std::size_t kPiece = 1'024;

SteadyTime at(int milliseconds) { return SteadyTime{} + std::chrono::hours{1} + Milliseconds{milliseconds}; }

/// A peer that reads when it is told to, and what was written to it.
class SlowPeer {
 public:
  SlowPeer() {
    int ends[2];
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) == 0);
    ours_ = os::Descriptor{ends[0]};
    its_ = os::Descriptor{ends[1]};
  }
  void write(int pieces, SteadyTime now) {
    std::string const piece(kPiece, 'x');
    written.begin_write();
    for (int i = 1; i <= pieces; ++i) {
      REQUIRE(::send(ours_.get(), piece.data(), piece.size(), MSG_NOSIGNAL) == kPiece);
      written.add_up_to(static_cast<std::size_t>(i) * kPiece, now);
    }
  }
  void read(int pieces) {
    std::string piece(kPiece, ' ');
    for (int i = 0; i < pieces; ++i)
      REQUIRE(::recv(its_.get(), piece.data(), piece.size(), MSG_WAITALL) == kPiece);
  }
  bool has_stalled(SteadyTime now) {
    written.look(ours_.get(), now);
    return written.has_stalled(now, kLimit);
  }

  WrittenBytes written;

 private:
  os::Descriptor ours_, its_;
};

}  // namespace

TEST_CASE("WrittenBytes.StallIsCountedFromTheLastByteTaken") {
  SlowPeer peer;
  peer.write(20, at(0));
  CHECK(!peer.has_stalled(at(29)));
  peer.read(5);
  CHECK(!peer.has_stalled(at(30)));
  CHECK(!peer.has_stalled(at(59)));
  CHECK(peer.has_stalled(at(60)));
}

TEST_CASE("WrittenBytes.AcceptedByTheKernelAreNotTaken") {
  SlowPeer peer;
  for (int time = 0; time < 30; time += 5) {
    peer.write(1, at(time));
    CHECK(!peer.has_stalled(at(time)));
  }
  CHECK(peer.has_stalled(at(30)));
}

TEST_CASE("WrittenBytes.APeerThatTookAllIsWaitedForByNobody") {
  SlowPeer peer;
  CHECK(!peer.has_stalled(at(1'000)));
  peer.write(3, at(1'000));
  peer.read(3);
  CHECK(!peer.has_stalled(at(1'020)));
  CHECK(!peer.has_stalled(at(9'000)));
  peer.write(1, at(9'000));
  CHECK(!peer.has_stalled(at(9'029)));
  CHECK(peer.has_stalled(at(9'030)));
}
