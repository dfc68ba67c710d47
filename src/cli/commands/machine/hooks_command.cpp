#include <filesystem>

#include "cli/command_line/help.hpp"
#include "cli/command_line/invocation.hpp"
#include "cli/command_line/named_commands.hpp"
#include "cli/commands/machine/hook_settings.hpp"
#include "cli/commands/machine/skill_folders.hpp"
#include "cli/commands/tasks/linked_file.hpp"
#include "cli/views/display_path.hpp"
#include "core/text/names.hpp"
#include "os/files/file.hpp"
#include "os/processes/program.hpp"
#include "os/system_error.hpp"

namespace andon::cli {
namespace {

namespace fs = std::filesystem;
using core::Result;

constexpr std::size_t kLongestSettings = 1U << 20U;
constexpr mode_t kSettingsMode = 0600;

Result<fs::path> settings_file(Invocation const& in) {
  auto const& given = in.given();
  auto const to = given.value("to");
  if (to.has_value() + given.has("user") + given.has("shared") > 1)
    return misuse("--to, --user and --shared exclude each other");
  if (to) return (in.env().directory / *to).lexically_normal();
  auto const root = project_root(in.env());
  if (given.has("shared")) return root / ".claude/settings.json";
  if (!given.has("user")) return root / ".claude/settings.local.json";
  if (fs::path const chosen = in.env().variable("CLAUDE_CONFIG_DIR"); chosen.is_absolute())
    return chosen / "settings.json";
  return fs::path{in.env().variable("HOME")} / ".claude/settings.json";
}

std::string quoted_for_shell(std::string const& text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:@%+=-";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string::npos) return text;
  std::string out = "'";
  for (char const c : text) out += c == '\'' ? std::string{"'\\''"} : std::string(1, c);
  return out + "'";
}

/// The arguments after the event in each command line: the name of the agent and the place of the board.
Result<std::string> arguments_of(Invocation const& in) {
  std::string out;
  for (auto const* name : {"claim", "dir", "server"}) {
    auto value = in.given().value(name);
    if (!value) continue;
    if (value->empty() || core::is_unsafe_line(*value))
      return misuse("\"--" + std::string{name} + "\" must be a text of one line");
    if (name == std::string_view{"dir"}) value = (in.env().directory / *value).lexically_normal().native();
    out.append(" --").append(name).append("=").append(quoted_for_shell(*value));
  }
  return out;
}

Result<std::string> content_of(fs::path const& file) try {
  return os::read_file_if_there(file, kLongestSettings).value_or("");
} catch (os::SystemError const& error) {
  return misuse(error.what());
}

Result<void> replace(fs::path const& file, std::string const& content) try {
  write_through(file, content, kSettingsMode);
  return {};
} catch (os::SystemError const& error) {
  return misuse(error.what());
} catch (fs::filesystem_error const& error) {
  return misuse(error.what());
}

/// The refusal with the name of the file in front.
std::unexpected<core::Error> in_file(core::Error error, std::string const& file) {
  error.message = file + ": " + error.message + "; nothing was written";
  return std::unexpected(std::move(error));
}

void tell_of_path(Invocation& in) {
  if (os::find_program("andon", in.env().variable("PATH"))) return;
  in.screen().tell("Warning: andon is not on the PATH, and the hooks call it by that name");
}

}  // namespace

Result<int> run_hooks(Invocation& in) {
  if (!in.given().words.empty())
    return misuse("unknown command \"" + in.given().words.front() + "\" for \"" + in.env().program +
                  " hooks\"");
  in.screen().print(group_help_text("hooks", in.commands(), in.env()));
  return 0;
}

Result<int> run_hooks_install(Invocation& in) {
  ANDON_TRY(auto const file, settings_file(in));
  ANDON_TRY(auto const arguments, arguments_of(in));
  auto const shown = display_path(project_root(in.env()), file);
  ANDON_TRY(auto const before, content_of(file));
  auto const after = with_hooks(before, arguments);
  if (!after) return in_file(after.error(), shown);
  tell_of_path(in);
  if (*after == before) {
    in.screen().print("The hooks are in " + shown + " already\n");
    return 0;
  }
  ANDON_CHECK(replace(file, *after));
  in.screen().print("Installed the hooks in " + shown + "\n");
  return 0;
}

Result<int> run_hooks_show(Invocation& in) {
  ANDON_TRY(auto const arguments, arguments_of(in));
  in.screen().print(boost::json::object{{"hooks", hook_entries(arguments)}});
  return 0;
}

Result<int> run_hooks_remove(Invocation& in) {
  ANDON_TRY(auto const file, settings_file(in));
  auto const shown = display_path(project_root(in.env()), file);
  ANDON_TRY(auto const before, content_of(file));
  auto const after = without_hooks(before);
  if (!after) return in_file(after.error(), shown);
  if (*after == before) {
    in.screen().print("There are no hooks of Andon in " + shown + "\n");
    return 0;
  }
  ANDON_CHECK(replace(file, *after));
  in.screen().print("Removed the hooks from " + shown + "\n");
  return 0;
}

}  // namespace andon::cli
