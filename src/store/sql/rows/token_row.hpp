#pragma once

#include <string_view>

#include "store/contract/query.hpp"
#include "store/sql/database/connection.hpp"

namespace andon::store::sql {

Token token_in(Statement const& row);
/// Binds `$1…$12` in the order of the columns.
void bind_token(Statement& statement, Token const& token);

}  // namespace andon::store::sql
