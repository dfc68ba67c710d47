#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace andon::os {

/// Where everything of one installation lies.
struct DataDirectory {
  std::filesystem::path root;
  std::filesystem::path settings;  ///< andon.yml; marks the directory, its content is not read
  std::filesystem::path db;        ///< andon.db
  std::filesystem::path token;     ///< the local admin token, 0600
  std::filesystem::path socket;    ///< see `socket_path`
  std::filesystem::path agents;    ///< the administrator's agent profiles
  std::filesystem::path work;      ///< runs and workspaces
  std::filesystem::path logs;

  std::filesystem::path runs() const { return work / "runs"; }
};

/// The layout beneath a directory, which need not exist yet.
DataDirectory data_directory(std::filesystem::path const& root);

/// The sentence for people when `andon.yml` holds settings: there are none that this program reads.
std::optional<std::string> unread_settings(std::filesystem::path const& root);

/// `$ANDON_HOME`, else `$XDG_DATA_HOME/andon`, else `~/.local/share/andon`.
std::filesystem::path default_data_root();

/// Makes the private directories that are missing.
void make_directories(DataDirectory const& data);

/// Where the Unix socket of a data directory is: `<root>/andon.sock`, or, where that is longer than the 107
/// bytes the kernel takes, what `<root>/andon.sock.path` points to.
std::filesystem::path socket_path(std::filesystem::path const& root);
/// The same for the server: chooses a short private directory and writes the pointer where one is needed.
std::filesystem::path prepare_socket_path(std::filesystem::path const& root);

}  // namespace andon::os
