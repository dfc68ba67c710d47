-- {task} is replaced by the columns that `row_in` of task_row.cpp reads, of a table or alias named t.
-- name: task_by_id
SELECT {task} FROM task t WHERE t.id = $1;
-- name: task_last_id
SELECT {max}((SELECT coalesce(max(id), 0) FROM task), (SELECT coalesce(max(task), 0) FROM file_number),
  (SELECT task FROM numbered WHERE one = 1), (SELECT coalesce(max(last), 0) FROM given WHERE name = 'task'));
-- name: task_add
INSERT INTO task (id, board, status, stage, rev, updated, started, completed, entered, blocked, open_deps, claimed_by,
    claimed_at, claim_expires, epoch, supervised, attempt, not_before, run, approved, chained, notes, result,
    available, available_at, holds_files, column_rank,
    title, priority, class, assignee, role, parent, due, rank, key, created, source, created_by, max_attempts,
    lane, class_rank, pick_due, priority_rank, stopping, details, archived)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23,
    $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36, $37, $38, $39, $40, $41, $42, $43, $44, $45, $46,
    CASE WHEN $4 = 'archived' THEN 1 ELSE 0 END);
-- Renews a claim, which changes two indexes.
-- name: task_renew
UPDATE task SET rev = $2, updated = $3, claim_expires = $4, available = $5, available_at = $6, unsettled = 1 WHERE id = $1;
-- Writes the columns that claims, moves and verdicts change. Indexes on other columns stay unchanged.
-- name: task_move
UPDATE task SET status = $3, stage = $4, rev = $5, updated = $6, started = $7, completed = $8, entered = $9,
    blocked = $10, open_deps = $11, claimed_by = $12, claimed_at = $13, claim_expires = $14, epoch = $15,
    supervised = $16, attempt = $17, not_before = $18, run = $19, approved = $20, chained = $21, notes = $22,
    result = $23, available = $24, available_at = $25, holds_files = $26, column_rank = $27, lane = $41, stopping = $45,
    unsettled = 1
  WHERE id = $1;
-- name: task_put
UPDATE task SET board = $2, status = $3, stage = $4, rev = $5, updated = $6, started = $7, completed = $8,
    entered = $9, blocked = $10, open_deps = $11, claimed_by = $12, claimed_at = $13, claim_expires = $14, epoch = $15,
    supervised = $16, attempt = $17, not_before = $18, run = $19, approved = $20, chained = $21, notes = $22,
    result = $23, available = $24, available_at = $25, holds_files = $26, column_rank = $27, title = $28,
    priority = $29, class = $30, assignee = $31, role = $32, parent = $33, due = $34, rank = $35, key = $36,
    created = $37, source = $38, created_by = $39, max_attempts = $40, lane = $41, class_rank = $42, pick_due = $43,
    priority_rank = $44, stopping = $45, details = $46, unsettled = 1
  WHERE id = $1;
-- Apart from the other columns, because four indexes have it.
-- name: task_set_archived
UPDATE task SET archived = $2 WHERE id = $1;
-- Keeps the values under which the task is counted. Run before the task changes.
-- name: task_uncounted
INSERT INTO tally_stale
  SELECT id, board, status, stage, blocked, due, priority, class, assignee, role, parent, details, created, started,
    completed, run
  FROM task WHERE id = $1
  ON CONFLICT DO NOTHING;
-- name: task_uncounted_new
INSERT INTO tally_stale (task) VALUES ($1) ON CONFLICT DO NOTHING;
-- name: task_remove
DELETE FROM task WHERE id = $1;
-- Writes the columns that a change of the board changes in its tasks.
-- name: task_derive
UPDATE task SET stage = $2, available = $3, available_at = $4, holds_files = $5, column_rank = $6, lane = $7,
    class_rank = $8, pick_due = $9, priority_rank = $10, unsettled = 1
  WHERE id = $1 AND (stage, available, available_at, holds_files, column_rank, lane, class_rank, pick_due, priority_rank)
    IS DISTINCT FROM ($2, $3, $4, $5, $6, $7, $8, $9, $10);
-- name: body_by_task
SELECT body FROM task_body WHERE task = $1;
-- name: body_put
INSERT INTO task_body (task, body) VALUES ($1, $2) ON CONFLICT (task) DO UPDATE SET body = excluded.body;
-- name: body_remove
DELETE FROM task_body WHERE task = $1;
-- name: sketch_add
INSERT INTO task_sketch (board, key, task) SELECT $1, k.value, $2 FROM {ids:$3} AS k WHERE true ON CONFLICT DO NOTHING;
-- name: sketch_remove
DELETE FROM task_sketch WHERE task = $1;
-- The newest tasks with one of the keys $2. Of each key only the newest are read, $3 says how many less one.
-- name: tasks_alike
SELECT {task} FROM task t
  WHERE t.id IN (SELECT s.task FROM {ids:$2} AS k {cross} task_sketch s ON s.board = $1 AND s.key = k.value
    AND s.task >= coalesce((SELECT b.task FROM task_sketch b WHERE b.board = $1 AND b.key = k.value
      ORDER BY b.task DESC LIMIT 1 OFFSET $3), 0))
  ORDER BY t.id DESC LIMIT $4;
-- name: task_tag_add
INSERT INTO task_tag (tag, task) VALUES ($1, $2) ON CONFLICT DO NOTHING;
-- name: task_tag_remove
DELETE FROM task_tag WHERE tag = $1 AND task = $2;
-- name: dependency_add
INSERT INTO dependency (task, depends_on) VALUES ($1, $2) ON CONFLICT DO NOTHING;
-- name: dependencies_remove
DELETE FROM dependency WHERE task = $1;
-- name: dependents
SELECT task FROM dependency WHERE depends_on = $1 ORDER BY task LIMIT $2;
-- name: children
SELECT id FROM task WHERE parent = $1 ORDER BY id LIMIT $2;
-- name: claims_of
SELECT {task} FROM task t
  WHERE t.claimed_by = $1 AND t.claimed_by <> '' AND (t.stage = 'ready' OR t.stage = 'claimed' OR t.stage = 'active')
    AND (t.claim_expires IS NULL OR t.claim_expires > $2)
  ORDER BY t.id;
-- name: touching
SELECT {task} FROM task t WHERE t.board = $1 AND t.holds_files = 1 ORDER BY t.id;
-- name: expired
SELECT {task} FROM task t
  WHERE t.claim_expires IS NOT NULL AND t.unsettled = 1 AND t.claim_expires <= $1 AND (t.claim_expires, t.id) > ($2, $3)
  ORDER BY t.claim_expires, t.id LIMIT $4;
-- name: claim_settle
UPDATE task SET unsettled = 0 WHERE id = $1;
-- name: claims_unsettle_of
UPDATE task SET unsettled = 1
  WHERE claimed_by = $1 AND claimed_by <> '' AND (stage = 'claimed' OR stage = 'active') AND unsettled = 0;
-- name: claims_unsettle_in
UPDATE task SET unsettled = 1 WHERE board = $1 AND status = $2 AND claim_expires IS NOT NULL AND unsettled = 0;
-- name: claims_after
SELECT {task} FROM task t WHERE t.claim_expires > $1 AND t.unsettled = 1 ORDER BY t.claim_expires, t.id LIMIT $2;
-- A task that becomes pickable when its claim ends does so when the moved claim ends. $3: boards that keep
-- claims in their files.
-- name: claims_move
UPDATE task SET claim_expires = claim_expires + $2,
    available_at = CASE WHEN available_at IS NOT NULL THEN {max}(claim_expires + $2, coalesce(not_before, 0)) END
  WHERE claim_expires > $1 AND unsettled = 1 AND (supervised = 1 OR board NOT IN {ids:$3});
-- name: claims_extend_runs
UPDATE task SET claim_expires = $2,
    available_at = CASE WHEN available_at IS NOT NULL THEN {max}($2, coalesce(not_before, 0)) END
  WHERE claim_expires > $1 AND unsettled = 1 AND claim_expires < $2 AND supervised = 1;
-- name: claims_extend_of_board
UPDATE task SET claim_expires = $2,
    available_at = CASE WHEN available_at IS NOT NULL THEN {max}($2, coalesce(not_before, 0)) END
  WHERE claim_expires > $1 AND unsettled = 1 AND claim_expires < $2 AND supervised = 0 AND +board = $3;
-- name: retries_after
SELECT {task} FROM task t
  WHERE t.not_before IS NOT NULL AND t.attempt > 0 AND t.not_before > $1 ORDER BY t.not_before, t.id;
-- name: rank_after
SELECT min(rank) FROM task
  WHERE board = $1 AND status = $2 AND class_rank = $3 AND pick_due = $4 AND priority_rank = $5 AND id <> $6 AND rank > $7;
-- name: rank_before
SELECT max(rank) FROM task
  WHERE board = $1 AND status = $2 AND class_rank = $3 AND pick_due = $4 AND priority_rank = $5 AND id <> $6 AND rank < $7;
-- name: tasks_of_board
SELECT {task} FROM task t WHERE t.board = $1 AND t.id > $2 ORDER BY t.id LIMIT $3;
-- name: task_ids_of_board
SELECT id FROM task WHERE board = $1 LIMIT $2;
