#include "store/markdown/attachment.hpp"

#include <algorithm>

#include "core/text/ascii.hpp"
#include "os/system_error.hpp"
#include "store/contract/store_error.hpp"
#include "store/markdown/files/board_folder.hpp"
#include "store/markdown/sync/board_mirror.hpp"
#include "store/markdown/sync/board_parts.hpp"
#include "store/markdown/yaml/board_settings.hpp"

namespace andon::store::markdown {
namespace {

namespace fs = std::filesystem;
using Kind = StoreError::Kind;

constexpr std::size_t kLongestPrefix = 12;

StoreError refused(std::string text) { return {Kind::refused, std::move(text)}; }

bool has_settings(fs::path const& directory) {
  std::error_code unknown;
  return fs::exists(fs::symlink_status(directory / kSettingsName, unknown));
}

fs::path real(fs::path const& given) {
  if (!given.is_absolute())
    throw refused("give the absolute path of the directory, not \"" + given.native() + "\"");
  std::error_code error;
  auto path = fs::canonical(given, error);
  if (error) throw refused("cannot open " + given.native() + ": " + error.message());
  if (!fs::is_directory(path, error)) throw refused(given.native() + " is no directory");
  if (!has_settings(path) && has_settings(path / "kanban")) path = fs::canonical(path / "kanban", error);
  if (error || !has_settings(path))
    throw refused("no kanban board found in " + given.native() + "; make one there with: andon init");
  return path;
}

/// Whether one directory lies in the other. Both paths are real, so they contain no `..` and no links.
bool lies_in(fs::path const& inner, fs::path const& outer) {
  auto const [rest, unused] = std::ranges::mismatch(outer, inner);
  return rest == outer.end();
}

std::string prefix_of(std::string_view name) {
  std::string out;
  for (char const c : name) {
    bool const letter = core::is_ascii_letter(c);
    if (letter || (core::is_ascii_digit(c) && !out.empty()))
      out += c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
  }
  out.resize(std::min(out.size(), kLongestPrefix));
  return out.empty() ? "B" : out;
}

core::Board settings_in(fs::path const& directory) try {
  auto const read = read_settings(BoardFolder{directory});
  if (!read)
    throw refused("no kanban board found in " + directory.native() + "; make one there with: andon init");
  return board_in(read->file);
} catch (os::SystemError const& error) {
  throw refused(error.what());
} catch (StoreError const& error) {
  throw refused(directory.native() + ": " + error.what());
}

}  // namespace

core::Board attachment(core::Board given, fs::path const& data) {
  auto const directory = real(given.directory);
  std::error_code no_data;
  auto const own = data.empty() ? data : fs::canonical(data, no_data);
  if (!own.empty() && lies_in(directory, own))
    throw refused(directory.native() + " is inside the data directory of this server");
  auto const settings = settings_in(directory);
  auto board = std::move(given);
  board.directory = directory.native();
  if (board.name.empty()) board.name = settings.name;
  if (board.prefix.empty()) board.prefix = settings.prefix.empty() ? prefix_of(board.name) : settings.prefix;
  board.template_ = settings.template_;
  take_file_part(board, settings);
  return board;
}

void check_still_there(fs::path const& directory) {
  std::error_code error;
  auto const path = fs::canonical(directory, error);
  if (error) throw StoreError{Kind::unreachable, directory.native() + ": " + error.message()};
  if (path != directory)
    throw StoreError{Kind::unreachable, directory.native() + " leads to " + path.native() + " now"};
  if (!has_settings(directory))
    throw StoreError{Kind::unreachable, (directory / kSettingsName).native() + " is gone"};
}

}  // namespace andon::store::markdown
