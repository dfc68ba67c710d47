-- name: former_columns
SELECT ts, "from", coalesce(json_extract(data, '$.stage'), '') FROM event INDEXED BY event_column
  WHERE board = $1 AND "to" IS NOT NULL AND ts >= $2 AND task IS NULL ORDER BY ts, seq;

-- The unfinished tasks of a board that wait for other tasks.
-- name: open_dependencies
SELECT d.task, d.depends_on FROM task t JOIN dependency d ON d.task = t.id
  WHERE t.board = $1 AND t.status IN (SELECT value FROM json_each($2)) LIMIT $3;
