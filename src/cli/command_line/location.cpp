#include "cli/command_line/location.hpp"

#include <array>
#include <chrono>
#include <thread>

#include "cli/command_line/work_tree.hpp"
#include "os/data/data_directory.hpp"
#include "os/files/file.hpp"
#include "os/system_error.hpp"

namespace andon::cli {
namespace {

namespace fs = std::filesystem;
using core::Code;
using core::Result;

constexpr std::size_t kLongestConfig = 1 << 20;
constexpr std::string_view kKanbanMd = "kanban-md";

/// Whether the file is the configuration of a Markdown board and not just any `config.yml`.
bool is_markdown_board(fs::path const& config) {
  try {
    auto const text = os::read_file_if_there(config, kLongestConfig);
    return text && (text->starts_with("statuses:") || text->contains("\nstatuses:"));
  } catch (os::SystemError const&) {
    return false;
  }
}

/// Looks again for a moment at a directory that was a board, because git removes a file before it writes it
/// again.
bool still_holds_board(fs::path const& root) {
  constexpr int kLooks = 20;
  for (int left = kLooks; !holds_board(root); --left) {
    std::error_code unreadable;
    if (left == 0 || !fs::is_directory(root / ".andon/new", unreadable)) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds{10});
  }
  return true;
}

Result<Location> in_directory(std::string const& text, Environment const& env) {
  auto const path = (env.directory / text).lexically_normal();
  if (still_holds_board(path)) return BoardDirectory{path};
  bool const is_above = env.program != kKanbanMd && !holds_data(path) && holds_board(path / "kanban");
  if (is_above) return BoardDirectory{path / "kanban"};
  if (env.program != kKanbanMd) return DataDirectory{path, {}};
  return core::refuse(Code::kInternalError, "no kanban board found in " + path.native());
}

BoardDirectory found(fs::path root) {
  auto const main = in_main_checkout(root);
  return {std::move(root), main && holds_board(*main) ? *main : fs::path{}};
}

/// The nearest board at or above the working directory. A folder called `kanban` is taken by its name.
std::optional<Location> upwards(Environment const& env) {
  bool const any_settings = env.program == kKanbanMd;
  for (auto level = env.directory;; level = level.parent_path()) {
    if (still_holds_board(level / "kanban")) return found(level / "kanban");
    if (any_settings ? still_holds_board(level) : is_markdown_board(level / "config.yml"))
      return found(level);
    if (!any_settings && holds_data(level / ".andon")) return DataDirectory{level / ".andon", {}};
    if (!level.has_relative_path()) return std::nullopt;
  }
}

fs::path user_data(Environment const& env) {
  if (auto const home = env.variable("ANDON_HOME"); !home.empty()) return env.directory / home;
  if (fs::path const data = env.variable("XDG_DATA_HOME"); data.is_absolute()) return data / "andon";
  return fs::path{env.variable("HOME")} / ".local/share/andon";
}

/// A directory that the caller named, with the database that was chosen by other means. A board of files
/// needs none.
Result<Location> in_directory(std::string const& text, std::string const& store, Environment const& env) {
  ANDON_TRY(auto place, in_directory(text, env));
  if (auto* data = std::get_if<DataDirectory>(&place)) data->store = store;
  return place;
}

}  // namespace

bool holds_board(fs::path const& root) {
  std::error_code unreadable;
  return fs::is_regular_file(root / "config.yml", unreadable);
}

bool holds_data(fs::path const& root) {
  auto const data = os::data_directory(root);
  for (auto const& file : {data.db, data.settings, data.store, data.socket}) {
    std::error_code unreadable;
    if (fs::exists(file, unreadable)) return true;
  }
  return false;
}

Result<Location> locate(Chosen const& chosen, Environment const& env) {
  if (env.program == kKanbanMd) {
    if (chosen.dir && !chosen.dir->empty()) return in_directory(*chosen.dir, env);
    if (auto const nearest = upwards(env)) return *nearest;
    return core::refuse(Code::kBoardNotFound,
                        "no kanban board found here or above; make one with: kanban-md init");
  }
  auto const token = chosen.token.value_or(env.variable("ANDON_TOKEN"));
  if (chosen.server) return Server{*chosen.server, token, {}};
  auto const store = chosen.store.value_or(env.variable("ANDON_STORE"));
  if (chosen.dir) return in_directory(*chosen.dir, store, env);
  auto const url = env.variable("ANDON_URL");
  auto const socket = env.variable("ANDON_SOCKET");
  if (!chosen.store && (!url.empty() || !socket.empty())) return Server{url, token, socket};
  if (auto const dir = env.variable("ANDON_DIR"); !dir.empty()) return in_directory(dir, store, env);
  if (!store.empty()) return DataDirectory{user_data(env), store};
  return upwards(env).value_or(DataDirectory{user_data(env), {}});
}

}  // namespace andon::cli
