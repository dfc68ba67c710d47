#include "os/processes/service_manager.hpp"

#include <cstddef>
#include <cstring>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <doctest/doctest.h>

#include "os/files/descriptor.hpp"
#include "os/processes/log.hpp"
#include "support/scratch.hpp"

using namespace andon;

namespace {

/// A service manager's end of the socket.
class Listener {
 public:
  explicit Listener(std::string const& name) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, name.data(), name.size());
    if (name.front() == '@') address.sun_path[0] = '\0';
    auto const length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size());
    REQUIRE(::bind(file_.get(), reinterpret_cast<sockaddr const*>(&address), length) == 0);
  }
  std::string next() {
    std::string text(1000, '\0');
    auto const n = ::recv(file_.get(), text.data(), text.size(), MSG_DONTWAIT);
    text.resize(n < 0 ? 0 : static_cast<std::size_t>(n));
    return text;
  }

 private:
  os::Descriptor file_{::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)};
};

}  // namespace

TEST_CASE("ServiceManager.HearsOnAPath") {
  test::Scratch const place;
  auto const path = (place / "notify").native();
  Listener listener(path);
  CHECK(os::ServiceManager(path, {}).tell("READY=1\nSTATUS=here"));
  CHECK(listener.next() == "READY=1\nSTATUS=here");
}

TEST_CASE("ServiceManager.HearsOnAnAbstractName") {
  auto const name = "@andon-test-" + std::to_string(::getpid());
  Listener listener(name);
  CHECK(os::ServiceManager(name, {}).tell("WATCHDOG=1"));
  CHECK(listener.next() == "WATCHDOG=1");
}

TEST_CASE("ServiceManager.ThatDoesNotListenStopsNothing") {
  test::Scratch const place;
  CHECK_FALSE(os::ServiceManager("", {}).tell("READY=1"));
  CHECK_FALSE(os::ServiceManager("relative", {}).tell("READY=1"));
  CHECK_FALSE(os::ServiceManager((place / "nobody").native(), {}).tell("READY=1"));
  CHECK_FALSE(os::ServiceManager("/" + std::string(200, 'x'), {}).tell("READY=1"));
}

TEST_CASE("Log.TheJournalIsToldThePriorityAndNoTime") {
  CHECK(os::journal_line(os::Level::warning, "two\nlines") == "<4>two\\nlines");
  CHECK(os::journal_line(os::Level::error, "x") == "<3>x");
  CHECK_FALSE(os::is_journal(STDERR_FILENO, "0:0"));
  CHECK_FALSE(os::is_journal(-1, ""));
}
