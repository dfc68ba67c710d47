#include "store/sqlite/database/text_function.hpp"

#include <exception>
#include <string_view>

#include <sqlite3.h>

#include "core/text/lower_case.hpp"

namespace andon::store::sqlite {
namespace {

std::string_view text_in(sqlite3_value* value) {
  auto const* text = reinterpret_cast<char const*>(sqlite3_value_text(value));
  return {text ? text : "", static_cast<std::size_t>(sqlite3_value_bytes(value))};
}

void has_text(sqlite3_context* context, int, sqlite3_value** values) try {
  auto const part = text_in(values[1]);
  sqlite3_result_int(context, core::lower_case(text_in(values[0])).contains(part) ? 1 : 0);
} catch (std::exception const&) {
  sqlite3_result_error_nomem(context);
}

}  // namespace

bool add_text_function(sqlite3* db) {
  return sqlite3_create_function_v2(db, "has_text", 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY,
                                    nullptr, &has_text, nullptr, nullptr, nullptr) == SQLITE_OK;
}

}  // namespace andon::store::sqlite
