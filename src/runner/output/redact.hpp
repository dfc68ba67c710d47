#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace andon::runner {

/// Removes secrets from text before it is stored: the given values, and everything that looks like an Andon
/// token.
class Redactor {
 public:
  Redactor() = default;
  /// Ignores values shorter than eight bytes, since those are ordinary words.
  explicit Redactor(std::vector<std::string> secrets);
  /// A redactor for the given secrets, and for variables whose names end in `_KEY`, `_TOKEN`, `_SECRET` or
  /// `_PASSWORD`.
  static Redactor for_environment(std::span<std::string const> environment, std::vector<std::string> secrets);

  std::string operator()(std::string_view text) const;

 private:
  std::vector<std::string> secrets_;
};

}  // namespace andon::runner
