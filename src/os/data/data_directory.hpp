#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace andon::os {

/// The path in a variable of the environment; empty without one.
std::filesystem::path path_variable(char const* name);

/// The paths of one installation.
struct DataDirectory {
  std::filesystem::path root;
  std::filesystem::path settings;  ///< andon.yml; marks the directory, see `store_of`
  std::filesystem::path db;        ///< andon.db
  std::filesystem::path store;     ///< names the database that was used instead, without its password
  std::filesystem::path token;     ///< the local admin token, 0600
  std::filesystem::path socket;    ///< see `socket_path`
  std::filesystem::path agents;    ///< the administrator's agent profiles
  std::filesystem::path commands;  ///< commands.yml: what boards may name
  std::filesystem::path work;      ///< runs and workspaces
  std::filesystem::path logs;

  std::filesystem::path runs() const { return work / "runs"; }
  /// Andon's own records of the repositories in which agents work; an absolute path.
  std::filesystem::path repositories() const { return std::filesystem::absolute(root) / "repositories"; }
};

/// The layout beneath a directory, which need not exist yet.
DataDirectory data_directory(std::filesystem::path const& root);

/// The URL of the PostgreSQL database with the boards: the one that was chosen, else `store:` of `andon.yml`.
/// Empty when the boards are in the directory itself. Throws SystemError when others may read the file and so
/// the password in it.
std::string store_of(std::filesystem::path const& root, std::string const& chosen);
/// A sentence for people when the directory was used with a database that is not named now.
std::optional<std::string> missing_store(DataDirectory const& data, std::string const& chosen);
/// True when `store_of` names a PostgreSQL database.
bool uses_postgres(std::filesystem::path const& root, std::string const& chosen);
/// A sentence for people when `andon.yml` holds settings that this program does not read.
std::optional<std::string> unread_settings(std::filesystem::path const& root);

/// `$ANDON_HOME`, else `$XDG_DATA_HOME/andon`, else `~/.local/share/andon`.
std::filesystem::path default_data_root();

/// The directory for passing files that all Andon processes of this user on this machine share, made if
/// needed: `andon` in `$XDG_RUNTIME_DIR` or `/run/user/UID`, or else `/tmp/andon-UID`. Empty where none of
/// them belongs to this user alone.
std::filesystem::path shared_runtime_directory();

/// Makes the private directories that are missing.
void make_directories(DataDirectory const& data);

/// The Unix socket of a data directory: `<root>/andon.sock`. The kernel takes at most 107 bytes; for a longer
/// path it is the path that `<root>/andon.sock.path` contains.
std::filesystem::path socket_path(std::filesystem::path const& root);
/// Like `socket_path`, for the server: makes a short private directory and writes `andon.sock.path` if
/// needed.
std::filesystem::path prepare_socket_path(std::filesystem::path const& root);

}  // namespace andon::os
