#include "os/data/data_directory.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <pwd.h>
#include <ranges>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

#include "os/digest.hpp"
#include "os/files/file.hpp"
#include "os/system_error.hpp"

namespace andon::os {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestSocketPath = 107;  // sizeof(sockaddr_un::sun_path) without the final zero

fs::path home() {
  if (auto from_variable = path_variable("HOME"); !from_variable.empty()) return from_variable;
  auto const* entry = ::getpwuid(::geteuid());
  if (!entry) fail("find the home directory of user", std::to_string(::geteuid()));
  return entry->pw_dir;
}

fs::path pointer(fs::path const& root) { return root / "andon.sock.path"; }

bool is_ours(fs::path const& directory) {
  struct stat about{};
  return ::lstat(directory.c_str(), &about) == 0 && S_ISDIR(about.st_mode) && about.st_uid == ::geteuid() &&
         (about.st_mode & 0077U) == 0;
}

/// A directory that only this user can enter. Its name derives from the data directory, so that each call
/// finds it again.
fs::path short_directory(fs::path const& root) {
  auto const name = "andon-" + hex(sha256(fs::absolute(root).native())).substr(0, 16);
  for (auto const& above : {path_variable("XDG_RUNTIME_DIR"), fs::path{"/tmp"}}) {
    if (above.empty() || (above / name / "andon.sock").native().size() > kLongestSocketPath) continue;
    auto const directory = above / name;
    if (::mkdir(directory.c_str(), 0700) != 0 && errno != EEXIST) continue;
    if (is_ours(directory)) return directory;
  }
  throw SystemError("make a private directory for the socket of", root.native(), EACCES);
}

constexpr std::string_view kStoreKey = "store:";

std::string_view trimmed(std::string_view text) {
  auto const first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// The lines of `andon.yml` that say something.
std::vector<std::string> settings_in(fs::path const& file) {
  constexpr std::size_t kLongest = 1U << 20U;
  std::vector<std::string> out;
  auto const text = read_file_if_there(file, kLongest).value_or("");
  for (auto const& line : std::views::split(text, '\n')) {
    auto const words = trimmed({line.begin(), line.end()});
    if (!words.empty() && words.front() != '#' && words != "---") out.emplace_back(words);
  }
  return out;
}

/// The value of a line of YAML without its quotes and the blanks around it.
std::string plain_value(std::string_view text) {
  text = trimmed(text);
  bool const is_quoted =
      text.size() >= 2 && text.front() == text.back() && (text[0] == '"' || text[0] == '\'');
  return std::string{is_quoted ? text.substr(1, text.size() - 2) : text};
}

bool is_open_to_others(fs::path const& file) {
  struct stat about{};
  return ::stat(file.c_str(), &about) == 0 && (about.st_mode & 0077U) != 0;
}

}  // namespace

fs::path path_variable(char const* name) {
  char const* value = std::getenv(name);
  return value ? fs::path{value} : fs::path{};
}

std::string store_of(fs::path const& root, std::string const& chosen) {
  if (!chosen.empty()) return chosen;
  auto const file = data_directory(root).settings;
  for (auto const& line : settings_in(file)) {
    if (!line.starts_with(kStoreKey)) continue;
    if (is_open_to_others(file))
      throw SystemError("use the store URL of", file.native() + " while other users may read it (chmod 600)",
                        EACCES);
    return plain_value(std::string_view{line}.substr(kStoreKey.size()));
  }
  return {};
}

std::optional<std::string> missing_store(DataDirectory const& data, std::string const& chosen) {
  constexpr std::size_t kLongest = 4096;
  if (!store_of(data.root, chosen).empty() || fs::exists(data.db)) return std::nullopt;
  auto const noted = read_file_if_there(data.store, kLongest);
  if (!noted) return std::nullopt;
  return data.root.native() + " is used with the database " + *noted +
         "; name it with --store, ANDON_STORE or \"store:\" in " + data.settings.native();
}

bool uses_postgres(fs::path const& root, std::string const& chosen) try {
  return store_of(root, chosen).starts_with("postgres");
} catch (SystemError const&) {
  return false;
}

std::optional<std::string> unread_settings(fs::path const& root) try {
  auto const file = data_directory(root).settings;
  auto const lines = settings_in(file);
  auto const unread =
      std::ranges::find_if(lines, [](std::string const& line) { return !line.starts_with(kStoreKey); });
  if (unread == lines.end()) return std::nullopt;
  return file.native() +
         " holds settings, and none of them but \"store\" has any effect: they are given to `andon serve` as "
         "flags; remove the others";
} catch (SystemError const& error) {
  return error.what();
}

fs::path default_data_root() {
  if (auto chosen = path_variable("ANDON_HOME"); !chosen.empty()) return chosen;
  if (auto data = path_variable("XDG_DATA_HOME"); data.is_absolute()) return data / "andon";
  return home() / ".local/share/andon";
}

DataDirectory data_directory(fs::path const& root) {
  return {root,           root / "andon.yml", root / "andon.db", root / "store",
          root / "token", socket_path(root),  root / "agents",   root / "commands.yml",
          root / "work",  root / "logs"};
}

fs::path shared_runtime_directory() {
  auto const user = std::to_string(::geteuid());
  std::vector<fs::path> places;
  if (auto const above = path_variable("XDG_RUNTIME_DIR"); above.is_absolute())
    places.push_back(above / "andon");
  places.push_back(fs::path{"/run/user"} / user / "andon");
  places.push_back("/tmp/andon-" + user);
  for (auto const& place : places) {
    ::mkdir(place.c_str(), 0700);
    if (is_ours(place)) return place;
  }
  return {};
}

void make_directories(DataDirectory const& data) {
  for (auto const& directory : {data.root, data.agents, data.work, data.runs(), data.logs})
    make_private_directory(directory);
}

fs::path socket_path(fs::path const& root) {
  auto plain = root / "andon.sock";
  if (plain.native().size() <= kLongestSocketPath) return plain;
  auto target = read_file_if_there(pointer(root), kLongestSocketPath + 1);
  if (!target) return plain;
  while (target->ends_with('\n')) target->pop_back();
  return *target;
}

fs::path prepare_socket_path(fs::path const& root) {
  auto plain = root / "andon.sock";
  if (plain.native().size() <= kLongestSocketPath) return plain;
  auto chosen = short_directory(root) / "andon.sock";
  write_file(pointer(root), chosen.native() + "\n", 0600);
  return chosen;
}

}  // namespace andon::os
