#include "runner/output/log_parts.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <string>

namespace andon::runner {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPartPrefix = "output.";
constexpr std::string_view kSuffix = ".jsonl";
constexpr std::size_t kDigits = 15;

}  // namespace

fs::path log_part_path(fs::path const& run_dir, std::uint64_t begin) {
  auto digits = std::to_string(begin);
  if (digits.size() < kDigits) digits.insert(0, kDigits - digits.size(), '0');
  return run_dir / (std::string{kPartPrefix} + digits + std::string{kSuffix});
}

std::vector<LogPart> log_parts(fs::path const& run_dir) {
  std::vector<LogPart> parts;
  std::error_code error;
  for (auto const& entry : fs::directory_iterator{run_dir, error}) {
    auto const name = entry.path().filename().native();
    if (!name.starts_with(kPartPrefix) || !name.ends_with(kSuffix)) continue;
    LogPart part{.path = entry.path()};
    auto const* const end = name.data() + name.size() - kSuffix.size();
    auto const parsed = std::from_chars(name.data() + kPartPrefix.size(), end, part.begin);
    if (parsed.ec != std::errc{} || parsed.ptr != end) continue;
    part.size = entry.file_size(error);
    if (!error) parts.push_back(std::move(part));
  }
  std::ranges::sort(parts, {}, &LogPart::begin);
  return parts;
}

bool ends_with_a_line(LogPart const& part) {
  if (part.size == 0) return true;
  std::ifstream file{part.path, std::ios::binary};
  file.seekg(-1, std::ios::end);
  return file.get() == '\n';
}

void cut_log(fs::path const& run_dir, std::uint64_t end) {
  std::error_code ignored;
  for (auto const& part : log_parts(run_dir))
    if (part.begin >= end)
      fs::remove(part.path, ignored);
    else if (part.end() > end)
      fs::resize_file(part.path, end - part.begin, ignored);
}

}  // namespace andon::runner
