#include "core/time/cron.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <string>
#include <vector>

#include "core/text/ascii.hpp"

namespace andon::core {
namespace {

using namespace std::chrono;
using Bits = std::uint64_t;

constexpr std::array<std::string_view, 12> kMonths{"jan", "feb", "mar", "apr", "may", "jun",
                                                   "jul", "aug", "sep", "oct", "nov", "dec"};
constexpr std::array<std::string_view, 7> kWeekdays{"sun", "mon", "tue", "wed", "thu", "fri", "sat"};

struct Part {
  std::string_view name;
  unsigned lowest, highest;
  std::span<std::string_view const> names{};  ///< of the numbers from `lowest` on
};
constexpr std::array<Part, 5> kParts{Part{"minute", 0, 59}, Part{"hour", 0, 23}, Part{"day", 1, 31},
                                     Part{"month", 1, 12, kMonths}, Part{"weekday", 0, 7, kWeekdays}};

struct Nickname {
  std::string_view name, stands_for;
};
constexpr std::array kNicknames{Nickname{"@yearly", "0 0 1 1 *"},  Nickname{"@annually", "0 0 1 1 *"},
                                Nickname{"@monthly", "0 0 1 * *"}, Nickname{"@weekly", "0 0 * * 0"},
                                Nickname{"@daily", "0 0 * * *"},   Nickname{"@midnight", "0 0 * * *"},
                                Nickname{"@hourly", "0 * * * *"}};

constexpr Bits kAllHours = (Bits{1} << 24U) - 1;
/// Every combination of date and weekday comes within 28 years of this century.
constexpr auto kSearchedFrom = local_days{2001y / 1 / 1};
constexpr auto kSearchedUntil = local_days{2030y / 1 / 1};

std::unexpected<Error> refused(std::string message) {
  return refuse(Code::kInvalidInput, std::move(message), "cron");
}
std::unexpected<Error> no_value(Part const& part, std::string_view text) {
  return refused("\"" + std::string{text} + "\" is no " + std::string{part.name} + " of a schedule (" +
                 std::to_string(part.lowest) + " to " + std::to_string(part.highest) + ")");
}

/// The part of `text` before the first `separator`, which is taken away with it.
std::string_view take_until(std::string_view& text, char separator) {
  auto const at = text.find(separator);
  auto const head = text.substr(0, at);
  text.remove_prefix(at == std::string_view::npos ? text.size() : at + 1);
  return head;
}

std::optional<unsigned> number_in(std::string_view text) {
  if (text.empty() || text.size() > 2) return std::nullopt;
  unsigned value = 0;
  for (char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + static_cast<unsigned>(c - '0');
  }
  return value;
}

Result<unsigned> value_in(Part const& part, std::string_view text) {
  auto const named = std::ranges::find(part.names, ascii_lower(text));
  if (named != part.names.end()) return part.lowest + static_cast<unsigned>(named - part.names.begin());
  auto const number = number_in(text);
  if (!number || *number < part.lowest || *number > part.highest) return no_value(part, text);
  return *number;
}

struct FieldRange {
  unsigned first, last;
};

Result<FieldRange> range_in(Part const& part, std::string_view text, bool stepped) {
  if (text == "*") return FieldRange{part.lowest, part.highest};
  auto rest = text;
  auto const from = take_until(rest, '-');
  ANDON_TRY(auto const first, value_in(part, from));
  if (from.size() == text.size()) return FieldRange{first, stepped ? part.highest : first};
  ANDON_TRY(auto last, value_in(part, rest));
  bool const sunday_ends_it = part.names.size() == kWeekdays.size() && last == 0 && first > 0;
  if (sunday_ends_it) last = 7;
  if (last < first)
    return refused("the range \"" + std::string{text} + "\" of the " + std::string{part.name} +
                   " runs backwards; write it as two, joined by a comma");
  return FieldRange{first, last};
}

/// One item of a list: `7`, `1-5`, `*/15`, `MON-FRI`.
Result<Bits> item_in(Part const& part, std::string_view text) {
  auto step_text = text;
  auto const range_text = take_until(step_text, '/');
  bool const stepped = range_text.size() != text.size();
  ANDON_TRY(auto const range, range_in(part, range_text, stepped));
  unsigned step = 1;
  if (stepped) {
    auto const given = number_in(step_text);
    if (!given || *given == 0)
      return refused("\"" + std::string{step_text} + "\" is no step of the " + std::string{part.name} +
                     "; it must be a number from 1 to 99");
    step = *given;
  }
  Bits out = 0;
  for (unsigned n = range.first; n <= range.last; n += step) out |= Bits{1} << n;
  return out;
}

Result<Bits> field_in(Part const& part, std::string_view text) {
  Bits out = 0;
  for (bool more = true; more;) {
    more = text.contains(',');
    ANDON_TRY(auto const item, item_in(part, take_until(text, ',')));
    out |= item;
  }
  return out;
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    auto const end = std::min(text.size(), text.find_first_of(" \t"));
    if (end > 0) out.push_back(text.substr(0, end));
    text.remove_prefix(std::min(text.size(), end + 1));
  }
  return out;
}

bool names(Bits field, unsigned n) { return (field >> n & 1U) != 0; }

bool fits_day(Cron const& cron, local_days day) {
  year_month_day const date{day};
  if (!names(cron.months, unsigned{date.month()})) return false;
  bool const by_day = names(cron.days, unsigned{date.day()});
  bool const by_weekday = names(cron.weekdays, weekday{day}.c_encoding());
  return cron.any_day || cron.any_weekday ? by_day && by_weekday : by_day || by_weekday;
}

/// The first minute of the day from `from` on that the schedule names.
std::optional<minutes> first_minute(Cron const& cron, minutes from) {
  for (auto hour = static_cast<unsigned>(from / 1h); hour < 24; ++hour) {
    if (!names(cron.hours, hour)) continue;
    auto const earliest = from > hours{hour} ? static_cast<unsigned>((from - hours{hour}).count()) : 0U;
    auto const left = cron.minutes >> earliest << earliest;
    if (left != 0) return hours{hour} + minutes{std::countr_zero(left)};
  }
  return std::nullopt;
}

}  // namespace

Result<Cron> parse_cron(std::string_view text) {
  auto words = words_of(text);
  if (words.size() == 1 && words.front().starts_with('@')) {
    auto const found = std::ranges::find(kNicknames, ascii_lower(words.front()), &Nickname::name);
    if (found == kNicknames.end())
      return refused("there is no \"" + std::string{words.front()} +
                     "\"; use @hourly, @daily, @weekly, @monthly, @yearly or five fields");
    words = words_of(found->stands_for);
  }
  if (words.size() != kParts.size())
    return refused("a schedule has five fields (minute hour day month weekday), such as 0 8 * * MON-FRI");
  std::array<Bits, kParts.size()> bits{};
  for (std::size_t i = 0; i < kParts.size(); ++i) ANDON_SET(bits[i], field_in(kParts[i], words[i]));
  Cron cron;
  cron.minutes = bits[0];
  cron.hours = static_cast<std::uint32_t>(bits[1]);
  cron.days = static_cast<std::uint32_t>(bits[2]);
  cron.months = static_cast<std::uint32_t>(bits[3]);
  cron.weekdays = static_cast<std::uint32_t>((bits[4] | bits[4] >> 7U) & 0x7FU);
  cron.any_day = words[2].starts_with('*');
  cron.any_weekday = words[4].starts_with('*');
  if (!first_match(cron, kSearchedFrom, kSearchedUntil))
    return refused("\"" + std::string{text} + "\" never comes: no such day is in the calendar");
  return cron;
}

std::optional<WallTime> first_match(Cron const& cron, WallTime from, WallTime end) {
  auto day = floor<days>(from);
  auto start = ceil<minutes>(from - day);
  for (; day < end; day += days{1}, start = minutes{0}) {
    if (!fits_day(cron, day)) continue;
    auto const minute = first_minute(cron, start);
    if (!minute) continue;
    auto const at = day + *minute;
    return at < end ? std::optional<WallTime>{at} : std::nullopt;
  }
  return std::nullopt;
}

bool is_hourly(Cron const& cron) { return cron.hours == kAllHours; }

}  // namespace andon::core
