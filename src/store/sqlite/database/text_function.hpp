#pragma once

struct sqlite3;

namespace andon::store::sqlite {

/// Adds the SQL function `has_text(text, part)`: whether a text contains the part, ignoring case. The part
/// must be in lower case. SQLite's LIKE ignores case for ASCII letters only. Returns false when SQLite
/// refuses the function.
bool add_text_function(sqlite3* db);

}  // namespace andon::store::sqlite
