#include "store/postgres/driver/grants.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "core/text/ascii.hpp"
#include "store/contract/store_error.hpp"

namespace andon::store::postgres {
namespace {

constexpr std::size_t kLongestName = 63;

/// {role} and {schema} stand for names that need no quotes.
constexpr std::string_view kGrants =
    R"(-- Run this as the owner of the database, before the tables are made. Then make them, also as the owner:
--   andon store migrate --store postgres://OWNER@HOST/DATABASE
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{role}') THEN CREATE ROLE {role} LOGIN; END IF;
END $$;
CREATE SCHEMA IF NOT EXISTS {schema};
REVOKE ALL ON SCHEMA {schema} FROM PUBLIC;
GRANT USAGE ON SCHEMA {schema} TO {role};
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA {schema} TO {role};
GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA {schema} TO {role};
ALTER DEFAULT PRIVILEGES IN SCHEMA {schema} GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO {role};
ALTER DEFAULT PRIVILEGES IN SCHEMA {schema} GRANT USAGE, SELECT ON SEQUENCES TO {role};
)";

void refuse_unless_plain(std::string_view what, std::string_view name) {
  bool const is_plain = !name.empty() && name.size() <= kLongestName && !core::is_ascii_digit(name.front()) &&
                        std::ranges::all_of(name, [](char c) {
                          return c == '_' || core::is_ascii_digit(c) || (c >= 'a' && c <= 'z');
                        });
  if (is_plain) return;
  throw StoreError{StoreError::Kind::refused, "the name of the " + std::string{what} +
                                                  " may have small letters, digits and \"_\", and begins "
                                                  "with no digit"};
}

}  // namespace

std::string grant_sql(std::string const& role, std::string const& schema) {
  refuse_unless_plain("role", role);
  refuse_unless_plain("schema", schema);
  std::string out{kGrants};
  for (auto const& [slot, name] : {std::pair{std::string_view{"{role}"}, std::string_view{role}},
                                   std::pair{std::string_view{"{schema}"}, std::string_view{schema}}})
    for (auto at = out.find(slot); at != std::string::npos; at = out.find(slot, at + name.size()))
      out.replace(at, slot.size(), name);
  return out;
}

}  // namespace andon::store::postgres
