#pragma once

#include <string>
#include <string_view>

#include "reflect/text.hpp"

namespace andon::service {

/// A priority as callers write it: its name, or its place from the top.
struct PriorityName {
  std::string text;
  bool operator==(PriorityName const&) const = default;
};

}  // namespace andon::service

namespace andon::reflect {

template <>
struct TextForm<service::PriorityName> {
  static constexpr std::string_view kName = "priority", kForm = "a priority's name or its place from the top";
  static constexpr bool kAcceptsInteger = true;
  static std::string const& write(service::PriorityName const& value) { return value.text; }
  static bool read(std::string_view text, service::PriorityName& out) {
    out.text = text;
    return true;
  }
};

}  // namespace andon::reflect
