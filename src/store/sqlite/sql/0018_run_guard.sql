-- What the server keeps of a run for itself: it is shown to nobody.
CREATE TABLE run_guard (
  run INTEGER PRIMARY KEY REFERENCES run ON DELETE CASCADE,
  document TEXT NOT NULL
) STRICT;
