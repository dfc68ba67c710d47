#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <istream>
#include <map>
#include <memory>
#include <ostream>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "api/executor.hpp"
#include "api/transport.hpp"
#include "os/processes/clock.hpp"

namespace andon::cli {

struct NamedCommand;

/// A server's origin (`http://127.0.0.1:7420`) or the path of a Unix socket.
using Address = std::variant<std::string, std::filesystem::path>;

/// The ways to a board that `main` brings.
struct Openers {
  /// A way to a server. Nothing need be sent yet; an address that cannot be understood is refused.
  std::function<core::Result<std::unique_ptr<api::Transport>>(Address const&)> transport;
  /// Opens the store of a data directory, made when it is not there, and answers from it; refuses `BUSY` when
  /// another process holds it. An empty URL means the database of the directory's settings.
  std::function<core::Result<std::unique_ptr<api::Executor>>(std::filesystem::path const& data,
                                                             std::string const& store_url)>
      store;
  /// Opens a directory as a board of Markdown files, which it need not be yet. Others may have it open too.
  std::function<core::Result<std::unique_ptr<api::Executor>>(std::filesystem::path const& board)> board;
  /// A store that is empty and kept nowhere, for what only shows what it would do.
  std::function<std::unique_ptr<api::Executor>()> nothing;
};

/// A library of the program.
struct LinkedLibrary {
  std::string name;
  std::string version;    ///< empty where it is not known
  std::string_view kind;  ///< static: in the program; shared: of the system; loaded: likewise, when needed
  std::string system;     ///< of one in the program: the newer version that the system has; empty for none
};

using Variables = std::map<std::string, std::string, std::less<>>;

/// Everything of the world that a command may touch. Streams and clock are not owned.
struct Environment {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
  os::Clock const& clock;
  Variables variables{};
  bool in_is_terminal = false;
  bool out_is_terminal = false;
  std::filesystem::path directory{};  ///< working directory
  std::string program = "andon";      ///< name it was called by
  std::string version = "dev";
  Openers open{};
  /// Waits that long; says no when the program is to end. Nothing to wait with means no.
  std::function<bool(std::chrono::milliseconds)> pause{};
  /// From now on the program ends after that time with exit code 0, whatever it does then. Nothing in tests.
  std::function<void(std::chrono::milliseconds)> end_after{};
  /// The mistakes in the settings of the bridge to a messenger in a data directory, with their remedies.
  std::function<std::vector<std::string>(std::filesystem::path const& data)> bridge_mistakes{};
  /// The libraries of the program; asks the system which it has newer.
  std::function<std::vector<LinkedLibrary>()> libraries{};
  std::span<NamedCommand const> commands{};  ///< those that are no operations, brought by `main`

  /// Called by the name of the program whose boards and commands it shares: Andon's own variables mean
  /// nothing then.
  bool is_kanban_md() const { return program == "kanban-md"; }

  /// The value of a variable, empty when it is not set.
  std::string variable(std::string_view name) const {
    if (is_kanban_md() && name.starts_with("ANDON_")) return {};
    auto const found = variables.find(name);
    return found == variables.end() ? std::string{} : found->second;
  }
};

}  // namespace andon::cli
