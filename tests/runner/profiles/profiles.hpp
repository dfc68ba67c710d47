#pragma once

#include <stdexcept>
#include <string_view>

#include "reflect/json.hpp"
#include "runner/profiles/profile.hpp"
#include "runner/profiles/profile_book.hpp"

namespace andon::test {

inline runner::Profile built_in(std::string_view id) {
  static runner::ProfileBook const book{"/nowhere"};
  auto const* profile = book.find(id);
  if (!profile) throw std::runtime_error("there is no built-in profile of that name");
  return *profile;
}

inline core::Result<runner::Profile> profile_from(std::string_view text) {
  auto const json = reflect::parse_json(text);
  if (!json) return core::refuse(json.error());
  return runner::read_profile(*json);
}

}  // namespace andon::test
