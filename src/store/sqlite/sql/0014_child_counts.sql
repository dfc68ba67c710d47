-- How many sub-tasks a task has and how many of them are finished, kept with every write. `above` is the parent of the
-- task itself, so that tasks with sub-tasks can be walked without those that have none.
CREATE TABLE child_count (
  parent INTEGER PRIMARY KEY,
  done INTEGER NOT NULL,
  total INTEGER NOT NULL CHECK (total >= 1),
  above INTEGER,
  CHECK (done BETWEEN 0 AND total)
) STRICT;
CREATE INDEX child_count_above ON child_count (above) WHERE above IS NOT NULL;
INSERT INTO child_count
  SELECT c.parent, sum(c.stage = 'done' OR c.stage = 'archived'), count(*), p.parent
    FROM task c LEFT JOIN task p ON p.id = c.parent WHERE c.parent IS NOT NULL GROUP BY c.parent;

-- Tasks that wait to give a verdict on another one, kept with every write.
CREATE TABLE open_review (
  review INTEGER PRIMARY KEY,
  task INTEGER NOT NULL
) STRICT;
CREATE INDEX open_review_of ON open_review (task);
INSERT INTO open_review
  SELECT id, json_extract(details, '$.reviews') FROM task
    WHERE details IS NOT NULL AND coalesce(json_extract(details, '$.reviews'), 0) <> 0
      AND stage <> 'done' AND stage <> 'archived' AND stage <> 'failed';
