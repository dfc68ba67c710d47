#include "os/files/time_zones.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "os/files/file.hpp"
#include "os/files/posix_zone.hpp"
#include "os/system_error.hpp"

namespace andon::os {
namespace {

using std::chrono::seconds;

constexpr std::string_view kUtc = "UTC";
/// The first and last year that RFC 3339 can express.
constexpr core::Instant kFirst = std::chrono::sys_days{std::chrono::year{1} / 1 / 1};
constexpr core::Instant kLast = std::chrono::sys_days{std::chrono::year{9999} / 12 / 31};

constexpr char kTables[] = "/usr/share/zoneinfo/";
constexpr std::size_t kLongestTable = 1U << 20U;

/// The times when the clocks of a zone changed, and their offsets from UTC: before the first change and after
/// each one. The rule, if there is one, gives the changes after the last one in the table.
struct Zone {
  std::vector<core::Instant> changes;
  std::vector<seconds> ahead;
  std::optional<PosixZone> rule;
};

/// The counts in the header of one block of a TZif table (RFC 8536).
struct Block {
  std::size_t utc = 0, standard = 0, leaps = 0, changes = 0, types = 0, letters = 0;

  std::size_t bytes(std::size_t time) const {
    return changes * (time + 1) + types * 6 + letters + leaps * (time + 4) + standard + utc;
  }
};

/// Removes a big-endian number from the front of the data. The data must hold at least `bytes`.
std::int64_t take(std::string_view& data, std::size_t bytes) {
  auto out = static_cast<std::uint64_t>(data[0] < 0 ? -1 : 0);
  for (char const c : data.substr(0, bytes)) out = out << 8U | static_cast<unsigned char>(c);
  data.remove_prefix(bytes);
  return static_cast<std::int64_t>(out);
}

std::optional<Block> take_header(std::string_view& data) {
  constexpr std::size_t kHeader = 44, kCounts = 20;
  if (data.size() < kHeader || !data.starts_with("TZif")) return std::nullopt;
  data.remove_prefix(kCounts);
  Block out;
  for (auto* count : {&out.utc, &out.standard, &out.leaps, &out.changes, &out.types, &out.letters}) {
    auto const told = take(data, 4);
    if (told < 0 || std::cmp_greater(told, kLongestTable)) return std::nullopt;
    *count = static_cast<std::size_t>(told);
  }
  return out;
}

core::Instant instant(std::int64_t since_1970) {
  auto const at = std::chrono::sys_seconds{seconds{since_1970}};
  return std::clamp(at, std::chrono::floor<seconds>(kFirst), std::chrono::floor<seconds>(kLast));
}

/// The rule between two line feeds behind the second block; nothing where there is none.
std::optional<PosixZone> rule_in(std::string_view footer) {
  if (!footer.starts_with('\n')) return std::nullopt;
  footer.remove_prefix(1);
  return parse_posix_zone(footer.substr(0, footer.find('\n')));
}

/// Returns nothing for data that is no table, and for tables with leap seconds, since the system clocks have
/// none.
std::optional<Zone> zone_in(std::string_view data) {
  constexpr std::size_t kNarrow = 4, kWide = 8, kType = 6;
  bool const is_wide = data.size() > 4 && data[4] != '\0';
  auto const time = is_wide ? kWide : kNarrow;
  auto block = take_header(data);
  if (block && is_wide) {  // the block for old readers comes first
    data.remove_prefix(std::min(block->bytes(kNarrow), data.size()));
    block = take_header(data);
  }
  if (!block || block->types == 0 || block->leaps > 0 || data.size() < block->bytes(time))
    return std::nullopt;
  auto const kinds = data.substr(block->changes * time, block->changes);
  auto const types = data.substr(block->changes * (time + 1), block->types * kType);
  auto const ahead = [&](std::size_t kind) {
    auto type = types.substr(kind * kType);
    return seconds{take(type, 4)};
  };
  Zone out{{}, {ahead(0)}, {}};
  if (is_wide) out.rule = rule_in(data.substr(block->bytes(time)));
  for (char const c : kinds) {
    auto const kind = static_cast<unsigned char>(c);
    if (kind >= block->types) return std::nullopt;
    auto const at = instant(take(data, time));
    if (ahead(kind) == out.ahead.back()) continue;  // only the name changed, or nothing
    out.changes.push_back(at);
    out.ahead.push_back(ahead(kind));
  }
  return out;
}

/// Reads each table at its first use.
class MachineZones final : public core::TimeZones {
 public:
  bool knows(std::string_view zone) const override { return zone == kUtc || find(zone); }

  core::ZonePeriod period(std::string_view zone, core::Instant at) const override {
    auto const* found = zone == kUtc ? nullptr : find(zone);
    if (!found) return {kFirst, kLast, {}};
    auto const& changes = found->changes;
    auto const next = std::ranges::upper_bound(changes, at);
    if (next == changes.end() && found->rule) {
      auto out = os::period(*found->rule, at);
      if (!changes.empty()) out.begin = std::max(out.begin, changes.back());
      return out;
    }
    return {next == changes.begin() ? kFirst : *std::prev(next), next == changes.end() ? kLast : *next,
            found->ahead[static_cast<std::size_t>(next - changes.begin())]};
  }

 private:
  Zone const* find(std::string_view name) const try {
    // A name that leads out of the directory of the tables is no zone.
    if (name.empty() || name.front() == '/' || name.contains("..") || name.contains('\0')) return nullptr;
    std::scoped_lock const lock{mutex_};
    if (auto const known = zones_.find(name); known != zones_.end()) return &known->second;
    auto const table = read_file_if_there(std::string{kTables}.append(name), kLongestTable);
    auto zone = table ? zone_in(*table) : std::nullopt;
    return zone ? &zones_.emplace(name, *std::move(zone)).first->second : nullptr;
  } catch (SystemError const&) {
    return nullptr;
  }

  mutable std::mutex mutex_;
  mutable std::map<std::string, Zone, std::less<>> zones_;  ///< guarded by mutex_
};

}  // namespace

core::TimeZones const& time_zones() {
  static MachineZones const zones;
  return zones;
}

std::string machine_time_zone() {
  auto const name_in = [](std::string_view path) {
    constexpr std::string_view kDirectory = "/zoneinfo/";
    auto const at = path.find(kDirectory);
    return std::string{at == std::string_view::npos ? path : path.substr(at + kDirectory.size())};
  };
  auto const known = [](std::string name) { return time_zones().knows(name) ? name : std::string{}; };
  if (char const* named = std::getenv("TZ")) {
    std::string_view name = named;
    if (name.starts_with(':')) name.remove_prefix(1);
    return name.empty() ? std::string{kUtc} : known(name_in(name));
  }
  std::error_code error;
  auto const link = std::filesystem::read_symlink("/etc/localtime", error);
  if (!error) return known(name_in(link.native()));
  // Without the file the clocks show UTC.
  return error == std::errc::no_such_file_or_directory ? std::string{kUtc} : std::string{};
}

}  // namespace andon::os
