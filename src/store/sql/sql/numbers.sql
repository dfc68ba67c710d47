-- name: finished
SELECT id, created, started, completed, class, assignee, run FROM task
  WHERE board = $1 AND completed IS NOT NULL AND completed >= $2
    AND NOT EXISTS (SELECT 1 FROM abandoned a WHERE a.task = task.id AND a.at = task.completed)
  ORDER BY completed, id LIMIT $3;
-- The tasks finished last, newest first.
-- name: finished_last
SELECT id, created, started, completed, class, assignee, run FROM task
  WHERE board = $1 AND completed IS NOT NULL AND completed >= $2
    AND NOT EXISTS (SELECT 1 FROM abandoned a WHERE a.task = task.id AND a.at = task.completed)
  ORDER BY completed DESC, id DESC LIMIT $3;

-- name: moves_of
SELECT ts, kind, task, "from", "to" FROM event WHERE task = $1 AND "to" IS NOT NULL ORDER BY seq;

-- name: former_columns
SELECT ts, "from", coalesce({member:data:stage}, '') FROM event {indexed:event_column}
  WHERE board = $1 AND "to" IS NOT NULL AND ts >= $2 AND task IS NULL ORDER BY ts, seq;

-- name: longest_started
SELECT {task} FROM task t
  WHERE t.board = $1 AND t.started IS NOT NULL AND t.completed IS NULL ORDER BY t.started, t.id LIMIT $2;

-- The unfinished tasks of a board that wait for other tasks.
-- name: open_dependencies
SELECT d.task, d.depends_on FROM task t JOIN dependency d ON d.task = t.id
  WHERE t.board = $1 AND t.status IN {names:$2} LIMIT $3;
