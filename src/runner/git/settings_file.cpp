#include "runner/git/settings_file.hpp"

#include <algorithm>

namespace andon::runner {
namespace {

namespace fs = std::filesystem;

/// Git runs without a home directory, so nothing is included from there.
bool is_in_home(std::string_view name) { return name == "~" || name.starts_with("~/"); }

bool depends_on_a_user(std::string_view name) {
  return name.starts_with("%(") || (name.starts_with('~') && !is_in_home(name));
}

std::string quoted_value(std::string_view text) {
  std::string out = "\"";
  for (char const each : text) {
    if (each == '"' || each == '\\') out += '\\';
    out += each == '\n' ? std::string{"\\n"} : std::string{each};
  }
  return out + "\"";
}

}  // namespace

std::string setting_in_file(std::string_view key, std::string_view value) {
  auto const first = key.find('.');
  auto const last = key.rfind('.');
  std::string out = "[" + std::string{key.substr(0, first)};
  if (first != last) out += " " + quoted_value(key.substr(first + 1, last - first - 1));
  return out.append("]\n\t")
      .append(key.substr(last + 1))
      .append(" = ")
      .append(quoted_value(value))
      .append("\n");
}

bool is_include(std::string_view key) {
  return key == "include.path" || (key.starts_with("includeif.") && key.ends_with(".path"));
}

std::expected<SettingsFile, std::string> parse_settings(fs::path const& file, std::string_view printed) {
  SettingsFile out;
  while (!printed.empty()) {
    auto const entry = printed.substr(0, printed.find('\0'));
    printed.remove_prefix(std::min(entry.size() + 1, printed.size()));
    auto const end = std::min(entry.find('\n'), entry.size());  // a key without a value has no line end
    out.keys.emplace_back(entry.substr(0, end));
    if (!is_include(out.keys.back()) || end == entry.size()) continue;
    auto const name = entry.substr(end + 1);
    if (depends_on_a_user(name))
      return std::unexpected(file.native() + " includes " + std::string{name} +
                             "; name that file by its full path, or relative to the settings");
    if (!is_in_home(name)) out.includes.push_back(file.parent_path() / name);
  }
  return out;
}

}  // namespace andon::runner
