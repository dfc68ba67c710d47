#pragma once

#include <string>

#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

namespace andon::test {

/// JSON a person can compare: a member, and an item of a list in a member, on a line of its own.
inline std::string pretty(boost::json::object const& object) {
  std::string out = "{";
  for (auto const& [key, value] : object) {
    out += (out.size() > 1 ? ",\n  " : "\n  ") + boost::json::serialize(key) + ": ";
    auto const* list = value.if_array();
    if (!list || list->empty()) {
      out += boost::json::serialize(value);
      continue;
    }
    std::string items;
    for (auto const& item : *list)
      items += (items.empty() ? "\n    " : ",\n    ") + boost::json::serialize(item);
    out += "[" + items + "\n  ]";
  }
  return out + "\n}\n";
}

}  // namespace andon::test
