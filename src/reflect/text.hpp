#pragma once

#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "core/actor.hpp"
#include "core/model/byte_size.hpp"
#include "core/model/review_by.hpp"
#include "core/time/time.hpp"

namespace andon::reflect {

/// The conversion of a value to and from one text. A type takes part by specialising this; enums by
/// `wire_names(E)`.
template <class T>
struct TextForm;

template <class T>
concept HasText = requires(T& value, std::string_view text) {
  { TextForm<T>::read(text, value) } -> std::same_as<bool>;
};

template <class T>
concept NamedEnum = std::is_enum_v<T> && requires { wire_names(T{}); };

template <>
struct TextForm<std::string> {
  static constexpr std::string_view kName = "string", kForm = "a text";
  static constexpr bool kAcceptsInteger = false;
  static std::string const& write(std::string const& value) { return value; }
  static bool read(std::string_view text, std::string& out) {
    out = text;
    return true;
  }
};

template <NamedEnum T>
struct TextForm<T> {
  static constexpr std::string_view kName = "string", kForm = "one of the allowed words";
  static constexpr bool kAcceptsInteger = false;
  static constexpr std::span<std::string_view const> choices() { return wire_names(T{}); }
  static std::string_view write(T value) { return wire_names(T{})[static_cast<std::size_t>(value)]; }
  static bool read(std::string_view text, T& out) {
    auto const& names = wire_names(T{});
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i] != text) continue;
      out = static_cast<T>(i);
      return true;
    }
    return false;
  }
};

template <>
struct TextForm<core::Instant> {
  static constexpr std::string_view kName = "date-time", kForm = "a time such as 2026-11-21T08:00:00Z";
  static constexpr bool kAcceptsInteger = false;
  static std::string write(core::Instant value) { return core::to_text(value); }
  static bool read(std::string_view text, core::Instant& out) {
    auto const parsed = core::parse_instant(text);
    if (parsed) out = *parsed;
    return parsed.has_value();
  }
};

template <>
struct TextForm<core::Date> {
  static constexpr std::string_view kName = "date", kForm = "a date such as 2026-11-21";
  static constexpr bool kAcceptsInteger = false;
  static std::string write(core::Date value) { return core::to_text(value); }
  static bool read(std::string_view text, core::Date& out) {
    auto const parsed = core::parse_date(text);
    if (parsed) out = *parsed;
    return parsed.has_value();
  }
};

template <>
struct TextForm<core::Duration> {
  static constexpr std::string_view kName = "duration", kForm = "a duration such as 90s, 35m or 1h30m";
  static constexpr bool kAcceptsInteger = true;
  static std::string write(core::Duration value) { return core::to_text(value); }
  static bool read(std::string_view text, core::Duration& out) {
    auto const parsed = core::parse_duration(text);
    if (parsed) out = *parsed;
    return parsed.has_value();
  }
};

template <>
struct TextForm<core::ByteSize> {
  static constexpr std::string_view kName = "size", kForm = "an amount such as 512MiB or 4GiB";
  static constexpr bool kAcceptsInteger = true;
  static std::string write(core::ByteSize value) { return core::to_text(value); }
  static bool read(std::string_view text, core::ByteSize& out) {
    auto const parsed = core::parse_bytes(text);
    if (parsed) out = *parsed;
    return parsed.has_value();
  }
};

template <>
struct TextForm<core::Actor> {
  static constexpr std::string_view kName = "string", kForm = "an actor such as user:ann or worker:developer";
  static constexpr bool kAcceptsInteger = false;
  static std::string write(core::Actor const& value) { return core::to_text(value); }
  static bool read(std::string_view text, core::Actor& out) {
    auto parsed = core::parse_actor(text);
    if (!parsed) return false;
    out = *std::move(parsed);
    return true;
  }
};

template <>
struct TextForm<core::ReviewBy> {
  static constexpr std::string_view kName = "string", kForm = "a text";
  static constexpr bool kAcceptsInteger = false;
  static std::string write(core::ReviewBy const& value) { return core::to_text(value); }
  static bool read(std::string_view text, core::ReviewBy& out) {
    out = core::parse_review_by(text);
    return true;
  }
};

}  // namespace andon::reflect
