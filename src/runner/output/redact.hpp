#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace andon::runner {

/// Takes secrets out of text before it is kept: given values, and everything that looks like a token of ours.
class Redactor {
 public:
  Redactor() = default;
  /// Values shorter than eight bytes are no secrets but words.
  explicit Redactor(std::vector<std::string> secrets);
  /// The given secrets and the values of variables whose names end in `_KEY`, `_TOKEN`, `_SECRET` or
  /// `_PASSWORD`.
  static Redactor for_environment(std::span<std::string const> environment, std::vector<std::string> secrets);

  std::string operator()(std::string_view text) const;

 private:
  std::vector<std::string> secrets_;
};

}  // namespace andon::runner
