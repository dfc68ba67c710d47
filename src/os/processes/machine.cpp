#include "os/processes/machine.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>
#include <sys/statvfs.h>
#include <thread>

#include "os/files/file.hpp"
#include "os/system_error.hpp"

namespace andon::os {
namespace {

constexpr std::size_t kLargestReport = 64U << 10U;

std::string report_of(char const* file) {
  try {
    return read_file_if_there(file, kLargestReport).value_or("");
  } catch (SystemError const&) {
    return {};  // a kernel that keeps no pressure answers EOPNOTSUPP
  }
}

/// The number behind a name, such as `MemTotal:   24 kB`.
template <class Number>
std::optional<Number> number_after(std::string_view text, std::string_view name) {
  auto const at = text.find(name);
  if (at == std::string_view::npos) return std::nullopt;
  text.remove_prefix(at + name.size());
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  Number out{};
  auto const read = std::from_chars(text.data(), text.data() + text.size(), out);
  return read.ec == std::errc{} ? std::optional{out} : std::nullopt;
}

/// `some avg10=1.53 avg60=…`
std::optional<double> pressure(char const* file) {
  return number_after<double>(report_of(file), "some avg10=");
}

}  // namespace

MachineReading read_machine(std::filesystem::path const& directory) {
  MachineReading out;
  out.processors = std::max(std::thread::hardware_concurrency(), 1U);
  auto const memory = report_of("/proc/meminfo");
  out.memory = number_after<std::int64_t>(memory, "MemTotal:").value_or(0) << 10U;
  out.memory_available = number_after<std::int64_t>(memory, "MemAvailable:").value_or(0) << 10U;
  out.memory_pressure = pressure("/proc/pressure/memory");
  out.cpu_pressure = pressure("/proc/pressure/cpu");
  out.io_pressure = pressure("/proc/pressure/io");
  struct statvfs disk{};
  if (::statvfs(directory.c_str(), &disk) == 0) {
    auto const block = static_cast<std::int64_t>(disk.f_frsize);
    out.disk = static_cast<std::int64_t>(disk.f_blocks) * block;
    out.disk_free = static_cast<std::int64_t>(disk.f_bavail) * block;
  }
  return out;
}

}  // namespace andon::os
