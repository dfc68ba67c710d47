#include "runner/dispatch/neighbour_files.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "os/files/descriptor.hpp"
#include "os/files/file.hpp"
#include "os/processes/log.hpp"
#include "os/system_error.hpp"

namespace andon::runner {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnding = ".fleet";
constexpr std::size_t kLongestFleet = 100;
constexpr std::size_t kMostEntries = 2'000;
constexpr std::size_t kMostFleets = 64;
constexpr std::int64_t kMostRuns = 100'000;
constexpr std::int64_t kMostBytes = 1LL << 50U;

/// The process that a file is named after, also where the file is the unfinished replacement
/// `.PID@STARTED@BOOT.fleet.RANDOM`.
std::optional<os::ProcessId> process_of_file(std::string_view name) {
  if (name.starts_with('.')) name.remove_prefix(1);
  auto const end = name.find(kEnding);
  return end == std::string_view::npos ? std::nullopt : os::parse_process(name.substr(0, end));
}

/// The content of a small regular file of this user. A link, a pipe or a file of another user has none.
std::optional<std::string> content_of(fs::path const& file) {
  os::Descriptor const opened{
      ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)};
  struct stat about{};
  if (!opened || ::fstat(opened.get(), &about) != 0) return std::nullopt;
  if (!S_ISREG(about.st_mode) || about.st_uid != ::geteuid()) return std::nullopt;
  std::array<char, kLongestFleet + 1> bytes{};
  auto const n = ::read(opened.get(), bytes.data(), bytes.size());
  if (n <= 0 || static_cast<std::size_t>(n) > kLongestFleet) return std::nullopt;
  return std::string{bytes.data(), static_cast<std::size_t>(n)};
}

}  // namespace

std::string to_text(Fleet const& fleet) {
  return std::to_string(fleet.runs) + " " + std::to_string(fleet.held) + " " +
         std::to_string(fleet.reserved) + "\n";
}

std::optional<Fleet> parse_fleet(std::string_view text) {
  Fleet out;
  auto const* at = text.data();
  auto const* const end = text.data() + text.size();
  for (auto* number : {&out.runs, &out.held, &out.reserved}) {
    auto const read = std::from_chars(at, end, *number);
    bool const is_last = number == &out.reserved;
    if (read.ec != std::errc{} || read.ptr == end || *read.ptr != (is_last ? '\n' : ' ')) return std::nullopt;
    at = read.ptr + 1;
  }
  auto const fits = [](std::int64_t number, std::int64_t most) { return number >= 0 && number <= most; };
  bool const is_possible =
      at == end && fits(out.runs, kMostRuns) && fits(out.held, kMostBytes) && fits(out.reserved, kMostBytes);
  return is_possible ? std::optional{out} : std::nullopt;
}

NeighbourFiles::NeighbourFiles(fs::path directory, os::ProcessId self)
    : directory_(std::move(directory)), self_(std::move(self)) {}

NeighbourFiles::~NeighbourFiles() {
  if (published_) ::unlink(own_file().c_str());
}

fs::path NeighbourFiles::own_file() const { return directory_ / (os::to_text(self_).append(kEnding)); }

void NeighbourFiles::publish(Fleet const& fleet) try {
  if (directory_.empty()) return;
  if (published_ == fleet && ::access(own_file().c_str(), F_OK) == 0) return;
  os::write_passing_file(own_file(), to_text(fleet));
  published_ = fleet;
} catch (os::SystemError const& error) {
  os::log(os::Level::info,
          std::string{"other servers on this machine cannot know of the runs: "} + error.what());
}

std::vector<Fleet> NeighbourFiles::read() const {
  std::vector<Fleet> out;
  std::error_code error;
  std::size_t entries = 0;
  for (fs::directory_iterator entry{directory_, error}, end; !error && entry != end; entry.increment(error)) {
    if (++entries > kMostEntries || out.size() >= kMostFleets) break;
    auto const process = process_of_file(entry->path().filename().native());
    if (!process || *process == self_) continue;
    if (!os::is_alive(*process)) {
      ::unlink(entry->path().c_str());
      continue;
    }
    auto const content = entry->path().extension() == kEnding ? content_of(entry->path()) : std::nullopt;
    if (auto const fleet = content ? parse_fleet(*content) : std::nullopt) out.push_back(*fleet);
  }
  return out;
}

}  // namespace andon::runner
