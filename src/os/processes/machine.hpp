#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>

namespace andon::os {

/// A reading of this machine. The pressures are the shares of the last ten seconds in which some process
/// waited for the resource, in per cent (Linux, Documentation/accounting/psi.rst); nothing where the kernel
/// does not tell.
struct MachineReading {
  std::size_t processors = 1;
  std::int64_t memory = 0;            ///< bytes in all; 0 where the kernel does not tell
  std::int64_t memory_available = 0;  ///< bytes that can be given out without swapping
  std::int64_t disk = 0;              ///< bytes of the file system in all
  std::int64_t disk_free = 0;         ///< bytes that a user may still write
  std::optional<double> memory_pressure{};
  std::optional<double> cpu_pressure{};
  std::optional<double> io_pressure{};
};

/// Reads the machine, and the file system of a directory. Never throws: what cannot be read stays unset.
MachineReading read_machine(std::filesystem::path const& directory);

}  // namespace andon::os
