#include "os/files/posix_zone.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/text/ascii.hpp"

namespace andon::os {
namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using std::chrono::sys_days;
using std::chrono::year;

/// Reads a rule from its front. Each function returns nothing, or false, where the text has something else.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  bool is_at_end() const { return text_.empty(); }
  bool is_at(char c) const { return text_.starts_with(c); }

  bool skip(char c) {
    if (!is_at(c)) return false;
    text_.remove_prefix(1);
    return true;
  }

  /// `CET` or `<+03>`.
  bool skip_name() {
    bool const is_quoted = skip('<');
    auto const end = std::ranges::find_if_not(text_, [&](char c) {
      return core::is_ascii_letter(c) || (is_quoted && (core::is_ascii_digit(c) || c == '+' || c == '-'));
    });
    auto const size = static_cast<std::size_t>(end - text_.begin());
    text_.remove_prefix(size);
    return size >= 3 && (!is_quoted || skip('>'));
  }

  std::optional<int> number(int least, int most) {
    constexpr std::size_t kDigits = 3;
    std::size_t size = 0;
    int out = 0;
    for (; size < std::min(kDigits, text_.size()) && core::is_ascii_digit(text_[size]); ++size)
      out = out * 10 + (text_[size] - '0');
    text_.remove_prefix(size);
    if (size == 0 || out < least || out > most) return std::nullopt;
    return out;
  }

  /// `[+-]hh[:mm[:ss]]`.
  std::optional<seconds> time() {
    constexpr int kHours = 167, kSixty = 59;
    bool const is_negative = skip('-');
    if (!is_negative) skip('+');
    auto const hour = number(0, kHours);
    auto const minute = skip(':') ? number(0, kSixty) : 0;
    auto const second = skip(':') ? number(0, kSixty) : 0;
    if (!hour || !minute || !second) return std::nullopt;
    seconds const out = hours{*hour} + minutes{*minute} + seconds{*second};
    return is_negative ? -out : out;
  }

  /// `M3.5.0/3`, `J60` or `59`.
  std::optional<YearlyChange> change() {
    YearlyChange out;
    bool const is_read = is_at('M') ? read_day_of_month(out) : read_day_of_year(out);
    if (!is_read) return std::nullopt;
    if (!skip('/')) return out;
    auto const at = time();
    if (!at) return std::nullopt;
    out.time = *at;
    return out;
  }

 private:
  bool read_day_of_month(YearlyChange& out) {
    skip('M');
    auto const month = number(1, 12);
    auto const week = skip('.') ? number(1, 5) : std::nullopt;
    auto const weekday = skip('.') ? number(0, 6) : std::nullopt;
    if (!month || !week || !weekday) return false;
    out.month = *month;
    out.week = *week;
    out.weekday = *weekday;
    return true;
  }

  bool read_day_of_year(YearlyChange& out) {
    bool const is_julian = skip('J');
    out.day = is_julian ? YearlyChange::Day::of_year : YearlyChange::Day::of_leap_year;
    auto const day = number(is_julian ? 1 : 0, 365);
    out.number = day.value_or(0);
    return day.has_value();
  }

  std::string_view text_;
};

sys_days day_of(YearlyChange const& change, year in) {
  using namespace std::chrono;
  constexpr int kLastOfFebruary = 59;
  auto const first = sys_days{in / January / 1};
  switch (change.day) {
    case YearlyChange::Day::of_leap_year: return first + days{change.number};
    case YearlyChange::Day::of_year:
      return first + days{change.number - 1 + (in.is_leap() && change.number > kLastOfFebruary ? 1 : 0)};
    case YearlyChange::Day::of_month: break;
  }
  auto const month_of_year = in / month{static_cast<unsigned>(change.month)};
  weekday const day{static_cast<unsigned>(change.weekday)};
  constexpr int kLastWeek = 5;
  if (change.week == kLastWeek) return sys_days{month_of_year / day[last]};
  return sys_days{month_of_year / day[static_cast<unsigned>(change.week)]};
}

}  // namespace

std::optional<PosixZone> parse_posix_zone(std::string_view text) {
  Reader in{text};
  if (!in.skip_name()) return std::nullopt;
  auto const behind = in.time();
  if (!behind) return std::nullopt;
  PosixZone out{-*behind, {}};
  if (in.is_at_end()) return out;
  if (!in.skip_name()) return std::nullopt;
  auto daylight_behind = std::optional{*behind - hours{1}};
  if (!in.is_at(',')) daylight_behind = in.time();
  auto const begin = in.skip(',') ? in.change() : std::nullopt;
  auto const end = in.skip(',') ? in.change() : std::nullopt;
  if (!daylight_behind || !begin || !end || !in.is_at_end()) return std::nullopt;
  out.daylight = {-*daylight_behind, *begin, *end};
  return out;
}

core::ZonePeriod period(PosixZone const& zone, core::Instant at) {
  constexpr auto kYearOne = sys_days{year{1} / 1 / 1}, kEnd = sys_days{year{9999} / 12 / 31};
  if (!zone.daylight) return {kYearOne, kEnd, zone.ahead};
  auto const& [ahead, begin, end] = *zone.daylight;
  struct Change {
    core::Instant at;
    seconds ahead;
  };
  // A local time differs from UTC by a few days at most, so the changes around `at` belong to these years.
  constexpr int kYears = 5;
  auto const middle = std::chrono::year_month_day{std::chrono::floor<days>(at)}.year();
  std::array<Change, std::size_t{2} * kYears> changes;
  auto* next = changes.data();
  for (auto in = middle - std::chrono::years{kYears / 2}; next != changes.data() + changes.size(); ++in) {
    *next++ = {day_of(begin, in) + begin.time - zone.ahead, ahead};
    *next++ = {day_of(end, in) + end.time - ahead, zone.ahead};
  }
  std::ranges::sort(changes, {}, &Change::at);
  auto const after = std::ranges::upper_bound(changes, at, {}, &Change::at);
  return {std::prev(after)->at, after->at, std::prev(after)->ahead};
}

}  // namespace andon::os
