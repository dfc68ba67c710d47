#include "os/data/user_secret.hpp"

#include <cstdlib>
#include <sys/stat.h>

#include <doctest/doctest.h>

#include "os/files/file.hpp"
#include "support/scratch.hpp"

using namespace andon;

namespace {

/// Names a place for the state of users while it lives.
class StateHome {
 public:
  explicit StateHome(std::filesystem::path const& path) {
    if (auto const* was = std::getenv("XDG_STATE_HOME")) before_ = was;
    ::setenv("XDG_STATE_HOME", path.c_str(), 1);
  }
  ~StateHome() {
    before_.empty() ? ::unsetenv("XDG_STATE_HOME") : ::setenv("XDG_STATE_HOME", before_.c_str(), 1);
  }
  StateHome(StateHome const&) = delete;
  StateHome& operator=(StateHome const&) = delete;

 private:
  std::string before_;
};

std::string secret_in(test::Scratch const& scratch) {
  StateHome const home(scratch.path());
  return os::user_secret();
}

}  // namespace

TEST_CASE("UserSecret.IsTheOneThatIsKept") {
  test::Scratch scratch;
  os::make_private_directory(scratch / "andon");
  os::write_file(scratch / "andon/secret", std::string(64, 'a') + "\n");
  CHECK(secret_in(scratch) == std::string(64, 'a'));
}

TEST_CASE("UserSecret.IsNotTakenFromAFileThatOthersCanWrite") {
  test::Scratch scratch;
  os::make_private_directory(scratch / "andon");
  os::write_file(scratch / "andon/secret", std::string(64, 'a') + "\n", 0666);
  CHECK(secret_in(scratch) != std::string(64, 'a'));
}
