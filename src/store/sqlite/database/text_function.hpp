#pragma once

struct sqlite3;

namespace andon::store::sqlite {

/// Adds `has_text(text, part)`: whether a text holds the part, which is in small letters, whatever its own
/// case. SQLite's LIKE knows the letters of ASCII only. False when SQLite refuses.
bool add_text_function(sqlite3* db);

}  // namespace andon::store::sqlite
