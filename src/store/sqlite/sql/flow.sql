-- name: abandoned_add
INSERT OR IGNORE INTO abandoned VALUES ($1, $2);

-- Moves in the order of their numbers, with the worker of the task.
-- name: flow_events
SELECT e.seq, e.ts, e.kind, e.board, coalesce(e."from", ''), e."to",
    coalesce(json_extract(r.document, '$.worker'), t.assignee, ''), coalesce(e.data, '')
  FROM event e LEFT JOIN run r ON r.id = e.run LEFT JOIN task t ON t.id = e.task
  WHERE e.seq > $1 AND e.seq <= $2 AND e."to" IS NOT NULL AND e.task IS NOT NULL ORDER BY e.seq;
-- name: column_changes
SELECT ts FROM event INDEXED BY event_column WHERE board = $1 AND "to" IS NOT NULL AND task IS NULL AND ts >= $2 ORDER BY ts;

-- The changed tasks, each as it was counted among the finished tasks and as it is now.
-- name: flow_stale_tasks
SELECT s.board, s.created, s.started, s.completed, s.class,
    coalesce((SELECT json_extract(r.document, '$.worker') FROM run r WHERE r.id = s.run), s.assignee),
    t.board, t.created, t.started, t.completed, t.class,
    coalesce((SELECT json_extract(r.document, '$.worker') FROM run r WHERE r.id = t.run), t.assignee),
    EXISTS (SELECT 1 FROM abandoned a WHERE a.task = s.task AND a.at = s.completed),
    EXISTS (SELECT 1 FROM abandoned a WHERE a.task = s.task AND a.at = t.completed)
  FROM tally_stale s LEFT JOIN task t ON t.id = s.task
  WHERE s.completed IS NOT NULL OR t.completed IS NOT NULL;
-- name: flow_tasks
SELECT t.board, t.created, t.started, t.completed, t.class,
    coalesce((SELECT json_extract(r.document, '$.worker') FROM run r WHERE r.id = t.run), t.assignee),
    EXISTS (SELECT 1 FROM abandoned a WHERE a.task = t.id AND a.at = t.completed), t.id
  FROM task t WHERE t.id > $1 AND t.id <= $2 ORDER BY t.id;

-- name: move_total_add
INSERT INTO move_total VALUES ($1, $2, $3, $4, $5, $6, $7)
  ON CONFLICT (board, at, kind, "from", "to", worker) DO UPDATE SET n = n + excluded.n;
-- name: finished_total_add
INSERT INTO finished_total VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  ON CONFLICT (board, at, class, worker) DO UPDATE SET n = n + excluded.n, lead = lead + excluded.lead,
    cycles = cycles + excluded.cycles, cycle = cycle + excluded.cycle, lead_of_cycles = lead_of_cycles + excluded.lead_of_cycles;
-- name: spread_total_add
INSERT INTO spread_total VALUES ($1, $2, $3, $4, $5) ON CONFLICT (board, day, measure, bucket) DO UPDATE SET n = n + excluded.n;
-- name: run_total_add
INSERT INTO run_total VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
  ON CONFLICT (board, at, worker) DO UPDATE SET runs = runs + excluded.runs, failed = failed + excluded.failed,
    busy = busy + excluded.busy, input = input + excluded.input, output = output + excluded.output,
    cache_read = cache_read + excluded.cache_read, cache_write = cache_write + excluded.cache_write,
    reasoning = reasoning + excluded.reasoning, cost_usd = cost_usd + excluded.cost_usd;
