-- Pickable tasks of one column and lane in pick order, from a key on; the index alone answers.
-- name: pick_probe
SELECT class_rank, pick_due, priority_rank, rank, id FROM task
  WHERE available = 1 AND board = $1 AND status = $2 AND lane = $3
    AND (class_rank, pick_due, priority_rank, rank, id) >= ($6, $7, $8, $9, $10)
  ORDER BY class_rank, pick_due, priority_rank, rank, id;
-- name: pick_probe_class
SELECT class_rank, pick_due, priority_rank, rank, id FROM task
  WHERE available = 1 AND board = $1 AND status = $2 AND lane = $3 AND class_rank = $4
    AND (pick_due, priority_rank, rank, id) >= ($7, $8, $9, $10)
  ORDER BY pick_due, priority_rank, rank, id;
-- name: pick_probe_others
SELECT class_rank, pick_due, priority_rank, rank, id FROM task
  WHERE available = 1 AND board = $1 AND status = $2 AND lane = $3 AND class_rank <> $4
    AND (class_rank, pick_due, priority_rank, rank, id) >= ($6, $7, $8, $9, $10)
  ORDER BY class_rank, pick_due, priority_rank, rank, id;
-- Pickable tasks of one column, lane and tag in pick order, from a key on.
-- name: pick_probe_tag
SELECT class_rank, pick_due, priority_rank, rank, task FROM tag_queue
  WHERE board = $1 AND status = $2 AND lane = $3 AND tag = $5
    AND (class_rank, pick_due, priority_rank, rank, task) >= ($6, $7, $8, $9, $10)
  ORDER BY class_rank, pick_due, priority_rank, rank, task;
-- name: pick_probe_tag_class
SELECT class_rank, pick_due, priority_rank, rank, task FROM tag_queue
  WHERE board = $1 AND status = $2 AND lane = $3 AND tag = $5 AND class_rank = $4
    AND (pick_due, priority_rank, rank, task) >= ($7, $8, $9, $10)
  ORDER BY pick_due, priority_rank, rank, task;
-- name: pick_probe_tag_others
SELECT class_rank, pick_due, priority_rank, rank, task FROM tag_queue
  WHERE board = $1 AND status = $2 AND lane = $3 AND tag = $5 AND class_rank <> $4
    AND (class_rank, pick_due, priority_rank, rank, task) >= ($6, $7, $8, $9, $10)
  ORDER BY class_rank, pick_due, priority_rank, rank, task;
-- Puts a pickable task into the queues of its tags, at the place that its row has.
-- name: tags_enqueue
INSERT OR IGNORE INTO tag_queue
  SELECT t.board, t.status, t.lane, json_each.value, t.class_rank, t.pick_due, t.priority_rank, t.rank, t.id
    FROM task t, json_each(t.details, '$.tags') WHERE t.id = $1 AND t.available = 1;
-- name: tags_dequeue
DELETE FROM tag_queue WHERE task = $1;
-- Tasks whose time has come but which are not marked pickable.
-- name: pick_due_now
SELECT id, board, status, lane, class_rank, pick_due, priority_rank, rank FROM task
  WHERE available = 2 AND available_at <= $1;
-- The next times that can make a task pickable. One is the time of a task that is not marked yet. The other
-- is the end of a claim, which may free files.
-- name: pick_next_time
SELECT (SELECT min(available_at) FROM task WHERE available = 2),
  (SELECT min(claim_expires) FROM task WHERE claim_expires > $1 AND unsettled = 1);
-- The next time at which an ending claim frees files of a board.
-- name: pick_files_free
SELECT min(claim_expires) FROM task
  WHERE board = $1 AND holds_files = 1 AND stage <> 'claimed' AND stage <> 'active' AND claim_expires > $2;
-- The number of tasks before a key in a queue.
-- name: pick_before
SELECT count(*) FROM (SELECT 1 FROM task
  WHERE available = 1 AND board = $1 AND status = $2 AND lane = $3
    AND (class_rank, pick_due, priority_rank, rank, id) < ($4, $5, $6, $7, $8) LIMIT $9);
-- name: pick_before_tag
SELECT count(*) FROM (SELECT 1 FROM tag_queue
  WHERE board = $1 AND status = $2 AND lane = $3 AND tag = $10
    AND (class_rank, pick_due, priority_rank, rank, task) < ($4, $5, $6, $7, $8) LIMIT $9);
-- name: pick_promote
UPDATE task SET available = 1 WHERE id = $1;
-- Approved tasks that wait for room in the ready column.
-- name: pick_approved
SELECT {task} FROM task t
  WHERE t.board = $1 AND t.approved = 1 AND t.stage = 'backlog' AND t.available <> 0
  ORDER BY t.class_rank, t.pick_due, t.priority_rank, t.rank, t.id;
-- name: pick_waiting
SELECT count(*) FROM (SELECT 1 FROM task WHERE available = 1 AND board = $1 AND status = $2 AND lane = $3 LIMIT $4);
-- The next queue after a given one that has pickable tasks in a column.
-- name: pick_next_queue
SELECT min(lane) FROM task WHERE available = 1 AND board = $1 AND status = $2 AND lane > $3;
-- Tasks of a column that are finished, held back or wait for a time.
-- name: pick_aside
SELECT lane, blocked, open_deps, claimed_by, claim_expires, not_before, stage FROM task INDEXED BY task_aside
  WHERE board = $1 AND status = $2 AND available <> 1 LIMIT $3;
