#include "store/markdown/files/reading_record.hpp"

#include <algorithm>
#include <array>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "core/text/ascii.hpp"
#include "os/files/file.hpp"
#include "store/markdown/files/board_folder.hpp"
#include "store/markdown/files/task_name.hpp"

namespace andon::store::markdown {
namespace {

constexpr char kReading[] = "reading";
constexpr char kLeftOut[] = "left-out";
constexpr std::size_t kMostLeftOut = 100;
constexpr std::size_t kLongestLine = 512;
constexpr std::size_t kDigits = 16;

/// The line of a file: 16 digits, a blank, and its name without control characters.
std::string line_of(std::string_view name, std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  auto const digest = static_cast<std::uint64_t>(hash_of(text));
  std::string out;
  for (int shift = 60; shift >= 0; shift -= 4) out += kHex[digest >> static_cast<unsigned>(shift) & 15U];
  out += ' ';
  for (char const c : name) out += static_cast<unsigned char>(c) < ' ' ? '?' : c;
  return out;
}

/// The record may have come with a foreign repository, so only names of a board's own files count.
bool is_line(std::string_view line) {
  if (line.size() <= kDigits + 1 || line.size() > kLongestLine || line[kDigits] != ' ') return false;
  auto const name = line.substr(kDigits + 1);
  return !name.contains('/') && (name == kSettingsName || is_task_name(name)) &&
         line.find_first_not_of("0123456789abcdef") == kDigits;
}

std::vector<std::string> lines_in(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty()) {
    auto const line = text.substr(0, text.find('\n'));
    if (is_line(line)) out.emplace_back(line);
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
  return out;
}

/// Opens the record and takes its lock; nothing while another process has it. A link, another name of some
/// file, and what is no file are passed over.
os::Descriptor open_record(std::filesystem::path const& own) {
  auto file = os::open_beneath(os::open_directory(own), kReading, O_RDWR | O_CREAT | O_NONBLOCK, 0600);
  struct stat about{};
  bool const is_ours = ::fstat(file.get(), &about) == 0 && S_ISREG(about.st_mode) && about.st_nlink == 1;
  if (!is_ours || ::flock(file.get(), LOCK_EX | LOCK_NB) != 0) return os::Descriptor{};
  return file;
}

std::string first_line(os::Descriptor const& file) {
  std::array<char, kLongestLine> bytes{};
  auto const size = ::pread(file.get(), bytes.data(), bytes.size(), 0);
  std::string_view const text{bytes.data(), size > 0 ? static_cast<std::size_t>(size) : 0};
  return std::string{text.substr(0, text.find('\n'))};
}

}  // namespace

LeftOutFiles::LeftOutFiles(Directory const& own) {
  auto const content = own.read(kLeftOut, kMostLeftOut * kLongestLine);
  auto lines = content ? lines_in(content->text) : std::vector<std::string>{};
  std::ranges::sort(lines);
  for (auto at = lines.begin(); (at = std::ranges::adjacent_find(at, lines.end())) != lines.end(); ++at)
    lines_.push_back(*at);
}

bool LeftOutFiles::has(std::string_view name, std::string_view text) const {
  return has_line(line_of(name, text));
}

bool LeftOutFiles::has_line(std::string_view line) const {
  return std::ranges::find(lines_, line) != lines_.end();
}

void EndParsing::operator()(ReadingRecord* record) const noexcept { record->end(); }

core::Result<ParsingOfFile> ReadingRecord::begin(std::string_view name, std::string_view text,
                                                 std::string_view shown) {
  auto line = line_of(name, text);
  if (!is_line(line) || !open()) return ParsingOfFile{};
  auto const deaths = std::ranges::count(suspects_, line);
  if (deaths > 1 && is_left_out(line))
    return core::refuse(
        core::Code::kMalformed,
        std::string{shown} +
            ": the program ended twice while it read this file, so it is left out; change the file, or "
            "remove .andon/left-out and touch the file");
  suspect_ = deaths == 1 ? line : std::string{};
  put(std::move(line) + "\n");
  return ParsingOfFile{this};
}

void ReadingRecord::end() noexcept {
  if (file_) put("\n");
  if (!suspect_.empty()) acquit(std::exchange(suspect_, {}));
}

/// False when no record can be kept.
bool ReadingRecord::open() try {
  if (file_) return true;
  auto opened = own_.on_its_thread(
      [path = own_.path()] { return std::make_shared<os::Descriptor>(open_record(path)); });
  if (!*opened) return false;
  file_ = std::move(opened);
  auto const found = own_.on_its_thread([file = file_] { return first_line(*file); });
  if (auto const known = own_.read(kLeftOut, kMostLeftOut * kLongestLine)) suspects_ = lines_in(known->text);
  if (is_line(found)) suspect(found);
  return true;
} catch (os::SystemError const&) {
  return static_cast<bool>(file_);
}

void ReadingRecord::suspect(std::string const& line) {
  if (suspects_.size() >= kMostLeftOut) suspects_.erase(suspects_.begin());
  suspects_.push_back(line);
  store_suspects();
}

/// A line that stays in the file after an error is tried again by the next process.
void ReadingRecord::acquit(std::string const& line) try {
  std::erase(suspects_, line);
  store_suspects();
} catch (os::SystemError const&) {
  return;
}

void ReadingRecord::store_suspects() {
  std::string text;
  for (auto const& each : suspects_) text += each + "\n";
  is_stored_ = false;
  own_.on_its_thread([path = own_.path() / kLeftOut, text] { os::write_file(path, text); });
  is_stored_ = true;
}

/// Reads the list again, because a person may have taken the line out.
bool ReadingRecord::is_left_out(std::string const& line) const try {
  if (!is_stored_) return true;
  return LeftOutFiles{own_}.has_line(line);
} catch (os::SystemError const&) {
  return true;
}

/// A record that cannot be written is none; the file is parsed all the same.
void ReadingRecord::put(std::string text) noexcept try {
  own_.on_its_thread(
      [file = file_, text = std::move(text)] { return ::pwrite(file->get(), text.data(), text.size(), 0); });
} catch (os::SystemError const&) {
  file_.reset();
}

}  // namespace andon::store::markdown
