#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/field.hpp"
#include "core/model/byte_size.hpp"
#include "core/time/time.hpp"

namespace andon::core {

/// The share of the machine that one run may use. Zero means no limit.
struct ResourceLimits {
  std::optional<ByteSize> memory;  ///< resident memory of all its processes together
  std::int64_t processes = 0;      ///< at once
  std::int64_t cpu_weight = 0;     ///< 1 to 10,000 beside 100 for the server, as in cgroups
  std::optional<ByteSize> disk;    ///< of its work tree and its run directory
  bool operator==(ResourceLimits const&) const = default;
};
void describe(auto& field, ResourceLimits const*) {
  field(&ResourceLimits::memory, "memory", "Most memory of all its processes, such as 4GiB");
  field(&ResourceLimits::processes, "processes", "Most processes at once; 0 means no limit", set_only);
  field(&ResourceLimits::cpu_weight, "cpu_weight",
        "Its weight when processors are scarce, 1 to 10000; the server has 100, a run without a weight 50",
        set_only);
  field(&ResourceLimits::disk, "disk", "Most disk of its work tree and run directory, such as 20GiB");
}

/// The weight of a run for which nobody set one: the server stays responsive beside it.
inline constexpr std::int64_t kUsualCpuWeight = 50;
constexpr std::int64_t cpu_weight_of(ResourceLimits const& limits) {
  return limits.cpu_weight > 0 ? limits.cpu_weight : kUsualCpuWeight;
}

/// The narrower of two limits, where zero is none.
template <class Number>
constexpr Number narrower(Number a, Number b) {
  if (a == Number{}) return b;
  return b == Number{} ? a : std::min(a, b);
}
constexpr std::optional<ByteSize> narrower(std::optional<ByteSize> a, std::optional<ByteSize> b) {
  auto const bytes = narrower(a.value_or(ByteSize{}).bytes, b.value_or(ByteSize{}).bytes);
  return bytes == 0 ? std::nullopt : std::optional{ByteSize{bytes}};
}
constexpr ResourceLimits narrower(ResourceLimits const& a, ResourceLimits const& b) {
  return {narrower(a.memory, b.memory), narrower(a.processes, b.processes),
          narrower(a.cpu_weight, b.cpu_weight), narrower(a.disk, b.disk)};
}
/// Of two limits that may be left out.
constexpr ResourceLimits narrower(std::optional<ResourceLimits> const& a,
                                  std::optional<ResourceLimits> const& b) {
  return narrower(a.value_or(ResourceLimits{}), b.value_or(ResourceLimits{}));
}

/// The resources that the processes of a run have used.
struct ResourceUse {
  std::int64_t peak_memory = 0;  ///< bytes, resident, of all processes together
  Duration cpu_time{};           ///< of all processes together, user and system
};
void describe(auto& field, ResourceUse const*) {
  field(&ResourceUse::peak_memory, "peak_memory");
  field(&ResourceUse::cpu_time, "cpu_time");
}

}  // namespace andon::core
