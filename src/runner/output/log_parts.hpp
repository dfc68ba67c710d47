#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace andon::runner {

/// One file of a run's log.
struct LogPart {
  std::uint64_t begin = 0;
  std::uint64_t size = 0;
  std::filesystem::path path;

  std::uint64_t end() const { return begin + size; }
};

std::filesystem::path log_part_path(std::filesystem::path const& run_dir, std::uint64_t begin);
/// The parts in the order of their offsets.
std::vector<LogPart> log_parts(std::filesystem::path const& run_dir);
/// False after a write that was cut short.
bool ends_with_a_line(LogPart const& part);
/// Takes back what was written after that offset.
void cut_log(std::filesystem::path const& run_dir, std::uint64_t end);

}  // namespace andon::runner
