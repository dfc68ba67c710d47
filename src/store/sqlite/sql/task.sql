-- name: task_last_id
SELECT max((SELECT coalesce(max(id), 0) FROM task), (SELECT coalesce(max(task), 0) FROM file_number),
  (SELECT task FROM numbered WHERE one = 1), (SELECT coalesce(max(last), 0) FROM given WHERE name = 'task'));
-- name: task_add
INSERT INTO task (id, board, status, stage, rev, updated, started, completed, entered, blocked, open_deps, claimed_by,
    claimed_at, claim_expires, epoch, supervised, attempt, not_before, run, approved, chained, notes, result,
    available, available_at, holds_files, column_rank,
    title, priority, class, assignee, role, parent, due, rank, key, created, source, created_by, max_attempts,
    lane, class_rank, pick_due, priority_rank, stopping, details, archived)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23,
    $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36, $37, $38, $39, $40, $41, $42, $43, $44, $45, $46, $4 = 'archived');
-- Keeps the values under which the task is counted. Run before the task changes.
-- name: task_uncounted
INSERT OR IGNORE INTO tally_stale
  SELECT id, board, status, stage, blocked, due, priority, class, assignee, role, parent, details, created, started,
    completed, run
  FROM task WHERE id = $1;
-- name: task_uncounted_new
INSERT OR IGNORE INTO tally_stale (task) VALUES ($1);
-- Writes the columns that a change of the board changes in its tasks.
-- name: task_derive
UPDATE task SET stage = $2, available = $3, available_at = $4, holds_files = $5, column_rank = $6, lane = $7,
    class_rank = $8, pick_due = $9, priority_rank = $10, unsettled = 1
  WHERE id = $1 AND (stage, available, available_at, holds_files, column_rank, lane, class_rank, pick_due, priority_rank)
    IS NOT ($2, $3, $4, $5, $6, $7, $8, $9, $10);
-- name: task_tag_add
INSERT OR IGNORE INTO task_tag (tag, task) VALUES ($1, $2);
-- A task that becomes pickable when its claim ends does so when the moved claim ends. $3: boards that keep
-- claims in their files.
-- name: claims_move
UPDATE task SET claim_expires = claim_expires + $2,
    available_at = iif(available_at IS NULL, NULL, max(claim_expires + $2, coalesce(not_before, 0)))
  WHERE claim_expires > $1 AND unsettled = 1 AND (supervised = 1 OR board NOT IN (SELECT value FROM json_each($3)));
-- name: claims_extend_runs
UPDATE task SET claim_expires = $2,
    available_at = iif(available_at IS NULL, NULL, max($2, coalesce(not_before, 0)))
  WHERE claim_expires > $1 AND unsettled = 1 AND claim_expires < $2 AND supervised = 1;
-- name: claims_extend_of_board
UPDATE task SET claim_expires = $2,
    available_at = iif(available_at IS NULL, NULL, max($2, coalesce(not_before, 0)))
  WHERE claim_expires > $1 AND unsettled = 1 AND claim_expires < $2 AND supervised = 0 AND +board = $3;
