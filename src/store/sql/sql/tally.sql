-- The changed tasks: first the values under which a task was counted, then its present values. Parent 0 means
-- none.
-- name: tally_stale_tasks
SELECT s.board, s.status, s.stage, s.blocked, s.due, s.priority, s.class, s.assignee, s.role, coalesce(s.parent, 0), s.details,
    t.board, t.status, t.stage, t.blocked, t.due, t.priority, t.class, t.assignee, t.role, coalesce(t.parent, 0), t.details
  FROM tally_stale s LEFT JOIN task t ON t.id = s.task;
-- name: tally_tasks
SELECT t.board, t.status, t.stage, t.blocked, t.due, t.priority, t.class, t.assignee, t.role, coalesce(t.parent, 0), t.details
  FROM task t;
-- name: tally_all
SELECT board, facet, value, status, n, blocked FROM tally;
-- name: tally_due_all
SELECT board, facet, value, status, due, n FROM tally_due;
-- name: tally_stale_count
SELECT count(*) FROM (SELECT 1 FROM tally_stale LIMIT $1) AS counted;
-- name: tally_settled
DELETE FROM tally_stale;

-- name: tally_add
INSERT INTO tally VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (board, facet, value, status) DO UPDATE SET n = tally.n + excluded.n, blocked = tally.blocked + excluded.blocked;
-- name: tally_drop_empty
DELETE FROM tally WHERE board = $1 AND facet = $2 AND value = $3 AND status = $4 AND n = 0 AND blocked = 0;
-- name: tally_due_add
INSERT INTO tally_due VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (board, facet, value, status, due) DO UPDATE SET n = tally_due.n + excluded.n;
-- name: tally_due_drop_empty
DELETE FROM tally_due WHERE board = $1 AND facet = $2 AND value = $3 AND status = $4 AND due = $5 AND n = 0;

-- name: tallies_drop
DELETE FROM tally WHERE board = $1;
-- name: tallies_due_drop
DELETE FROM tally_due WHERE board = $1;

-- name: tally_of_facet
SELECT value, status, n, blocked FROM tally WHERE board = $1 AND facet = $2 ORDER BY value, status;
-- name: tally_due_of_facet
SELECT value, status, CAST(sum(n) AS BIGINT) FROM tally_due WHERE board = $1 AND facet = $2 AND due < $3 GROUP BY value, status;
