#include "cli/location.hpp"

#include <array>

#include "os/data_directory.hpp"
#include "os/file.hpp"
#include "os/system_error.hpp"

namespace andon::cli {
namespace {

namespace fs = std::filesystem;
using core::Code;
using core::Result;

constexpr std::size_t kLongestConfig = 1 << 20;

/// Whether the file is the configuration of a Markdown board and not just any `config.yml`.
bool is_markdown_board(fs::path const& config) {
  try {
    auto const text = os::read_file_if_there(config, kLongestConfig);
    return text && (text->starts_with("statuses:") || text->contains("\nstatuses:"));
  } catch (os::SystemError const&) {
    return false;
  }
}

std::unexpected<core::Error> markdown_refusal(fs::path const& board) {
  return core::refuse(Code::kInvalidInput,
                      board.native() +
                          " is a board of Markdown files, which this version does not open; "
                          "use --dir or --server to name another board");
}

Result<Location> in_directory(std::string const& text, Environment const& env) {
  auto const path = (env.directory / text).lexically_normal();
  if (is_markdown_board(path / "config.yml")) return markdown_refusal(path);
  return DataDirectory{path};
}

/// The nearest board at or above the working directory.
Result<std::optional<Location>> upwards(Environment const& env) {
  for (auto level = env.directory;; level = level.parent_path()) {
    for (auto const& board : {level / "kanban", level})
      if (is_markdown_board(board / "config.yml")) return markdown_refusal(board);
    if (holds_data(level / ".andon")) return DataDirectory{level / ".andon"};
    if (!level.has_relative_path()) return std::nullopt;
  }
}

fs::path user_data(Environment const& env) {
  if (auto const home = env.variable("ANDON_HOME"); !home.empty()) return env.directory / home;
  if (fs::path const data = env.variable("XDG_DATA_HOME"); data.is_absolute()) return data / "andon";
  return fs::path{env.variable("HOME")} / ".local/share/andon";
}

}  // namespace

bool holds_data(fs::path const& root) {
  auto const data = os::data_directory(root);
  for (auto const& file : {data.db, data.settings, data.socket}) {
    std::error_code unreadable;
    if (fs::exists(file, unreadable)) return true;
  }
  return false;
}

Result<Location> locate(Chosen const& chosen, Environment const& env) {
  auto const token = chosen.token.value_or(env.variable("ANDON_TOKEN"));
  if (chosen.server) return Server{*chosen.server, token, {}};
  if (chosen.dir) return in_directory(*chosen.dir, env);
  auto const url = env.variable("ANDON_URL");
  auto const socket = env.variable("ANDON_SOCKET");
  if (!url.empty() || !socket.empty()) return Server{url, token, socket};
  if (auto const dir = env.variable("ANDON_DIR"); !dir.empty()) return in_directory(dir, env);
  ANDON_TRY(auto const nearest, upwards(env));
  return nearest.value_or(DataDirectory{user_data(env)});
}

}  // namespace andon::cli
