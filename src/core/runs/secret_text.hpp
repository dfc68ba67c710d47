#pragma once

#include <string_view>

namespace andon::core {

/// True for the value of a setting that is a secret: one of at least eight characters whose name says so, as
/// `DB_PASSWORD` does, or a random one of at least twenty. Paths, addresses and words are none.
bool is_secret_value(std::string_view name, std::string_view value);

}  // namespace andon::core
