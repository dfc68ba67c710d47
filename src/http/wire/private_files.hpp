#pragma once

#include <sys/stat.h>

namespace andon::http {

/// Restricts the umask, so that the socket file is never reachable by others.
class PrivateFiles {
 public:
  PrivateFiles() : before_(::umask(0177)) {}
  ~PrivateFiles() { ::umask(before_); }
  PrivateFiles(PrivateFiles const&) = delete;

 private:
  mode_t before_;
};

}  // namespace andon::http
