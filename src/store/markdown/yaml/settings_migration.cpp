#include "store/markdown/yaml/settings_migration.hpp"

#include <array>
#include <charconv>

#include "core/boards/column_stages.hpp"
#include "core/text/names.hpp"
#include "store/markdown/yaml/board_settings.hpp"

namespace andon::store::markdown {
namespace {

using core::Result;

std::vector<std::string> status_names(SettingsFile const& file) {
  std::vector<std::string> out;
  auto const* list = file.find({"statuses"});
  if (!list) return out;
  for (auto const& item : list->items) {
    auto const* name = item.find("name");
    out.push_back(name ? name->text : item.text);
  }
  return out;
}

void no_change(SettingsFile&) {}

void add_claims_and_classes(SettingsFile& file) {
  if (!file.find({"claim_timeout"})) file.set({"claim_timeout"}, "1h");
  if (!file.find({"classes"}))
    file.set_lines("classes",
                   "classes:\n    - name: expedite\n      wip_limit: 1\n      bypass_column_wip: true\n"
                   "    - name: fixed-date\n    - name: standard\n    - name: intangible\n");
  if (file.word({"defaults", "class"}).empty()) file.set({"defaults", "class"}, "standard");
}

void add_title_lines(SettingsFile& file) {
  if (!file.find({"tui", "title_lines"})) file.set({"tui", "title_lines"}, "2");
}

void add_age_thresholds(SettingsFile& file) {
  if (!file.find({"tui", "age_thresholds"}))
    file.set({"tui", "age_thresholds"},
             "[{after: 0s, color: \"242\"}, {after: 1h, color: \"34\"}, {after: 24h, color: \"226\"}, "
             "{after: 72h, color: \"208\"}, {after: 168h, color: \"196\"}]");
}

void add_archived(SettingsFile& file) {
  for (auto const& name : status_names(file))
    if (core::same_name(name, "archived")) return;
  std::vector<SettingsFile::Item> items;
  for (std::size_t i = 0; i < status_names(file).size(); ++i) items.push_back({i});
  items.push_back({.text = "archived"});
  file.arrange("statuses", items);
}

void name_statuses(SettingsFile& file) {
  auto const count = status_names(file).size();
  for (std::size_t i = 0; i < count; ++i) file.name_item({"statuses", std::to_string(i)});
}

void hide_durations(SettingsFile& file) {
  auto const names = status_names(file);
  if (names.empty()) return;
  for (std::size_t i = 0; i < names.size(); ++i) {
    bool const hidden = i == 0 || i == core::terminal_column(names) || core::same_name(names[i], "archived");
    Path const path{"statuses", std::to_string(i), "show_duration"};
    if (hidden && !file.find(path)) file.set(path, "false");
  }
}

void widen_titles(SettingsFile& file) {
  if (file.word({"tui", "title_lines"}) == "1") file.set({"tui", "title_lines"}, "2");
}

/// The step at index n leads from version n + 1 to version n + 2.
constexpr std::array kSteps{
    &no_change,     &add_claims_and_classes, &add_title_lines, &add_age_thresholds, &add_archived,
    &name_statuses, &hide_durations,         &widen_titles,    &no_change,          &no_change};
static_assert(kSteps.size() + 1 == kSettingsVersion);

}  // namespace

Result<bool> migrate(SettingsFile& file) {
  auto const text = file.word({"version"});
  int version = 0;
  std::from_chars(text.data(), text.data() + text.size(), version);
  if (version < 1 || version > kSettingsVersion)
    return core::refuse(core::Code::kInvalidInput,
                        "invalid config: version \"" + text + "\" is not one of 1 to " +
                            std::to_string(kSettingsVersion) + ", which this program knows");
  if (version == kSettingsVersion) return false;
  for (; version < kSettingsVersion; ++version) kSteps[static_cast<std::size_t>(version - 1)](file);
  file.set({"version"}, std::to_string(version));
  return true;
}

}  // namespace andon::store::markdown
