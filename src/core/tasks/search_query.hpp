#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"

namespace andon::core {

/// Words to find in titles, bodies and notes.
struct SearchWords {
  std::string text;
  bool exact = false;    ///< the words stand together in this order
  bool without = false;  ///< only tasks that do not have them
  bool operator==(SearchWords const&) const = default;
};

enum class SearchField {
  status,
  stage,
  tag,
  class_,
  priority,
  assignee,
  role,
  board,
  claimed_by,
  parent,
  is,
};
inline constexpr std::array<std::string_view, 11> kSearchFieldNames{
    "status", "stage", "tag", "class", "priority", "assignee", "role", "board", "claimed_by", "parent", "is"};

/// The values of `is:`.
inline constexpr std::array<std::string_view, 7> kSearchStates{"blocked",  "claimed", "open",   "done",
                                                               "archived", "overdue", "waiting"};

/// `tag:api,web`: one of the values; `-tag:api`: none of them.
struct SearchCondition {
  SearchField field{};
  std::vector<std::string> values;
  bool without = false;
  std::int64_t position = 0;  ///< of the condition in the text, the first character being 1
  bool operator==(SearchCondition const&) const = default;
};

/// The conditions of a search. All of them must hold.
struct SearchQuery {
  std::vector<SearchWords> words;
  std::vector<SearchCondition> conditions;
  bool operator==(SearchQuery const&) const = default;
};

/// Reads what a person typed:
///
///     query     = { blank | part }
///     part      = [ "-" ] ( condition | words )
///     condition = field ":" value { "," value }
///     words     = '"' { any but '"' } '"' | { any but blank and '"' }
///     value     = '"' { any but '"' } '"' | { any but blank, '"' and "," }
///
/// A word with a colon whose beginning is no field is refused, unless it is quoted or goes on with `/`, as
/// addresses do. Refusals name the field and the position.
Result<SearchQuery> parse_search(std::string_view text);

/// The refusal of a condition's value, with the words to say what would be right.
std::unexpected<Error> refuse_search(Code code, std::string message, std::string_view field,
                                     std::int64_t position);

std::string_view to_text(SearchField field);

}  // namespace andon::core
