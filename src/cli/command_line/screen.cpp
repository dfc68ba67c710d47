#include "cli/command_line/screen.hpp"

#include <array>

#include "cli/command_line/json_text.hpp"
#include "cli/command_line/safe_text.hpp"

namespace andon::cli {
namespace {

namespace json = boost::json;

struct Word {
  std::string_view word;
  Format format;
};
constexpr std::array kWords{Word{"json", Format::json}, Word{"compact", Format::compact},
                            Word{"oneline", Format::compact}, Word{"table", Format::table}};

json::value value_of(core::Detail const& detail) {
  if (auto const* n = std::get_if<std::int64_t>(&detail)) return *n;
  if (auto const* text = std::get_if<std::string>(&detail)) return json::string{*text};
  json::array items;
  for (auto const& text : std::get<std::vector<std::string>>(detail)) items.emplace_back(text);
  return items;
}

}  // namespace

Format default_format(Environment const& env) {
  for (auto const* name : {"ANDON_OUTPUT", "KANBAN_OUTPUT"}) {
    auto const asked = env.variable(name);
    for (auto const& row : kWords)
      if (row.word == asked) return row.format;
  }
  return Format::table;
}

void Screen::print(json::value const& answer) { env_.out << json_text(answer); }
void Screen::print(std::string_view text) { env_.out << text; }

void Screen::tell(std::string_view message) {
  if (!quiet_) env_.err << one_line(message) << '\n';
}

int Screen::refuse(core::Error const& error) {
  if (is_json()) {
    env_.out << json_text(error_object(error));
    return core::row(error.code).exit;
  }
  env_.err << painted("Error: ", "31") << one_line(error.message) << '\n';
  return 1;
}

std::string Screen::painted(std::string_view text, std::string_view sgr) const {
  if (!colour_) return std::string{text};
  return "\x1b[" + std::string{sgr} + "m" + std::string{text} + "\x1b[0m";
}

std::string Screen::drawn(Table const& table) const {
  return colour_ ? table.text("\x1b[1m", "\x1b[0m") : table.text();
}

json::object error_object(core::Error const& error) {
  json::object out{{"error", error.message}, {"code", core::row(error.code).name}};
  json::object details;
  // Its reasons stand in the sentence; kanban-md's refusal has no details.
  if (error.code != core::Code::kNothingToPick)
    for (auto const& [name, value] : error.details) details[name] = value_of(value);
  if (!details.empty()) out["details"] = std::move(details);
  if (!error.field.empty()) out["field"] = error.field;
  return out;
}

}  // namespace andon::cli
