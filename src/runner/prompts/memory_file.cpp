#include "runner/prompts/memory_file.hpp"

#include <cerrno>
#include <deque>
#include <fcntl.h>
#include <sys/stat.h>

#include "os/data/file_lock.hpp"
#include "os/files/file.hpp"
#include "os/system_error.hpp"
#include "runner/profiles/document.hpp"

namespace andon::runner {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kListItem = "- ";

/// Formats an entry as a list item, with all its lines indented.
std::string as_item(std::string_view text) {
  while (text.ends_with('\n') || text.ends_with('\r')) text.remove_suffix(1);
  std::string out{kListItem};
  for (char const c : text) {
    if (c == '\r') continue;
    out += c;
    if (c == '\n') out += "  ";
  }
  return out + "\n";
}

/// The position of the next item, at or after a position that begins a line.
std::size_t next_item(std::string_view text, std::size_t from) {
  while (from < text.size() && !text.substr(from).starts_with(kListItem)) {
    auto const end = text.find('\n', from);
    from = end == std::string_view::npos ? text.size() : end + 1;
  }
  return from;
}

/// Opens the directory of a topic and makes it if needed; refuses links.
os::Descriptor open_folder(fs::path const& directory, fs::path const& folder) {
  os::make_private_directory(directory);
  auto at = os::open_directory(directory);
  for (auto const& part : folder) {
    if (::mkdirat(at.get(), part.c_str(), 0700) != 0 && errno != EEXIST)
      os::fail("make the directory", (directory / folder).native());
    at = os::open_beneath(at, part, O_RDONLY | O_DIRECTORY);
  }
  return at;
}

}  // namespace

core::Result<NotedTopic> with_entry(std::string_view topic, service::MemoryEntry const& entry,
                                    std::size_t limit) {
  auto const item = as_item(entry.text);
  std::string text{topic};
  if (!text.empty() && !text.ends_with('\n')) text += '\n';
  NotedTopic out;
  auto const first = next_item(text, 0);
  while (entry.rolls && text.size() + item.size() > limit && first < text.size()) {
    text.erase(first, next_item(text, first + kListItem.size()) - first);
    ++out.dropped;
  }
  if (text.size() + item.size() > limit)
    return core::refuse(core::Code::kInvalidInput,
                        "topic \"" + entry.topic + "\" has no room: it may have " +
                            std::to_string(limit >> 10U) + " KiB; shorten the file first",
                        "topic");
  out.text = std::move(text) + item;
  return out;
}

core::Result<service::MemoryAdded> add_to_file(fs::path const& directory, service::MemoryEntry const& entry) {
  fs::path const topic = entry.topic;
  auto const folder = open_folder(directory, topic.parent_path());
  auto const lock = os::FileLock::take(directory / ".lock");
  auto const before = read_document(directory, topic);
  ANDON_TRY(auto const now, with_entry(before.value_or(""), entry));
  os::write_file("/proc/self/fd/" + std::to_string(folder.get()) + "/" + topic.filename().native(), now.text);
  return service::MemoryAdded{entry.topic, static_cast<std::int64_t>(now.text.size()), now.dropped};
}

}  // namespace andon::runner
