-- How many tasks of each board have each value of a facet, by column: what summaries answer. A value is a text, or the
-- number of a parent; it is '' or 0 where a task has none, and '' for the facet `status`, which counts the columns alone.
-- A task with several tags counts under each. `andon doctor` compares all of it with the tasks.
CREATE TABLE tally (
  board INTEGER NOT NULL,
  facet TEXT NOT NULL,
  value ANY NOT NULL,
  status TEXT NOT NULL,
  n INTEGER NOT NULL,
  blocked INTEGER NOT NULL,
  PRIMARY KEY (board, facet, value, status)
) STRICT, WITHOUT ROWID;
-- Those that have a due day and are not finished, by it: how many are overdue depends on the day of the question.
CREATE TABLE tally_due (
  board INTEGER NOT NULL,
  facet TEXT NOT NULL,
  value ANY NOT NULL,
  status TEXT NOT NULL,
  due INTEGER NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (board, facet, value, status, due)
) STRICT, WITHOUT ROWID;

-- Tasks that stand elsewhere than they are counted, here and in the totals of flow, with where they are counted; `board` is NULL for one that is not
-- counted yet. The writer counts many at once (tallies.cpp), so that a commit writes one page for all facets; who reads
-- adds what stands here. The triggers see every change, whichever statement makes it.
CREATE TABLE tally_stale (
  task INTEGER PRIMARY KEY,
  board INTEGER,
  status TEXT,
  stage TEXT,
  blocked INTEGER,
  due INTEGER,
  priority TEXT,
  class TEXT,
  assignee TEXT,
  role TEXT,
  parent INTEGER,
  details TEXT,
  created INTEGER,
  started INTEGER,
  completed INTEGER,
  run INTEGER
) STRICT;
CREATE TRIGGER tally_new_task AFTER INSERT ON task BEGIN
  INSERT OR IGNORE INTO tally_stale (task) VALUES (NEW.id);
END;
CREATE TRIGGER tally_changed_task
  AFTER UPDATE OF board, status, stage, blocked, due, priority, class, assignee, role, parent, details,
    created, started, completed, run ON task
  WHEN OLD.status <> NEW.status OR OLD.stage <> NEW.stage OR OLD.blocked <> NEW.blocked OR OLD.due IS NOT NEW.due
    OR OLD.priority <> NEW.priority OR OLD.class <> NEW.class OR OLD.assignee <> NEW.assignee OR OLD.role <> NEW.role
    OR OLD.parent IS NOT NEW.parent OR OLD.board <> NEW.board OR OLD.details IS NOT NEW.details
    OR OLD.completed IS NOT NEW.completed OR OLD.started IS NOT NEW.started OR OLD.created <> NEW.created
    OR OLD.run IS NOT NEW.run
BEGIN
  INSERT OR IGNORE INTO tally_stale
    VALUES (OLD.id, OLD.board, OLD.status, OLD.stage, OLD.blocked, OLD.due, OLD.priority, OLD.class, OLD.assignee,
      OLD.role, OLD.parent, OLD.details, OLD.created, OLD.started, OLD.completed, OLD.run);
END;
CREATE TRIGGER tally_removed_task AFTER DELETE ON task BEGIN
  INSERT OR IGNORE INTO tally_stale
    VALUES (OLD.id, OLD.board, OLD.status, OLD.stage, OLD.blocked, OLD.due, OLD.priority, OLD.class, OLD.assignee,
      OLD.role, OLD.parent, OLD.details, OLD.created, OLD.started, OLD.completed, OLD.run);
END;

-- What there is: one pass for what tasks hold themselves, one for tags.
CREATE TEMP TABLE standing AS
  SELECT board, status, blocked, CASE WHEN stage = 'done' OR stage = 'archived' THEN NULL ELSE due END AS due, priority,
    class, assignee, role, coalesce(parent, 0) AS parent, count(*) AS n
  FROM task GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9;
CREATE TEMP TABLE standing_tag AS
  SELECT t.board, t.status, t.blocked,
    CASE WHEN t.stage = 'done' OR t.stage = 'archived' THEN NULL ELSE t.due END AS due, coalesce(tag.value, '') AS tag,
    count(*) AS n
  FROM task t LEFT JOIN json_each(t.details, '$.tags') AS tag GROUP BY 1, 2, 3, 4, 5;
INSERT INTO tally SELECT board, 'status', '', status, sum(n), sum(blocked * n) FROM standing GROUP BY board, status;
INSERT INTO tally SELECT board, 'priority', priority, status, sum(n), sum(blocked * n) FROM standing GROUP BY 1, 3, 4;
INSERT INTO tally SELECT board, 'class', class, status, sum(n), sum(blocked * n) FROM standing GROUP BY 1, 3, 4;
INSERT INTO tally SELECT board, 'assignee', assignee, status, sum(n), sum(blocked * n) FROM standing GROUP BY 1, 3, 4;
INSERT INTO tally SELECT board, 'role', role, status, sum(n), sum(blocked * n) FROM standing GROUP BY 1, 3, 4;
INSERT INTO tally SELECT board, 'parent', parent, status, sum(n), sum(blocked * n) FROM standing GROUP BY 1, 3, 4;
INSERT INTO tally SELECT board, 'tag', tag, status, sum(n), sum(blocked * n) FROM standing_tag GROUP BY 1, 3, 4;
DELETE FROM standing WHERE due IS NULL;
DELETE FROM standing_tag WHERE due IS NULL;
INSERT INTO tally_due SELECT board, 'status', '', status, due, sum(n) FROM standing GROUP BY board, status, due;
INSERT INTO tally_due SELECT board, 'priority', priority, status, due, sum(n) FROM standing GROUP BY 1, 3, 4, 5;
INSERT INTO tally_due SELECT board, 'class', class, status, due, sum(n) FROM standing GROUP BY 1, 3, 4, 5;
INSERT INTO tally_due SELECT board, 'assignee', assignee, status, due, sum(n) FROM standing GROUP BY 1, 3, 4, 5;
INSERT INTO tally_due SELECT board, 'role', role, status, due, sum(n) FROM standing GROUP BY 1, 3, 4, 5;
INSERT INTO tally_due SELECT board, 'parent', parent, status, due, sum(n) FROM standing GROUP BY 1, 3, 4, 5;
INSERT INTO tally_due SELECT board, 'tag', tag, status, due, sum(n) FROM standing_tag GROUP BY 1, 3, 4, 5;
DROP TABLE standing;
DROP TABLE standing_tag;
