#include "core/time/time_in_words.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <span>

#include "core/text/ascii.hpp"
#include "core/time/word_tokens.hpp"
#include "core/time/written_moment.hpp"

namespace andon::core {
namespace {

using namespace std::chrono;

constexpr std::size_t kLongestText = 2048;
constexpr int kMostFillers = 6;

bool is_one_of(auto const& words, std::string_view word) {
  return std::ranges::find(words, word) != std::ranges::end(words);
}

struct UnitWord {
  std::string_view name;
  double milliseconds;
};
constexpr std::array kUnitWords{
    UnitWord{"ms", 1},        UnitWord{"s", 1e3},        UnitWord{"sec", 1e3},     UnitWord{"secs", 1e3},
    UnitWord{"second", 1e3},  UnitWord{"seconds", 1e3},  UnitWord{"m", 6e4},       UnitWord{"min", 6e4},
    UnitWord{"mins", 6e4},    UnitWord{"minute", 6e4},   UnitWord{"minutes", 6e4}, UnitWord{"h", 36e5},
    UnitWord{"hr", 36e5},     UnitWord{"hrs", 36e5},     UnitWord{"hour", 36e5},   UnitWord{"hours", 36e5},
    UnitWord{"d", 864e5},     UnitWord{"day", 864e5},    UnitWord{"days", 864e5},  UnitWord{"w", 6048e5},
    UnitWord{"week", 6048e5}, UnitWord{"weeks", 6048e5},
};

/// Zones by abbreviations that have one meaning, in minutes ahead of UTC.
struct ShortZone {
  std::string_view name;
  int ahead;
};
constexpr std::array kShortZones{ShortZone{"utc", 0},    ShortZone{"gmt", 0},    ShortZone{"z", 0},
                                 ShortZone{"cet", 60},   ShortZone{"cest", 120}, ShortZone{"est", -300},
                                 ShortZone{"edt", -240}, ShortZone{"pst", -480}, ShortZone{"pdt", -420}};

constexpr std::array<std::string_view, 12> kMonthNames{"jan", "feb", "mar", "apr", "may", "jun",
                                                       "jul", "aug", "sep", "oct", "nov", "dec"};
constexpr std::array<std::string_view, 12> kLongMonthNames{"january",   "february", "march",    "april",
                                                           "may",       "june",     "july",     "august",
                                                           "september", "october",  "november", "december"};
constexpr std::array<std::string_view, 7> kDayNames{"sun", "mon", "tue", "wed", "thu", "fri", "sat"};
constexpr std::array<std::string_view, 7> kLongDayNames{"sunday",   "monday", "tuesday", "wednesday",
                                                        "thursday", "friday", "saturday"};

constexpr std::array<std::string_view, 4> kOrdinals{"st", "nd", "rd", "th"};

template <std::size_t N>
std::optional<unsigned> place_in(std::array<std::string_view, N> const& names, std::string_view word) {
  auto const found = std::ranges::find(names, word);
  return found == names.end() ? std::nullopt : std::optional{static_cast<unsigned>(found - names.begin())};
}

std::optional<unsigned> month_named(std::string_view word) {
  if (word == "sept") return 9;
  auto const at = place_in(kMonthNames, word);
  auto const place = at ? at : place_in(kLongMonthNames, word);
  return place ? std::optional{*place + 1} : std::nullopt;
}

std::optional<unsigned> weekday_named(std::string_view word) {
  auto const at = place_in(kDayNames, word);
  return at ? at : place_in(kLongDayNames, word);
}

/// Reads forms at a place of a text. A form that does not stand there leaves the place as it was.
class FormReader {
 public:
  FormReader(std::string_view text, std::span<WordToken const> tokens) : text_(text), tokens_(tokens) {}

  bool is_at_end() const {
    return std::ranges::all_of(tokens_.subspan(at_), [](WordToken const& token) {
      return token.kind == TokenKind::mark && std::string_view{".!)"}.contains(token.source.front());
    });
  }

  void skip_fillers() {
    constexpr std::array<std::string_view, 21> kFillers{
        "at",   "on",    "by",  "after", "again", "until", "in",   "is",   "will", "be",    "from",
        "your", "limit", "the", "for",   "about", "than",  "less", "time", "next", "within"};
    for (int i = 0; i < kMostFillers; ++i) {
      bool const is_filler = is_one_of(kFillers, next().text);
      bool const is_mark =
          next().kind == TokenKind::mark && std::string_view{":,=\"'(|"}.contains(next().text);
      if (!is_filler && !is_mark) return;
      ++at_;
    }
  }

  std::optional<Instant> epoch() {
    auto const& token = next();
    bool const is_whole = token.kind == TokenKind::number && !token.text.contains('.');
    if (!is_whole || (token.text.size() != 10 && token.text.size() != 13)) return std::nullopt;
    ++at_;
    auto const value = whole(token);
    return Instant{Duration{token.text.size() == 13 ? value : value * 1000}};
  }

  std::optional<Instant> rfc3339() {
    if (next().kind != TokenKind::number) return std::nullopt;
    auto const from = next().at;
    auto const rest = text_.substr(from);
    auto const length = std::min(rest.find_first_not_of("0123456789-+:.TtZz"), rest.size());
    auto word = rest.substr(0, length);
    while (word.ends_with('.')) word.remove_suffix(1);
    auto const at = parse_instant(word);
    if (at) pass(from + word.size());
    return at;
  }

  std::optional<Duration> duration(bool may_be_bare) {
    auto const begin = at_;
    double total = 0;
    bool any = false;
    while (auto const part = counted_unit()) {
      any = true;
      total += *part;
      if (next().text == "," && peek(1).kind == TokenKind::number) ++at_;
      if (next().text == "and" && peek(1).kind == TokenKind::number) ++at_;
    }
    if (!any && may_be_bare && next().kind == TokenKind::number && next().text.size() <= 8) {
      total = decimal(next()) * 1e3;
      ++at_;
      any = true;
    }
    if (any && total <= static_cast<double>(milliseconds{kFarthest}.count()) && next().text != "ago")
      return Duration{std::llround(std::ceil(total))};
    at_ = begin;
    return std::nullopt;
  }

  std::optional<WrittenMoment> written() {
    WrittenMoment out;
    out.day = day();
    bool const begins_with_day = !std::holds_alternative<std::monostate>(out.day);
    auto const behind_day = at_;
    if (begins_with_day) skip_one_of({",", "at", "t", "from"});
    out.time = time();
    if (!out.time) {
      at_ = behind_day;
      return begins_with_day ? std::optional{out} : std::nullopt;
    }
    if (!zone(out.zone)) return std::nullopt;
    if (begins_with_day) return out;
    auto const behind_time = at_;
    skip_one_of({",", "on"});
    out.day = day();
    if (std::holds_alternative<std::monostate>(out.day)) {
      at_ = behind_time;
      return out;
    }
    if (std::holds_alternative<std::monostate>(out.zone) && !zone(out.zone)) return std::nullopt;
    return out;
  }

 private:
  WordToken const& peek(std::size_t by) const {
    static WordToken const end;
    return at_ + by < tokens_.size() ? tokens_[at_ + by] : end;
  }
  WordToken const& next() const { return peek(0); }

  static std::int64_t whole(WordToken const& token) {
    std::int64_t value = 0;
    std::from_chars(token.text.data(), token.text.data() + token.text.size(), value);
    return value;
  }
  static double decimal(WordToken const& token) {
    double value = 0;
    std::from_chars(token.text.data(), token.text.data() + token.text.size(), value,
                    std::chars_format::fixed);
    return value;
  }
  static std::optional<int> small_number(WordToken const& token, std::size_t most_digits) {
    bool const fits = token.kind == TokenKind::number && token.text.size() <= most_digits;
    if (!fits || token.text.contains('.')) return std::nullopt;
    return static_cast<int>(whole(token));
  }

  /// Moves behind the tokens that end at or before a place of the text.
  void pass(std::size_t end) {
    while (at_ < tokens_.size() && tokens_[at_].at < end) ++at_;
  }

  void skip_one_of(std::initializer_list<std::string_view> words) {
    bool skipped = false;
    do {
      skipped = is_one_of(words, next().text);
      if (skipped) ++at_;
    } while (skipped);
  }

  std::optional<double> counted_unit() {
    bool const is_one = next().text == "a" || next().text == "an";
    bool const is_number = next().kind == TokenKind::number && next().text.size() <= 24;
    if (!is_one && !is_number) return std::nullopt;
    auto const unit = std::ranges::find(kUnitWords, std::string_view{peek(1).text}, &UnitWord::name);
    if (unit == kUnitWords.end() || peek(1).kind != TokenKind::word) return std::nullopt;
    auto const count = is_one ? 1 : decimal(next());
    at_ += 2;
    return count * unit->milliseconds;
  }

  std::optional<seconds> time() {
    auto const hour = small_number(next(), 2);
    if (!hour) return std::nullopt;
    auto const begin = at_++;
    int parts[2] = {0, 0};
    int count = 0;
    for (; count < 2 && next().text == ":"; ++count) {
      auto const part = peek(1).text.size() == 2 ? small_number(peek(1), 2) : std::nullopt;
      if (!part || *part > 59) break;
      parts[count] = *part;
      at_ += 2;
    }
    auto const half = half_of_day();
    bool const is_valid = half ? *hour >= 1 && *hour <= 12 : count > 0 && *hour <= 23;
    if (!is_valid || next().text == ":") {
      at_ = begin;
      return std::nullopt;
    }
    return hours{half ? *hour % 12 + *half : *hour} + minutes{parts[0]} + seconds{parts[1]};
  }

  /// The hours that `am` and `pm` add.
  std::optional<int> half_of_day() {
    auto const& word = next().text;
    if (word == "am" || word == "pm") {
      ++at_;
      return word == "pm" ? 12 : 0;
    }
    bool const is_dotted = (word == "a" || word == "p") && peek(1).text == "." && peek(2).text == "m";
    if (!is_dotted) return std::nullopt;
    at_ += 3;
    if (next().text == ".") ++at_;
    return word == "p" ? 12 : 0;
  }

  DayName day() {
    auto const begin = at_;
    if (next().text == "today" || next().text == "tomorrow")
      return DaysAhead{tokens_[at_++].text == "today" ? 0 : 1};
    auto const named = next().kind == TokenKind::word ? weekday_named(next().text) : std::nullopt;
    if (named) {
      ++at_;
      auto const behind = at_;
      skip_one_of({",", "."});
      // The date says more than the name of its day.
      if (auto const date = calendar_day(); !std::holds_alternative<std::monostate>(date)) return date;
      at_ = behind;
      return weekday{*named};
    }
    auto const date = calendar_day();
    if (std::holds_alternative<std::monostate>(date)) at_ = begin;
    return date;
  }

  DayName calendar_day() {
    auto const begin = at_;
    if (auto const iso = iso_day(); !std::holds_alternative<std::monostate>(iso)) return iso;
    bool const month_first = next().kind == TokenKind::word;
    std::optional<unsigned> month_number;
    std::optional<int> day_number;
    for (int i = 0; i < 2; ++i) {
      bool const is_month = month_first == (i == 0);
      if (is_month) {
        month_number = month_named(next().text);
        ++at_;
        if (next().text == "." || next().text == "of") ++at_;
      } else {
        day_number = small_number(next(), 2);
        ++at_;
        bool const is_ordinal = is_one_of(kOrdinals, next().text);
        if (is_ordinal) ++at_;
        if (!month_first && next().text == "of") ++at_;
      }
    }
    month_day const date{month{month_number.value_or(0)},
                         std::chrono::day{static_cast<unsigned>(day_number.value_or(0))}};
    if (!month_number || !day_number || !date.ok()) {
      at_ = begin;
      return {};
    }
    return with_year(date);
  }

  DayName with_year(month_day date) {
    auto const begin = at_;
    if (next().text == ",") ++at_;
    auto const number = next().text.size() == 4 ? small_number(next(), 4) : std::nullopt;
    if (!number || peek(1).text == ":") {
      at_ = begin;
      return date;
    }
    ++at_;
    year_month_day const full{year{*number}, date.month(), date.day()};
    return full.ok() ? DayName{full} : DayName{};
  }

  DayName iso_day() {
    bool const has_form = next().text.size() == 4 && peek(1).text == "-" && peek(3).text == "-" &&
                          peek(4).kind == TokenKind::number;
    auto const date = has_form ? parse_date(text_.substr(next().at).substr(0, 10)) : std::nullopt;
    if (!date) return {};
    at_ += 5;
    return year_month_day{date->day};
  }

  /// False when a zone is named that cannot be read.
  bool zone(ZoneName& out) {
    bool const in_brackets = next().text == "(";
    if (in_brackets) ++at_;
    bool const is_odd = next().kind == TokenKind::mark && next().text != "+" && next().text != "-";
    bool const is_known = !(in_brackets && is_odd) && zone_word(out);
    if (in_brackets)
      while (at_ < tokens_.size() && tokens_[at_++].text != ")") continue;
    return is_known;
  }

  bool zone_word(ZoneName& out) {
    if (next().kind == TokenKind::mark) return offset(seconds{0}, out);
    if (next().kind != TokenKind::word) return true;
    auto const known = std::ranges::find(kShortZones, std::string_view{next().text}, &ShortZone::name);
    bool const is_capital = std::ranges::all_of(next().source, is_ascii_capital);
    if (known != kShortZones.end() && (is_capital || known->ahead == 0)) {
      ++at_;
      out = seconds{minutes{known->ahead}};
      return known->ahead != 0 || offset(seconds{0}, out);
    }
    if (next().source.contains('/')) {
      out = std::string{tokens_[at_++].source};
      return true;
    }
    return !is_capital || next().source.size() < 2 || next().source.size() > 5;
  }

  /// `+2`, `+02:00` or `-0700` where one stands.
  bool offset(seconds from, ZoneName& out) {
    bool const is_sign = next().text == "+" || next().text == "-";
    if (!is_sign || peek(1).kind != TokenKind::number || peek(1).at != next().at + 1) return true;
    auto const sign = next().text == "-" ? -1 : 1;
    auto const number = small_number(peek(1), 4);
    if (!number) return false;
    bool const is_joined = peek(1).text.size() > 2;
    at_ += 2;
    auto ahead = is_joined ? minutes{*number / 100 * 60 + *number % 100} : minutes{hours{*number}};
    if (!is_joined && next().text == ":" && peek(1).text.size() == 2) {
      ahead += minutes{small_number(peek(1), 2).value_or(0)};
      at_ += 2;
    }
    out = from + sign * seconds{ahead};
    return ahead <= hours{14};
  }

  std::string_view text_;
  std::span<WordToken const> tokens_;
  std::size_t at_ = 0;
};

/// Words that a moment follows.
struct Anchor {
  std::array<std::string_view, 3> words;  ///< in a row, empty ones left out
  bool takes_bare_seconds = false;
};
constexpr std::array kAnchors{
    Anchor{{"retry", "-", "after"}, true},
    Anchor{{"retry", "after", ""}, true},
    Anchor{{"retry_after", "", ""}, true},
    Anchor{{"retryafter", "", ""}, true},
    Anchor{{"retry_after_seconds", "", ""}, true},
    Anchor{{"resets_in_seconds", "", ""}, true},
    Anchor{{"reset_after_seconds", "", ""}, true},
    Anchor{{"retry_delay", "", ""}},
    Anchor{{"retrydelay", "", ""}},
    Anchor{{"resets_at", "", ""}},
    Anchor{{"reset_at", "", ""}},
    Anchor{{"resetsat", "", ""}},
    Anchor{{"reset", "time", ""}},
    Anchor{{"try", "again", ""}},
    Anchor{{"limit", "reached", "|"}},
    Anchor{{"available", "", ""}},
    Anchor{{"resets", "", ""}},
    Anchor{{"reset", "", ""}},
    Anchor{{"renews", "", ""}},
    Anchor{{"refreshes", "", ""}},
    Anchor{{"retry", "", ""}},
    Anchor{{"until", "", ""}},
    Anchor{{"wait", "", ""}},
};

std::size_t length_of(Anchor const& anchor) {
  return static_cast<std::size_t>(
      std::ranges::count_if(anchor.words, [](std::string_view word) { return !word.empty(); }));
}

bool stands_at(Anchor const& anchor, std::span<WordToken const> tokens) {
  auto const length = length_of(anchor);
  if (tokens.size() < length) return false;
  return std::ranges::equal(tokens.first(length), std::span{anchor.words}.first(length), {},
                            &WordToken::text);
}

std::optional<Instant> read_moment(FormReader& reader, bool takes_bare_seconds, LocalClock const& clock) {
  auto const coming = [&](std::optional<Instant> at) {
    return at && *at > clock.now && *at - clock.now <= kFarthest ? at : std::nullopt;
  };
  if (auto const at = reader.epoch()) return coming(at);
  if (auto const at = reader.rfc3339()) return coming(at);
  if (auto const written = reader.written()) return moment_meant(*written, clock);
  if (auto const rest = reader.duration(takes_bare_seconds)) return coming(clock.now + *rest);
  return std::nullopt;
}

}  // namespace

std::optional<Instant> time_in_words(std::string_view text, LocalClock const& clock) {
  text = text.substr(0, kLongestText);
  auto const tokens = tokens_of(text);
  std::span<WordToken const> const all{tokens};
  FormReader whole{text, all};
  whole.skip_fillers();
  if (auto const at = read_moment(whole, false, clock); at && whole.is_at_end()) return at;
  for (std::size_t i = 0; i < all.size(); ++i) {
    auto const anchor =
        std::ranges::find_if(kAnchors, [&](Anchor const& row) { return stands_at(row, all.subspan(i)); });
    if (anchor == kAnchors.end()) continue;
    FormReader reader{text, all.subspan(i + length_of(*anchor))};
    reader.skip_fillers();
    if (auto const at = read_moment(reader, anchor->takes_bare_seconds, clock)) return at;
  }
  return std::nullopt;
}

}  // namespace andon::core
