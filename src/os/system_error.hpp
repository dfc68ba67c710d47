#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace andon::os {

/// A failed system call: the action, its object and the reason. `number()` is the errno.
class SystemError : public std::runtime_error {
 public:
  SystemError(std::string_view what, std::string_view object, int number);
  int number() const noexcept { return number_; }

 private:
  int number_;
};

/// Throws a `SystemError` with the current errno.
[[noreturn]] void fail(std::string_view what, std::string_view object = {});

}  // namespace andon::os
