-- name: flow_settled
SELECT seq, task, run FROM flow_settled WHERE one = 1;
-- name: flow_set_settled
UPDATE flow_settled SET seq = $1, task = $2, run = $3 WHERE one = 1;
-- name: flow_runs
SELECT id, document FROM run WHERE id > $1 AND id <= $2 AND ended IS NOT NULL ORDER BY id;
-- name: finished_total_drop_empty
DELETE FROM finished_total WHERE board = $1 AND at = $2 AND class = $3 AND worker = $4 AND n = 0;
-- name: spread_total_drop_empty
DELETE FROM spread_total WHERE board = $1 AND day = $2 AND measure = $3 AND bucket = $4 AND n = 0;

-- name: move_totals_drop
DELETE FROM move_total WHERE board = $1;
-- name: finished_totals_drop
DELETE FROM finished_total WHERE board = $1;
-- name: spread_totals_drop
DELETE FROM spread_total WHERE board = $1;
-- name: run_totals_drop
DELETE FROM run_total WHERE board = $1;

-- name: move_totals
SELECT at, kind, "from", "to", worker, n FROM move_total WHERE board = $1 AND at >= $2 ORDER BY at;
-- name: finished_totals
SELECT at, class, worker, n, lead, cycles, cycle, lead_of_cycles FROM finished_total WHERE board = $1 AND at >= $2 ORDER BY at;
-- name: spread_totals
SELECT measure, bucket, n FROM spread_total WHERE board = $1 AND day >= $2;
-- name: run_totals
SELECT worker, runs, failed, busy, input, output, cache_read, cache_write, reasoning, cost_usd FROM run_total
  WHERE board = $1 AND at >= $2;
