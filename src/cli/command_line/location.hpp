#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <variant>

#include "cli/command_line/environment.hpp"

namespace andon::cli {

/// A server elsewhere, or the one a run belongs to.
struct Server {
  std::string url;  ///< empty when only the socket is known
  std::string token;
  std::filesystem::path socket;  ///< asked when the address does not answer; empty for none
};

/// A directory with a store, which a server may be serving at this moment.
struct DataDirectory {
  std::filesystem::path root;
  std::string store{};  ///< the URL of the database that was chosen; empty for the one of its settings
};

/// A board of Markdown files.
struct BoardDirectory {
  std::filesystem::path root;
  /// For a board in a linked work tree of git: the directory of the same board in the main checkout. Empty
  /// for others.
  std::filesystem::path original{};
};

using Location = std::variant<Server, DataDirectory, BoardDirectory>;

/// The place that the command line chooses.
struct Chosen {
  std::optional<std::string> server;
  std::optional<std::string> token;
  std::optional<std::string> dir;
  std::optional<std::string> store{};
};

/// Finds the board of a command: `--server`, `--dir`, `ANDON_URL`, `ANDON_DIR`, the nearest board upwards
/// from the working directory, the user's data directory. With `--store` or `ANDON_STORE` it is that
/// database, and the directory only holds what belongs to this machine. It need not exist yet. Called as
/// `kanban-md` there are only boards of Markdown files, and none is a refusal.
core::Result<Location> locate(Chosen const& chosen, Environment const& env);

/// Whether the directory is a board of Markdown files.
bool holds_board(std::filesystem::path const& root);
/// Whether there is anything in a data directory.
bool holds_data(std::filesystem::path const& root);

}  // namespace andon::cli
