#include "runner/profiles/placeholder.hpp"

#include <algorithm>
#include <array>

#include "core/text/ascii.hpp"

namespace andon::runner {
namespace {

namespace json = boost::json;
using core::Code;
using core::Result;

constexpr std::array<std::string_view, 20> kTextPlaceholders{
    "task.id",  "task.title",  "run.id",      "run.dir",   "cwd",        "model",   "effort",
    "session",  "new_session", "prompt",      "role",      "file.role",  "sandbox", "file.prompt",
    "file.mcp", "board.url",   "board.token", "max_turns", "budget_usd", "mcp.url"};
constexpr std::array<std::string_view, 1> kLists{"add_dirs"};
constexpr std::string_view kItemPlaceholder = "item";

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || core::is_ascii_digit(c) || c == '.' || c == '_';
}

std::string_view view(json::string const& text) { return {text.data(), text.size()}; }

/// Calls `on_text` and `on_name` for the parts of a text with placeholders.
template <class OnText, class OnName>
Result<void> split(std::string_view text, OnText on_text, OnName on_name) {
  while (!text.empty()) {
    auto const open = text.find('{');
    on_text(text.substr(0, open));
    if (open == std::string_view::npos) return {};
    text.remove_prefix(open);
    std::size_t end = 1;
    while (end < text.size() && is_name_character(text[end])) ++end;
    if (end == 1 || end == text.size() || text[end] != '}') {
      on_text(text.substr(0, 1));
      text.remove_prefix(1);
      continue;
    }
    ANDON_CHECK(on_name(text.substr(1, end - 1)));
    text.remove_prefix(end + 1);
  }
  return {};
}

std::unexpected<core::Error> bad_item(std::string path, std::string reason) {
  return core::refuse(Code::kInvalidInput, std::move(reason), std::move(path));
}

/// An item of an argument list that is an object.
struct Branch {
  std::string_view condition;  ///< the name in `if` or `each`
  bool is_each = false;
  json::array const* then = nullptr;
  json::array const* otherwise = nullptr;
};

Result<Branch> read_branch(json::object const& item, std::string const& path) {
  Branch branch;
  for (auto const& [key, value] : item) {
    if ((key == "if" || key == "each") && value.is_string() && branch.condition.empty()) {
      branch.condition = view(value.get_string());
      branch.is_each = key == "each";
    } else if (key == "then" && value.is_array()) {
      branch.then = &value.get_array();
    } else if (key == "else" && value.is_array()) {
      branch.otherwise = &value.get_array();
    } else {
      return bad_item(path + "/" + std::string{key.data(), key.size()}, "is not expected here");
    }
  }
  if (branch.condition.empty() || !branch.then)
    return bad_item(path, "must be a text, {\"if\",\"then\",\"else\"} or {\"each\",\"then\"}");
  if (branch.is_each && branch.otherwise) return bad_item(path + "/else", "does not go with \"each\"");
  auto const known = branch.is_each ? is_known_list(branch.condition)
                                    : is_known_text(branch.condition) || is_known_list(branch.condition);
  if (!known) return bad_item(path, "there is no variable \"" + std::string{branch.condition} + "\"");
  return branch;
}

template <class Items>
Result<void> check_items(Items const& items, std::string const& above, bool inside_each) {
  std::size_t index = 0;
  for (json::value const& item : items) {
    auto const path = above + (above.empty() ? "" : "/") + std::to_string(index++);
    if (auto const* text = item.if_string()) {
      ANDON_CHECK(split(
          view(*text), [](std::string_view) {},
          [&](std::string_view name) -> Result<void> {
            if (is_known_text(name) || (inside_each && name == kItemPlaceholder)) return {};
            return bad_item(path, "there is no variable \"" + std::string{name} + "\"");
          }));
      continue;
    }
    auto const* object = item.if_object();
    if (!object) return bad_item(path, "must be a text, {\"if\",\"then\",\"else\"} or {\"each\",\"then\"}");
    ANDON_TRY(auto const branch, read_branch(*object, path));
    ANDON_CHECK(check_items(*branch.then, path + "/then", inside_each || branch.is_each));
    if (branch.otherwise) ANDON_CHECK(check_items(*branch.otherwise, path + "/else", inside_each));
  }
  return {};
}

template <class Items>
Result<void> fill_items(Items const& items, Variables const& variables, std::vector<std::string>& out) {
  for (json::value const& item : items) {
    if (auto const* text = item.if_string()) {
      ANDON_TRY(auto argument, fill(view(*text), variables));
      out.push_back(std::move(argument));
      continue;
    }
    if (!item.is_object()) return bad_item({}, "an argument must be a text or a branch");
    ANDON_TRY(auto const branch, read_branch(item.get_object(), {}));
    if (!branch.is_each) {
      auto const* chosen = variables.is_set(branch.condition) ? branch.then : branch.otherwise;
      if (chosen) ANDON_CHECK(fill_items(*chosen, variables, out));
      continue;
    }
    auto const list = variables.lists.find(branch.condition);
    if (list == variables.lists.end()) continue;
    for (auto const& element : list->second) {
      auto inner = variables;
      inner.texts[std::string{kItemPlaceholder}] = element;
      ANDON_CHECK(fill_items(*branch.then, inner, out));
    }
  }
  return {};
}

}  // namespace

bool Variables::is_set(std::string_view name) const {
  if (auto const text = texts.find(name); text != texts.end()) return !text->second.empty();
  auto const list = lists.find(name);
  return list != lists.end() && !list->second.empty();
}

bool is_known_text(std::string_view name) {
  return std::ranges::find(kTextPlaceholders, name) != kTextPlaceholders.end();
}
bool is_known_list(std::string_view name) { return std::ranges::find(kLists, name) != kLists.end(); }

Result<std::string> fill(std::string_view text, Variables const& variables) {
  std::string out;
  ANDON_CHECK(split(
      text, [&](std::string_view part) { out += part; },
      [&](std::string_view name) -> Result<void> {
        auto const found = variables.texts.find(name);
        if (found != variables.texts.end()) {
          out += found->second;
          return {};
        }
        if (is_known_text(name)) return {};
        return bad_item({}, "there is no variable \"" + std::string{name} + "\"");
      }));
  return out;
}

Result<json::value> fill_json(json::value const& value, Variables const& variables) {
  if (auto const* text = value.if_string()) {
    ANDON_TRY(auto const filled, fill(view(*text), variables));
    return json::value(filled);
  }
  if (auto const* list = value.if_array()) {
    json::array out;
    for (auto const& item : *list) {
      ANDON_TRY(auto filled, fill_json(item, variables));
      out.push_back(std::move(filled));
    }
    return json::value(std::move(out));
  }
  if (auto const* object = value.if_object()) {
    json::object out;
    for (auto const& [key, item] : *object) {
      ANDON_TRY(auto filled, fill_json(item, variables));
      out.emplace(key, std::move(filled));
    }
    return json::value(std::move(out));
  }
  return value;
}

Result<std::vector<std::string>> fill_arguments(std::vector<json::value> const& items,
                                                Variables const& variables) {
  std::vector<std::string> out;
  ANDON_CHECK(fill_items(items, variables, out));
  return out;
}

Result<void> check_arguments(std::vector<json::value> const& items) { return check_items(items, {}, false); }

}  // namespace andon::runner
