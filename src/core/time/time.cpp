#include "core/time/time.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>

#include "core/text/ascii.hpp"

namespace andon::core {
namespace {

using namespace std::chrono;

std::optional<int> digits(std::string_view text, std::size_t at, std::size_t count) {
  if (at + count > text.size()) return std::nullopt;
  int value = 0;
  for (char c : text.substr(at, count)) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + (c - '0');
  }
  return value;
}

void put_digits(std::string& out, std::size_t at, std::size_t count, std::int64_t value) {
  for (auto place = at + count; place-- > at; value /= 10) out[place] = static_cast<char>('0' + value % 10);
}

std::optional<sys_days> parse_day(std::string_view text) {
  auto y = digits(text, 0, 4), m = digits(text, 5, 2), d = digits(text, 8, 2);
  if (!y || !m || !d || text[4] != '-' || text[7] != '-') return std::nullopt;
  year_month_day ymd{year{*y}, month{static_cast<unsigned>(*m)}, day{static_cast<unsigned>(*d)}};
  if (!ymd.ok()) return std::nullopt;
  return sys_days{ymd};
}

/// Reads `.123456` at `at` as milliseconds and moves `at` behind it.
std::optional<milliseconds> parse_fraction(std::string_view text, std::size_t& at) {
  if (at >= text.size() || text[at] != '.') return milliseconds{0};
  int value = 0, count = 0;
  for (++at; at < text.size() && is_ascii_digit(text[at]); ++at, ++count)
    if (count < 3) value = value * 10 + (text[at] - '0');
  if (count == 0 || count > 9) return std::nullopt;
  for (int i = count; i < 3; ++i) value *= 10;
  return milliseconds{value};
}

std::optional<minutes> parse_offset(std::string_view text) {
  if (text == "Z" || text == "z") return minutes{0};
  if (text.size() != 6 || (text[0] != '+' && text[0] != '-') || text[3] != ':') return std::nullopt;
  auto h = digits(text, 1, 2), m = digits(text, 4, 2);
  if (!h || !m || *h > 23 || *m > 59) return std::nullopt;
  minutes offset = hours{*h} + minutes{*m};
  return text[0] == '-' ? -offset : offset;
}

struct Unit {
  std::string_view name;
  double milliseconds;
};
constexpr std::array kUnits{Unit{"ms", 1},     Unit{"us", 0.001},    Unit{"ns", 0.000001}, Unit{"s", 1000},
                            Unit{"m", 60'000}, Unit{"h", 3'600'000}, Unit{"d", 86'400'000}};
constexpr double kLongest = 100.0 * 366 * 86'400'000;  // a century is surely a slip

Unit const* unit_at(std::string_view text) {
  Unit const* best = nullptr;
  for (auto const& unit : kUnits)
    if (text.starts_with(unit.name) && (!best || unit.name.size() > best->name.size())) best = &unit;
  return best;
}

}  // namespace

std::string to_text(Instant at) {
  auto const day = floor<days>(at);
  year_month_day const ymd{day};
  hh_mm_ss const time{at - day};
  std::string out = "0000-00-00T00:00:00.000Z";
  put_digits(out, 0, 4, int{ymd.year()});
  put_digits(out, 5, 2, unsigned{ymd.month()});
  put_digits(out, 8, 2, unsigned{ymd.day()});
  put_digits(out, 11, 2, time.hours().count());
  put_digits(out, 14, 2, time.minutes().count());
  put_digits(out, 17, 2, time.seconds().count());
  put_digits(out, 20, 3, time.subseconds().count());
  return out;
}

std::optional<Instant> parse_instant(std::string_view text) {
  if (text.size() < 20) return std::nullopt;
  auto const day = parse_day(text);
  auto const h = digits(text, 11, 2), m = digits(text, 14, 2), s = digits(text, 17, 2);
  if (!day || !h || !m || !s || (text[10] != 'T' && text[10] != 't') || text[13] != ':' || text[16] != ':')
    return std::nullopt;
  if (*h > 23 || *m > 59 || *s > 60) return std::nullopt;
  std::size_t at = 19;
  auto const fraction = parse_fraction(text, at);
  auto const offset = fraction ? parse_offset(text.substr(at)) : std::nullopt;
  if (!offset) return std::nullopt;
  return Instant{*day} + hours{*h} + minutes{*m} + seconds{*s} + *fraction - *offset;
}

std::string to_text(Date date) { return to_text(Instant{date.day}).substr(0, 10); }

std::optional<Date> parse_date(std::string_view text) {
  if (text.size() != 10) return std::nullopt;
  auto const day = parse_day(text);
  if (!day) return std::nullopt;
  return Date{*day};
}

std::string to_text(Duration duration) {
  if (duration == Duration::zero()) return "0s";
  std::string out = duration < Duration::zero() ? "-" : "";
  auto rest = abs(duration);
  auto const part = [&](auto unit, char const* name) {
    auto const n = duration_cast<decltype(unit)>(rest);
    if (n.count() != 0) out += std::to_string(n.count()) + name;
    rest -= duration_cast<Duration>(n);
  };
  part(hours{}, "h");
  part(minutes{}, "m");
  part(seconds{}, "s");
  part(milliseconds{}, "ms");
  return out;
}

std::optional<Duration> parse_duration(std::string_view text) {
  if (text.empty()) return std::nullopt;
  double total = 0;
  bool const is_bare = text.find_first_not_of("0123456789.") == std::string_view::npos;
  while (!text.empty()) {
    // from_chars would read `nan` and `inf` as numbers.
    if (text.front() != '.' && (text.front() < '0' || text.front() > '9')) return std::nullopt;
    double number = 0;
    auto const [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
    if (error != std::errc{}) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (text.empty()) {
      if (!is_bare) return std::nullopt;
      total = number * 1000;
      break;
    }
    auto const* unit = unit_at(text);
    if (!unit) return std::nullopt;
    total += number * unit->milliseconds;
    text.remove_prefix(unit->name.size());
  }
  if (total > kLongest) return std::nullopt;
  return Duration{std::llround(total)};
}

}  // namespace andon::core
