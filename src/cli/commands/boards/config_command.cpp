#include <charconv>
#include <map>

#include "cli/command_line/invocation.hpp"
#include "cli/command_line/named_commands.hpp"
#include "cli/command_line/safe_text.hpp"
#include "cli/command_line/settings.hpp"
#include "os/files/file.hpp"
#include "os/system_error.hpp"
#include "service/boards/boards.hpp"
#include "service/tasks/tasks.hpp"
#include "store/markdown/yaml/settings_file.hpp"

namespace andon::cli {
namespace {

namespace json = boost::json;
using core::Result;

constexpr std::size_t kKeyCells = 20;

constexpr std::size_t kLongestSettingsFile = 1U << 20U;

/// Adds the settings that only the file of a board of files holds.
Result<void> add_from_file(std::filesystem::path const& path, Settings& out) try {
  using store::markdown::SettingsFile;
  ANDON_TRY(auto const file, SettingsFile::parse(os::read_file(path, kLongestSettingsFile), path.native()));
  out.tasks_dir = file.word({"tasks_dir"});
  auto const next = file.word({"next_id"});
  std::from_chars(next.data(), next.data() + next.size(), out.next_id);
  return {};
} catch (os::SystemError const& error) {
  return core::refuse(core::Code::kInternalError, error.what());
}

Result<void> add_next_id(Invocation& in, Settings& out) {
  ANDON_TRY(auto const last, in.call<&service::list_tasks>(
                                 {{"archived", true}, {"sort", "id"}, {"reverse", true}, {"limit", 1}}));
  auto const& tasks = last.at("items").as_array();
  out.next_id = tasks.empty() ? 1 : tasks.front().at("id").to_number<std::int64_t>() + 1;
  return {};
}

Result<Settings> read_settings(Invocation& in) {
  Settings out;
  ANDON_TRY(auto const name, in.board_or_first());
  ANDON_TRY(auto const board, in.call<&service::get_board>({{"board", name}}));
  ANDON_SET(out.board, answer_as<core::Board>(board));
  ANDON_TRY(auto const location, in.location());
  auto const* folder = std::get_if<BoardDirectory>(&location);
  ANDON_CHECK(folder ? add_from_file(folder->root / "config.yml", out) : add_next_id(in, out));
  return out;
}

Result<void> check_words(Invocation const& in, std::size_t wanted) {
  auto const given = in.given().words.size();
  if (given == wanted) return {};
  return misuse("accepts " + std::to_string(wanted) + " arg(s), received " + std::to_string(given));
}

/// A map has no order of its own, so scripts get its keys in that of the alphabet.
json::object sorted(json::object const& map) {
  std::map<std::string, json::value> in_order;
  for (auto const& [key, value] : map) in_order.emplace(std::string{key.data(), key.size()}, value);
  json::object out;
  for (auto& [key, value] : in_order) out[key] = std::move(value);
  return out;
}

/// A value on a line of its own.
std::string shown_setting(json::value const& value) { return many_lines(setting_text(value)); }

}  // namespace

Result<int> run_config(Invocation& in) {
  ANDON_CHECK(check_words(in, 0));
  ANDON_TRY(auto const now, read_settings(in));
  json::object all;
  std::string text;
  for (auto const& setting : settings()) {
    auto value = setting.get(now);
    text += padded(std::string{setting.key}, kKeyCells) + " " + shown_setting(value) + "\n";
    all[setting.key] = std::move(value);
  }
  if (in.screen().is_json())
    in.screen().print(sorted(all));
  else
    in.screen().print(text);
  return 0;
}

Result<int> run_config_get(Invocation& in) {
  ANDON_CHECK(check_words(in, 1));
  ANDON_TRY(auto const now, read_settings(in));
  ANDON_TRY(auto const* setting, setting_named(in.given().words[0]));
  auto const value = setting->get(now);
  if (in.screen().is_json())
    in.screen().print(value);
  else
    in.screen().print(shown_setting(value) + "\n");
  return 0;
}

Result<int> run_config_set(Invocation& in) {
  ANDON_CHECK(check_words(in, 2));
  auto const &key = in.given().words[0], &value = in.given().words[1];
  ANDON_TRY(auto before, read_settings(in));
  ANDON_TRY(auto const* setting, setting_named(key));
  if (!setting->change)
    return core::refuse(core::Code::kInvalidInput, "config key \"" + key + "\" is read-only", "key");
  ANDON_TRY(auto change, setting->change(before, value));
  change["board"] = before.board.name;
  ANDON_TRY(auto const answer, in.call<&service::edit_board>(change));
  ANDON_SET(before.board, answer_as<core::Board>(answer));
  auto now = setting->get(before);
  if (in.screen().is_json())
    in.screen().print(json::object{{"key", key}, {"value", std::move(now)}});
  else
    in.screen().print("Set " + key + " = " + shown_setting(now) + "\n");
  return 0;
}

}  // namespace andon::cli
