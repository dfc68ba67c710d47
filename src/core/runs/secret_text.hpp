#pragma once

#include <string_view>

namespace andon::core {

/// True when the line holds a private key or a token of a well-known form. Examples, such as
/// `AKIAIOSFODNN7EXAMPLE` or a token of one repeated character, are none.
bool holds_secret(std::string_view line);

/// True for the value of a setting that is a secret: one of at least eight characters whose name says so, as
/// `DB_PASSWORD` does, or a random one of at least twenty. Paths, addresses and words are none.
bool is_secret_value(std::string_view name, std::string_view value);

/// An extended regular expression that fits every line with a secret, and some others: for a search that is
/// to find the files worth a closer look.
inline constexpr char kMaybeSecret[] =
    "PRIVATE KEY-----|A(KIA|SIA)[A-Z0-9]{16}|gh[pousr]_[A-Za-z0-9]{30}|github_pat_[A-Za-z0-9_]{30}|"
    "glpat-[A-Za-z0-9_-]{20}|xox[abprs]-[A-Za-z0-9-]{20}|AIza[A-Za-z0-9_-]{30}|npm_[A-Za-z0-9]{30}|"
    "sk-[A-Za-z0-9_-]{20}|[sr]k_live_[A-Za-z0-9]{20}|SG\\.[A-Za-z0-9_-]{20}|hf_[A-Za-z0-9]{30}|"
    "pypi-[A-Za-z0-9_-]{50}|dop_v1_[a-f0-9]{60}";

}  // namespace andon::core
