#include "runner/output/log_parts.hpp"

#include <algorithm>
#include <charconv>
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

}  // namespace andon::runner
