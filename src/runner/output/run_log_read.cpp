#include <algorithm>
#include <charconv>
#include <fcntl.h>

#include "os/system_error.hpp"
#include "reflect/json.hpp"
#include "runner/output/log_parts.hpp"
#include "runner/output/readable.hpp"
#include "runner/output/run_log.hpp"

namespace andon::runner {
namespace {

constexpr std::size_t kTail = 64U << 10U;

std::uint64_t offset_of(std::string_view cursor) {
  std::uint64_t offset = 0;
  std::from_chars(cursor.data(), cursor.data() + cursor.size(), offset);
  return offset;
}

/// Reads bytes of one part from an offset within it; fewer when the part was deleted meanwhile.
std::string read_part(LogPart const& part, std::uint64_t from, std::size_t bytes) {
  os::Descriptor const file{::open(part.path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)};
  std::string content(std::min<std::uint64_t>(bytes, part.size - from), '\0');
  if (!file) return {};
  auto const n = ::pread(file.get(), content.data(), content.size(), static_cast<off_t>(from));
  content.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  return content;
}

/// Parses the complete lines of the text; returns their size in bytes.
std::size_t take_lines(std::string_view text, std::vector<LogItem>& items) {
  std::size_t used = 0;
  while (true) {
    auto const end = text.find('\n', used);
    if (end == std::string_view::npos) return used;
    if (auto item = reflect::read_json<LogItem>(text.substr(used, end - used), reflect::Unknown::ignore))
      items.push_back(*std::move(item));
    used = end + 1;
  }
}

LogItem gap(std::uint64_t bytes) {
  return {{}, std::string{stream::kAndon}, "… " + std::to_string(bytes) + " bytes of output were dropped …"};
}

/// Gives each gap the time of the line after it.
void date_gaps(std::vector<LogItem>& items) {
  for (std::size_t i = 0; i + 1 < items.size(); ++i)
    if (items[i].at == core::Instant{}) items[i].at = items[i + 1].at;
}

}  // namespace

LogPage read_log(std::filesystem::path const& run_dir, std::string_view cursor, std::size_t max_bytes) {
  LogPage page;
  auto offset = offset_of(cursor);
  std::size_t left = max_bytes;
  for (auto const& part : log_parts(run_dir)) {
    if (part.end() <= offset) continue;
    if (left == 0) {
      page.more = true;
      break;
    }
    if (part.begin > offset) {
      page.items.push_back(gap(part.begin - offset));
      offset = part.begin;
    }
    // A line is at most about 100 KiB of JSON, so a page of this size always advances.
    constexpr std::size_t kLongestLine = 128U << 10U;
    auto const text = read_part(part, offset - part.begin, std::max(left, kLongestLine));
    auto const used = take_lines(
        std::string_view{text}.substr(0, std::max(text.rfind('\n', left) + 1, text.find('\n') + 1)),
        page.items);
    offset += used;
    left -= std::min(left, used);
    if (offset < part.end() && used > 0) {
      page.more = true;
      break;
    }
  }
  date_gaps(page.items);
  page.next = std::to_string(offset);
  return page;
}

std::string last_line(std::filesystem::path const& run_dir) {
  auto const parts = log_parts(run_dir);
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
    auto const from = part->size > kTail ? part->size - kTail : 0;
    auto const text = read_part(*part, from, kTail);
    std::vector<LogItem> items;
    take_lines(text, items);
    for (auto item = items.rbegin(); item != items.rend(); ++item)
      if (item->stream != stream::kRaw && item->text.find_first_not_of(" \t") != std::string::npos)
        return item->text;
  }
  return {};
}

}  // namespace andon::runner
