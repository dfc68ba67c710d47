#pragma once

#include <expected>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace andon::runner {

/// One file of a repository's settings.
struct SettingsFile {
  std::vector<std::string> keys;
  std::vector<std::filesystem::path> includes;  ///< also those with a condition
};

/// Whether a key names a file with more settings: `include.path` and `includeIf.CONDITION.path`.
bool is_include(std::string_view key);

/// Parses what `git config --file FILE -z --list` prints. Refuses an include whose place depends on a user.
std::expected<SettingsFile, std::string> parse_settings(std::filesystem::path const& file,
                                                        std::string_view printed);

/// A setting as git writes it into a file. A name between section and key cannot have a line end.
std::string setting_in_file(std::string_view key, std::string_view value);

}  // namespace andon::runner
