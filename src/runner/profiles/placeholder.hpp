#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/value.hpp>

#include "core/error.hpp"

namespace andon::runner {

/// The values of placeholders in one run. A known name without a value is empty.
struct Variables {
  std::map<std::string, std::string, std::less<>> texts;
  std::map<std::string, std::vector<std::string>, std::less<>> lists;

  bool is_set(std::string_view name) const;
};

/// Whether profiles may use `{name}`.
bool is_known_text(std::string_view name);
bool is_known_list(std::string_view name);

/// Replaces `{name}`; other braces stay. Refuses unknown names.
core::Result<std::string> fill(std::string_view text, Variables const& variables);
/// Replaces placeholders in every text of a JSON value.
core::Result<boost::json::value> fill_json(boost::json::value const& value, Variables const& variables);
/// Fills a list of argument items: texts, {"if","then","else"} and {"each","then"}. One text is always one
/// argument.
core::Result<std::vector<std::string>> fill_arguments(std::vector<boost::json::value> const& items,
                                                      Variables const& variables);
/// Refuses everything that `fill_arguments` would refuse, on every branch. The field is the path below the
/// list.
core::Result<void> check_arguments(std::vector<boost::json::value> const& items);

}  // namespace andon::runner
