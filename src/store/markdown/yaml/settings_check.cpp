#include <algorithm>
#include <set>

#include "store/markdown/files/task_name.hpp"
#include "store/markdown/yaml/board_settings.hpp"
#include "store/markdown/yaml/scalar.hpp"
#include "store/markdown/yaml/settings_parts.hpp"

namespace andon::store::markdown {
namespace {

using core::Code;
using core::Result;

constexpr std::int64_t kHighestLimit = 1'000'000;

bool is_limit(std::string_view text) {
  auto const number = number_in(text).value_or(-1);
  return number >= 0 && number <= kHighestLimit;
}

std::unexpected<core::Error> invalid(std::string const& what) {
  return core::refuse(Code::kInvalidInput, "invalid config: " + what);
}

bool are_distinct(std::vector<std::string> const& names) {
  return std::set<std::string>(names.begin(), names.end()).size() == names.size() &&
         std::ranges::find(names, "") == names.end();
}

Result<void> check_lists(SettingsFile const& file) {
  auto const statuses = names_in(file, "statuses"), priorities = names_in(file, "priorities");
  if (statuses.size() < 2 || !are_distinct(statuses))
    return invalid("at least 2 statuses with names of their own are needed");
  if (priorities.empty() || !are_distinct(priorities))
    return invalid("at least 1 priority is needed, each once");
  if (auto const status = file.word({"defaults", "status"}); !contains(statuses, status))
    return invalid("invalid default status \"" + status + "\"");
  if (auto const priority = file.word({"defaults", "priority"}); !contains(priorities, priority))
    return invalid("invalid default priority \"" + priority + "\"");
  if (auto const* limits = file.find({"wip_limits"}))
    for (auto const& limit : limits->entries) {
      if (!contains(statuses, limit.key))
        return invalid("wip_limits names the unknown status \"" + limit.key + "\"");
      if (!is_yaml_null(limit.value) && !is_limit(limit.value.text))
        return invalid("the limit of \"" + limit.key + "\" is no number from 0");
    }
  return {};
}

Result<void> check_classes(SettingsFile const& file) {
  auto const classes = names_in(file, "classes");
  if (!are_distinct(classes)) return invalid("every class needs a name of its own");
  if (auto const* list = file.find({"classes"}))
    for (auto const& item : list->items)
      if (auto const limit = word_of(item, "wip_limit"); !limit.empty() && !is_limit(limit))
        return invalid("the limit of class \"" + name_of(item) + "\" is no number from 0");
  if (auto const given = file.word({"defaults", "class"});
      !given.empty() && !classes.empty() && !contains(classes, given))
    return invalid("invalid default class \"" + given + "\"");
  return {};
}

Result<void> check_flag(std::string const& key, std::string const& word) {
  if (word.empty() || yaml_flag(word)) return {};
  return invalid(key + " must be true or false, found \"" + word + "\"");
}

Result<void> check_flags(SettingsFile const& file) {
  if (auto const* list = file.find({"statuses"}))
    for (auto const& item : list->items)
      for (auto const* key : {"require_claim", "show_duration"})
        ANDON_CHECK(check_flag(key, word_of(item, key)));
  if (auto const* list = file.find({"classes"}))
    for (auto const& item : list->items)
      ANDON_CHECK(check_flag("bypass_column_wip", word_of(item, "bypass_column_wip")));
  return check_flag("tui.hide_empty_columns", file.word({"tui", "hide_empty_columns"}));
}

Result<void> check_page(SettingsFile const& file) {
  if (auto const lines = file.word({"tui", "title_lines"}); !lines.empty()) {
    auto const count = number_in(lines).value_or(0);
    if (count < 1 || count > 3)
      return invalid("tui.title_lines is \"" + lines + "\"; it must be from 1 to 3");
  }
  if (auto const narrow = file.word({"tui", "narrow_threshold"}); !narrow.empty() && !is_limit(narrow))
    return invalid("tui.narrow_threshold must be a number from 0");
  auto const* thresholds = file.find({"tui", "age_thresholds"});
  if (!thresholds) return {};
  for (auto const& item : thresholds->items) {
    if (!go_duration(word_of(item, "after")))
      return invalid("the age threshold \"" + word_of(item, "after") + "\" is no duration");
    if (word_of(item, "color").empty()) return invalid("an age threshold needs a color");
  }
  return {};
}

}  // namespace

Result<void> check_settings(SettingsFile const& file) {
  if (file.word({"version"}) != std::to_string(kSettingsVersion))
    return invalid("version must be " + std::to_string(kSettingsVersion) + ", found \"" +
                   file.word({"version"}) + "\"");
  if (file.word({"board", "name"}).empty()) return invalid("board.name is empty");
  if (file.word({"tasks_dir"}).empty()) return invalid("tasks_dir is empty");
  ANDON_CHECK(check_lists(file));
  ANDON_CHECK(check_classes(file));
  ANDON_CHECK(check_flags(file));
  ANDON_CHECK(check_page(file));
  if (auto const timeout = file.word({"claim_timeout"}); !timeout.empty() && !go_duration(timeout))
    return invalid("invalid claim_timeout \"" + timeout + "\"; write it like 90m or 1h30m");
  if (auto const next = number_in(file.word({"next_id"})).value_or(0); next < 1 || next > kHighestNumber + 1)
    return invalid("next_id must be a number from 1");
  return {};
}

}  // namespace andon::store::markdown
