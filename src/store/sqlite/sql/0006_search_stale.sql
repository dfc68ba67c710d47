-- Texts whose entry in the full-text index is missing or out of date, by document; the index is told of many at once.
-- What it holds for a document stands here, for it forgets a text only when it is told the text as it was; NULL for
-- a document it does not hold.
CREATE TABLE search_stale (
  document INTEGER PRIMARY KEY,
  title TEXT,
  body TEXT,
  note TEXT
) STRICT;
