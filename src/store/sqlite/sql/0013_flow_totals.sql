-- Totals of the flow of work: what metrics, forecasts and charts answer, whatever the history keeps. Trimming the
-- history does not touch them. Quarters of an hour, so that days begin where the asker's do; `at` is the beginning of
-- the quarter, or the instant after the last change of the board's columns in it, so that a name of a column means one
-- thing in a row. Kept from the history and the tasks when a few hundred changes wait: flow_totals.cpp.

-- Events that brought tasks into columns. `worker` is whose result left a review; the kind is `board.changed` where the
-- column went and took the task along.
CREATE TABLE move_total (
  board INTEGER NOT NULL,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  "from" TEXT NOT NULL,
  "to" TEXT NOT NULL,
  worker TEXT NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (board, at, kind, "from", "to", worker)
) STRICT, WITHOUT ROWID;
-- Finished tasks by when they were finished, by class and by who did them; milliseconds from creation to completion,
-- and from start to completion for those that were started.
CREATE TABLE finished_total (
  board INTEGER NOT NULL,
  at INTEGER NOT NULL,
  class TEXT NOT NULL,
  worker TEXT NOT NULL,
  n INTEGER NOT NULL,
  lead INTEGER NOT NULL,
  cycles INTEGER NOT NULL,
  cycle INTEGER NOT NULL,
  lead_of_cycles INTEGER NOT NULL,
  PRIMARY KEY (board, at, class, worker)
) STRICT, WITHOUT ROWID;
-- How their times spread, by day (UTC): `bucket` holds times that differ by less than 5 per cent.
CREATE TABLE spread_total (
  board INTEGER NOT NULL,
  day INTEGER NOT NULL,
  measure TEXT NOT NULL CHECK (measure = 'lead' OR measure = 'cycle'),
  bucket INTEGER NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (board, day, measure, bucket)
) STRICT, WITHOUT ROWID;
-- Runs by when they ended and by worker.
CREATE TABLE run_total (
  board TEXT NOT NULL,
  at INTEGER NOT NULL,
  worker TEXT NOT NULL,
  runs INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  busy INTEGER NOT NULL,
  input INTEGER NOT NULL,
  output INTEGER NOT NULL,
  cache_read INTEGER NOT NULL,
  cache_write INTEGER NOT NULL,
  reasoning INTEGER NOT NULL,
  cost_usd REAL NOT NULL,
  PRIMARY KEY (board, at, worker)
) STRICT, WITHOUT ROWID;

-- Events up to `seq` are in move_total; tasks up to `task` and runs up to `run` are in the others, which is all of them
-- but while a database of before is brought up to date.
CREATE TABLE flow_settled (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  seq INTEGER NOT NULL,
  task INTEGER NOT NULL,
  run INTEGER NOT NULL
) STRICT;
INSERT INTO flow_settled VALUES (1, 0, 0, 0);

-- Tasks that were put away unfinished, with the time their row says they were completed: they count as finished nowhere.
CREATE TABLE abandoned (
  task INTEGER NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (task, at)
) STRICT, WITHOUT ROWID;
INSERT OR IGNORE INTO abandoned
  SELECT t.id, t.completed FROM task t CROSS JOIN event e ON e.task = t.id AND e.ts = t.completed AND e."to" = t.status
    WHERE t.archived = 1 AND t.completed IS NOT NULL
      AND coalesce(e."from", '') NOT IN (SELECT json_extract(c.value, '$.name') FROM board b, json_each(b.document, '$.columns') c
        WHERE b.id = t.board AND json_extract(c.value, '$.stage') = 'done');

-- Changes of columns among the moves.
CREATE INDEX event_column ON event (board, ts) WHERE "to" IS NOT NULL AND task IS NULL;
