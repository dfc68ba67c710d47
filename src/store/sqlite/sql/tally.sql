-- name: tally_stale_count
SELECT count(*) FROM (SELECT 1 FROM tally_stale LIMIT $1);

-- name: tally_add
INSERT INTO tally VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (board, facet, value, status) DO UPDATE SET n = n + excluded.n, blocked = blocked + excluded.blocked;
-- name: tally_due_add
INSERT INTO tally_due VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (board, facet, value, status, due) DO UPDATE SET n = n + excluded.n;
