#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace andon::core {

// The plain fields of a task: one line of text each, written by people and read by people. No rule of Andon
// depends on one. A member here and a row of `kPlainFields` are all of it: tasks, cards, requests, stores,
// task files, imports, flags, tools and pages follow from the row.

/// One member for each plain field: a text, or in a request of a change, a text that may be absent.
template <class Text>
struct PlainFields {
  Text estimate{};
  Text link{};
  bool operator==(PlainFields const&) const = default;
};
using PlainTexts = PlainFields<std::string>;
using PlainChanges = PlainFields<std::optional<std::string>>;

struct PlainField {
  std::string PlainTexts::* text;
  std::optional<std::string> PlainChanges::* change;
  std::string_view name;              ///< on every wire and in task files
  std::string_view label;             ///< on pages for people
  std::string_view help;              ///< of a new task
  std::string_view help_of_change;    ///< of an existing one
  std::string_view clearing_flag;     ///< the flag that empties it
  std::string_view help_of_clearing;  ///< of that flag
  std::string_view compact_mark{};    ///< before it on a compact page; not shown there when empty
  std::string_view other_names{};     ///< in imported lists: folded, with blanks between them
  std::size_t most_bytes = 200;
  bool shown_when_empty = false;  ///< on the page that `show` prints
};

inline constexpr std::array kPlainFields{
    PlainField{.text = &PlainTexts::estimate,
               .change = &PlainChanges::estimate,
               .name = "estimate",
               .label = "Estimate",
               .help = "Estimate, free text",
               .help_of_change = "Estimate; empty for none",
               .clearing_flag = "clear-estimate",
               .help_of_clearing = "No estimate",
               .compact_mark = "est:",
               .other_names = "points storypoints",
               .shown_when_empty = true},
    PlainField{.text = &PlainTexts::link,
               .change = &PlainChanges::link,
               .name = "link",
               .label = "Link",
               .help = "Address or name of what it belongs to elsewhere, such as an issue or a design",
               .help_of_change = "Address or name of what it belongs to elsewhere; empty for none",
               .clearing_flag = "clear-link",
               .help_of_clearing = "No link",
               .other_names = "url address externalurl",
               .most_bytes = 2'000},
};

void describe(auto& field, PlainTexts const*) {
  for (auto const& each : kPlainFields) field(each.text, each.name, each.help);
}
void describe(auto& field, PlainChanges const*) {
  for (auto const& each : kPlainFields) field(each.change, each.name, each.help_of_change);
}

}  // namespace andon::core
