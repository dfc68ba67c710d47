#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <boost/json/value.hpp>

#include "core/error.hpp"

namespace andon::runner {

/// The context of a pointer: the line, and within `each` the current element and its key.
struct Place {
  boost::json::value const& line;
  boost::json::value const* element = nullptr;
  std::string_view key{};
};

/// A JSON pointer (RFC 6901) into the line, or with a leading `@` into the element. `@key` is the element's
/// key.
class Pointer {
 public:
  static core::Result<Pointer> compile(std::string_view text);

  bool is_key() const { return is_key_; }
  boost::json::value const* find(Place const& place) const;

 private:
  std::vector<std::string> tokens_;
  bool in_element_ = false;
  bool is_key_ = false;
};

}  // namespace andon::runner
