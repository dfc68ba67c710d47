#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>

#include "core/model/board.hpp"
#include "store/markdown/yaml/settings_file.hpp"

/// What checking, reading and writing the settings of a board have in common.
namespace andon::store::markdown {

std::optional<std::int64_t> number_in(std::string_view text);
/// Go's notation of a duration, which has no days.
std::optional<core::Duration> go_duration(std::string_view text);
/// The text of a key; empty where there is none, and for null.
std::string word_of(reflect::YamlNode const& node, std::string_view key);
/// A status or class: a text, or a map with a `name`.
std::string name_of(reflect::YamlNode const& item);
std::vector<std::string> names_in(SettingsFile const& file, std::string const& key);
bool contains(std::vector<std::string> const& names, std::string_view name);
std::vector<core::Column> columns_in(SettingsFile const& file);
std::vector<core::ServiceClass> classes_in(SettingsFile const& file);

/// What Andon adds stands as one JSON object under `andon`, so that it can be read with the codec of boards.
inline constexpr std::array<std::string_view, 13> kOwnKeys{
    "name",           "prefix",        "template",      "workflow", "approval",    "trusted",     "review_by",
    "max_concurrent", "auto_dispatch", "require_brief", "chains",   "stale_after", "silent_after"};
boost::json::object own_part(core::Board const& board);
/// What stands there when nothing special is said.
boost::json::object usual_part(core::Board const& board);

}  // namespace andon::store::markdown
