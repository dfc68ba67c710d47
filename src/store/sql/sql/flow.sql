-- name: flow_settled
SELECT seq, task, run FROM flow_settled WHERE one = 1;
-- name: flow_set_settled
UPDATE flow_settled SET seq = $1, task = $2, run = $3 WHERE one = 1;
-- name: abandoned_add
INSERT INTO abandoned VALUES ($1, $2) ON CONFLICT DO NOTHING;

-- Moves in the order of their numbers, with the worker of the task.
-- name: flow_events
SELECT e.seq, e.ts, e.kind, e.board, coalesce(e."from", ''), e."to",
    coalesce({member:r.document:worker}, t.assignee, ''), coalesce(e.data, '')
  FROM event e LEFT JOIN run r ON r.id = e.run LEFT JOIN task t ON t.id = e.task
  WHERE e.seq > $1 AND e.seq <= $2 AND e."to" IS NOT NULL AND e.task IS NOT NULL ORDER BY e.seq;
-- name: column_changes
SELECT ts FROM event {indexed:event_column} WHERE board = $1 AND "to" IS NOT NULL AND task IS NULL AND ts >= $2 ORDER BY ts;

-- The changed tasks, each as it was counted among the finished tasks and as it is now.
-- name: flow_stale_tasks
SELECT s.board, s.created, s.started, s.completed, s.class,
    coalesce((SELECT {member:r.document:worker} FROM run r WHERE r.id = s.run), s.assignee),
    t.board, t.created, t.started, t.completed, t.class,
    coalesce((SELECT {member:r.document:worker} FROM run r WHERE r.id = t.run), t.assignee),
    EXISTS (SELECT 1 FROM abandoned a WHERE a.task = s.task AND a.at = s.completed),
    EXISTS (SELECT 1 FROM abandoned a WHERE a.task = s.task AND a.at = t.completed)
  FROM tally_stale s LEFT JOIN task t ON t.id = s.task
  WHERE s.completed IS NOT NULL OR t.completed IS NOT NULL;
-- name: flow_tasks
SELECT t.board, t.created, t.started, t.completed, t.class,
    coalesce((SELECT {member:r.document:worker} FROM run r WHERE r.id = t.run), t.assignee),
    EXISTS (SELECT 1 FROM abandoned a WHERE a.task = t.id AND a.at = t.completed), t.id
  FROM task t WHERE t.id > $1 AND t.id <= $2 ORDER BY t.id;
-- name: flow_runs
SELECT id, document FROM run WHERE id > $1 AND id <= $2 AND ended IS NOT NULL ORDER BY id;

-- name: move_total_add
INSERT INTO move_total VALUES ($1, $2, $3, $4, $5, $6, $7)
  ON CONFLICT (board, at, kind, "from", "to", worker) DO UPDATE SET n = move_total.n + excluded.n;
-- name: finished_total_add
INSERT INTO finished_total VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  ON CONFLICT (board, at, class, worker) DO UPDATE SET n = finished_total.n + excluded.n, lead = finished_total.lead + excluded.lead,
    cycles = finished_total.cycles + excluded.cycles, cycle = finished_total.cycle + excluded.cycle, lead_of_cycles = finished_total.lead_of_cycles + excluded.lead_of_cycles;
-- name: finished_total_drop_empty
DELETE FROM finished_total WHERE board = $1 AND at = $2 AND class = $3 AND worker = $4 AND n = 0;
-- name: spread_total_add
INSERT INTO spread_total VALUES ($1, $2, $3, $4, $5) ON CONFLICT (board, day, measure, bucket) DO UPDATE SET n = spread_total.n + excluded.n;
-- name: spread_total_drop_empty
DELETE FROM spread_total WHERE board = $1 AND day = $2 AND measure = $3 AND bucket = $4 AND n = 0;
-- name: run_total_add
INSERT INTO run_total VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
  ON CONFLICT (board, at, worker) DO UPDATE SET runs = run_total.runs + excluded.runs, failed = run_total.failed + excluded.failed,
    busy = run_total.busy + excluded.busy, input = run_total.input + excluded.input, output = run_total.output + excluded.output,
    cache_read = run_total.cache_read + excluded.cache_read, cache_write = run_total.cache_write + excluded.cache_write,
    reasoning = run_total.reasoning + excluded.reasoning, cost_usd = run_total.cost_usd + excluded.cost_usd,
    unpriced = run_total.unpriced + excluded.unpriced, flaky = run_total.flaky + excluded.flaky;

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
SELECT worker, runs, failed, busy, input, output, cache_read, cache_write, reasoning, cost_usd, unpriced, flaky FROM run_total
  WHERE board = $1 AND at >= $2;
