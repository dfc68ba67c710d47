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

/// Functions that the check, the reader and the writer of board settings share.
namespace andon::store::markdown {

std::optional<std::int64_t> number_in(std::string_view text);
/// A duration in Go's notation, which has no days.
std::optional<core::Duration> go_duration(std::string_view text);
/// The text of a key; empty when the key is missing or null.
std::string word_of(reflect::YamlNode const& node, std::string_view key);
/// The name of a status or class, which is a text or a map with a `name`.
std::string name_of(reflect::YamlNode const& item);
std::vector<std::string> names_in(SettingsFile const& file, std::string const& key);
bool contains(std::vector<std::string> const& names, std::string_view name);
std::vector<core::Column> columns_in(SettingsFile const& file);
std::vector<core::ServiceClass> classes_in(SettingsFile const& file);

/// The keys that Andon adds. They form one map under `andon`, so that the codec of boards can read them.
inline constexpr std::array<std::string_view, 13> kOwnKeys{
    "name",           "prefix",        "template",      "workflow", "approval",    "trusted",     "review_by",
    "max_concurrent", "auto_dispatch", "require_brief", "chains",   "stale_after", "silent_after"};
boost::json::object own_part(core::Board const& board);
/// The values of these keys on a board without special settings.
boost::json::object usual_part(core::Board const& board);

}  // namespace andon::store::markdown
