#include "service/limits/resources.hpp"

#include "service/given_field.hpp"

namespace andon::service {
namespace {

constexpr std::int64_t kLeastMemory = 16LL << 20U;
constexpr std::int64_t kLeastDisk = 1LL << 20U;
constexpr std::int64_t kMostBytes = 1LL << 50U;
constexpr std::int64_t kMostWeight = 10'000;
constexpr std::int64_t kMostProcesses = 1'000'000;

std::unexpected<core::Error> beyond(std::string const& field, std::string const& bound) {
  return service::invalid("\"" + field + "\" must be " + bound, field);
}

/// An amount that is left out or nothing sets no limit.
bool is_beyond(std::optional<core::ByteSize> const& size, std::int64_t least) {
  return size && size->bytes != 0 && (size->bytes < least || size->bytes > kMostBytes);
}

}  // namespace

core::Result<void> set_limits(std::optional<core::ResourceLimits> const& given,
                              std::optional<core::ResourceLimits>& limits, std::string const& field) {
  if (!given) return {};
  if (is_beyond(given->memory, kLeastMemory)) return beyond(field + "/memory", "from 16MiB to 1024TiB");
  if (is_beyond(given->disk, kLeastDisk)) return beyond(field + "/disk", "from 1MiB to 1024TiB");
  if (given->processes < 0 || given->processes > kMostProcesses)
    return beyond(field + "/processes", "from 0 to 1000000");
  if (given->cpu_weight < 0 || given->cpu_weight > kMostWeight)
    return beyond(field + "/cpu_weight", "from 0 to 10000");
  limits = core::narrower(*given, core::ResourceLimits{});
  if (*limits == core::ResourceLimits{}) limits.reset();
  return {};
}

}  // namespace andon::service
