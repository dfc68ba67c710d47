#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace andon::os {

/// A system call that failed: what was tried, on what, and why. `number()` is the errno.
class SystemError : public std::runtime_error {
 public:
  SystemError(std::string_view what, std::string_view object, int number);
  int number() const noexcept { return number_; }

 private:
  int number_;
};

/// Throws a `SystemError` with the present errno.
[[noreturn]] void fail(std::string_view what, std::string_view object = {});

}  // namespace andon::os
