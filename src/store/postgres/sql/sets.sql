-- A statement NAME_set does for many rows what NAME does for one. Its parameters are arrays, in the order in which
-- the parameters of NAME appear in its text. Such statements wait until another one runs; see session/deferred_sets.hpp.
-- One statement for many rows costs a tenth of many statements, because each prepares all indexes and checks of the table.
-- name: task_uncounted_set
INSERT INTO tally_stale
  SELECT id, board, status, stage, blocked, due, priority, class, assignee, role, parent, details, created, started,
    completed, run
  FROM task WHERE id = ANY($1::bigint[])
  ON CONFLICT DO NOTHING
-- name: task_renew_set
UPDATE task SET rev = v.rev, updated = v.updated, claim_expires = v.claim_expires, available = v.available,
    available_at = v.available_at, unsettled = 1
  FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[])
    AS v(rev, updated, claim_expires, available, available_at, id)
  WHERE task.id = v.id
-- name: task_move_set
UPDATE task SET status = v.status, stage = v.stage, rev = v.rev, updated = v.updated, started = v.started,
    completed = v.completed, entered = v.entered, blocked = v.blocked, open_deps = v.open_deps, claimed_by = v.claimed_by,
    claimed_at = v.claimed_at, claim_expires = v.claim_expires, epoch = v.epoch, supervised = v.supervised,
    attempt = v.attempt, not_before = v.not_before, run = v.run, approved = v.approved, chained = v.chained,
    notes = v.notes, result = v.result, available = v.available, available_at = v.available_at,
    holds_files = v.holds_files, column_rank = v.column_rank, lane = v.lane, stopping = v.stopping, unsettled = 1
  FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[],
      $9::bigint[], $10::text[], $11::bigint[], $12::bigint[], $13::bigint[], $14::bigint[], $15::bigint[],
      $16::bigint[], $17::bigint[], $18::bigint[], $19::bigint[], $20::bigint[], $21::text[], $22::bigint[],
      $23::bigint[], $24::bigint[], $25::bigint[], $26::text[], $27::bigint[], $28::bigint[])
    AS v(status, stage, rev, updated, started, completed, entered, blocked, open_deps, claimed_by, claimed_at,
      claim_expires, epoch, supervised, attempt, not_before, run, approved, chained, notes, result, available,
      available_at, holds_files, column_rank, lane, stopping, id)
  WHERE task.id = v.id
-- name: event_add_set
INSERT INTO event (seq, ts, actor, kind, board, task, run, "from", "to", data, mutation)
  SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::bigint[],
    $8::text[], $9::text[], $10::text[], $11::text[])

-- Tasks by their ids; the body only when $2 is 1 and it is not longer than $3.
-- name: tasks_by_ids
SELECT {task}, CASE WHEN octet_length(b.body)::bigint <= $3::bigint THEN b.body END, coalesce(octet_length(b.body), 0)::bigint
  FROM task t LEFT JOIN task_body b ON b.task = t.id AND $2::bigint = 1 WHERE t.id = ANY($1::bigint[])
-- The relations of many tasks: 0 a task that waits for it, 1 a sub-task, 2 the finished and all sub-tasks, 3 the newest
-- open review. $2 to $5 say which ones are wanted, $6 how many of the first two for each task.
-- name: links_of
SELECT 0, v.id, d.task, 0::bigint FROM unnest($1::bigint[]) AS v(id)
  CROSS JOIN LATERAL (SELECT task FROM dependency WHERE depends_on = v.id ORDER BY task LIMIT $6) AS d WHERE $2::bigint = 1
UNION ALL SELECT 1, v.id, c.id, 0 FROM unnest($1::bigint[]) AS v(id)
  CROSS JOIN LATERAL (SELECT id FROM task WHERE parent = v.id ORDER BY id LIMIT $6) AS c WHERE $3::bigint = 1
UNION ALL SELECT 2, parent, done, total FROM child_count WHERE parent = ANY($1::bigint[]) AND $4::bigint = 1
UNION ALL SELECT 3, task, max(review), 0 FROM open_review WHERE task = ANY($1::bigint[]) AND $5::bigint = 1 GROUP BY task
