#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "core/error.hpp"

namespace andon::runner {

/// A regular expression (Perl syntax, named groups). A search never fails and reads only the first 8 KiB,
/// because the text comes from an untrusted program.
class Pattern {
 public:
  static core::Result<Pattern> compile(std::string const& expression);

  bool found_in(std::string_view text) const;
  /// The named groups that matched, the whole match as `0` and the first group as `1`. Empty without a match.
  std::map<std::string, std::string> groups(std::string_view text) const;

 private:
  struct Compiled;
  std::shared_ptr<Compiled const> compiled_;
};

}  // namespace andon::runner
