#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <doctest/doctest.h>

#include "store/contract/unknown_result.hpp"
#include "store/postgres/connection/connection.hpp"
#include "support/private_postgres.hpp"

namespace andon::store::postgres {

using Kind = StoreError::Kind;

inline doctest::skip without_server() { return doctest::skip(!test::PrivatePostgres::is_installed()); }

inline Connection open(Access access = Access::write, std::string const& user = "owner",
                       TimeLimits limits = {}) {
  Settings settings{test::PrivatePostgres::instance().url(user)};
  settings.set_limits(limits);
  return {settings, access};
}

inline Statement a_statement(std::string text) { return {"a test", std::move(text)}; }

struct Caught {
  std::optional<Kind> kind{};
  std::string text{};
  bool is_unknown = false;
};

inline Caught caught(std::function<void()> const& act) {
  try {
    act();
  } catch (UnknownResult const& error) {
    return {error.kind(), error.what(), true};
  } catch (StoreError const& error) {
    return {error.kind(), error.what()};
  }
  return {};
}

inline bool holds(std::string const& text, std::string_view part) { return text.contains(part); }

inline std::int64_t number(Connection& db, std::string const& text) {
  return db.query(a_statement(text))[0].integer(0);
}

}  // namespace andon::store::postgres
