#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "core/error.hpp"

namespace andon::runner {

/// A regular expression (Perl syntax, named groups). Searching never fails and looks at the first 8 KiB only:
/// the text comes from a program we do not trust.
class Pattern {
 public:
  static core::Result<Pattern> compile(std::string const& expression);

  bool found_in(std::string_view text) const;
  /// The named groups that matched, and the whole match as `0` and the first group as `1`; empty without a
  /// match.
  std::map<std::string, std::string> groups(std::string_view text) const;

 private:
  struct Compiled;
  std::shared_ptr<Compiled const> compiled_;
};

}  // namespace andon::runner
