#pragma once

#include <string>
#include <string_view>
#include <sys/types.h>

#include "os/files/descriptor.hpp"

namespace andon::test {

/// A PostgreSQL server of this test program, on a socket in a directory of its own. A shell starts it and
/// waits for the end of a pipe, so that the server stops and the directory goes away however the program
/// ends.
class PrivatePostgres {
 public:
  /// Prints why the tests are skipped where it is not.
  static bool is_installed();
  /// Started by the first call. Throws when it does not start.
  static PrivatePostgres const& instance();

  PrivatePostgres(PrivatePostgres const&) = delete;
  ~PrivatePostgres();

  /// The URL for this user. `owner` may do everything; `locked` has the password `right:word`; others, which
  /// a test creates, need no password.
  std::string url(std::string_view user_and_password = "owner") const;
  /// The directory of its socket.
  std::string const& directory() const { return directory_; }
  /// The URL of a schema that no other call returns.
  std::string new_schema() const;

 private:
  PrivatePostgres();
  std::string start_log() const;

  std::string directory_;
  os::Descriptor stop_;
  pid_t shell_ = 0;
};

}  // namespace andon::test
