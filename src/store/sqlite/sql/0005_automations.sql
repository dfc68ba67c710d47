-- Numbers are never used again, for the history names them.
CREATE TABLE automation (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE CHECK (name <> ''),
  board INTEGER NOT NULL REFERENCES board ON DELETE CASCADE,
  document TEXT NOT NULL
) STRICT;
CREATE INDEX automation_by_board ON automation (board);
