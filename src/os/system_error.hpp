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

 protected:
  /// A failure with a sentence of its own, without an errno.
  explicit SystemError(std::string const& sentence) : std::runtime_error(sentence), number_(0) {}

 private:
  int number_;
};

/// Throws a `SystemError` with the current errno.
[[noreturn]] void fail(std::string_view what, std::string_view object = {});

}  // namespace andon::os
