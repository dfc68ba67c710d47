#pragma once

#include <string>

#include "cli/command_line/invocation.hpp"

namespace andon::cli {

/// Reads one answer after another until the server names no next page, with bounds on what a server can make
/// the program read: a page that names itself as the next, too many pages, too many bytes.
class Pages {
 public:
  /// The invocation outlives it.
  explicit Pages(Invocation const& in) : in_(in), received_before_(in.received()) {}

  /// Checks that the page called `next` may be read; to be called before each page but the first.
  core::Result<void> check_next(std::string const& next);

 private:
  Invocation const& in_;
  std::size_t const received_before_;
  std::string last_;
  std::size_t count_ = 1;
};

}  // namespace andon::cli
