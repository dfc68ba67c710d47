-- Pickable tasks of one column and lane in pick order, from a key on.
-- name: pick_probe
SELECT {task}, t.class_rank, t.pick_due, t.priority_rank FROM task t
  WHERE t.available = 1 AND t.board = $1 AND t.status = $2 AND t.lane = $3
    AND (t.class_rank, t.pick_due, t.priority_rank, t.rank, t.id) >= ($6, $7, $8, $9, $10)
  ORDER BY t.class_rank, t.pick_due, t.priority_rank, t.rank, t.id LIMIT $11;
-- name: pick_probe_class
SELECT {task}, t.class_rank, t.pick_due, t.priority_rank FROM task t
  WHERE t.available = 1 AND t.board = $1 AND t.status = $2 AND t.lane = $3 AND t.class_rank = $4
    AND (t.pick_due, t.priority_rank, t.rank, t.id) >= ($7, $8, $9, $10)
  ORDER BY t.pick_due, t.priority_rank, t.rank, t.id LIMIT $11;
-- name: pick_probe_others
SELECT {task}, t.class_rank, t.pick_due, t.priority_rank FROM task t
  WHERE t.available = 1 AND t.board = $1 AND t.status = $2 AND t.lane = $3 AND t.class_rank <> $4
    AND (t.class_rank, t.pick_due, t.priority_rank, t.rank, t.id) >= ($6, $7, $8, $9, $10)
  ORDER BY t.class_rank, t.pick_due, t.priority_rank, t.rank, t.id LIMIT $11;
-- name: tags_dequeue
DELETE FROM tag_queue WHERE task = $1;
-- Tasks whose time has come but which are not marked pickable.
-- name: pick_due_now
SELECT {task}, t.class_rank, t.pick_due, t.priority_rank FROM task t
  WHERE t.available = 2 AND t.available_at <= $1;
-- The next times that can make a task pickable. One is the time of a task that is not marked yet. The other
-- is the end of a claim, which may free files.
-- name: pick_next_time
SELECT (SELECT min(available_at) FROM task WHERE available = 2),
  (SELECT min(claim_expires) FROM task WHERE claim_expires > $1 AND unsettled = 1);
-- name: pick_promote
UPDATE task SET available = 1 WHERE id = $1;
-- Approved tasks that wait for room in the ready column, in pick order from a key on.
-- name: pick_approved
SELECT {task}, t.class_rank, t.pick_due, t.priority_rank FROM task t
  WHERE t.board = $1 AND t.approved = 1 AND t.stage = 'backlog' AND t.available <> 0
    AND (t.class_rank, t.pick_due, t.priority_rank, t.rank, t.id) >= ($2, $3, $4, $5, $6)
  ORDER BY t.class_rank, t.pick_due, t.priority_rank, t.rank, t.id LIMIT $7;
-- The next queue after a given one that has pickable tasks in a column.
-- name: pick_next_queue
SELECT min(lane) FROM task WHERE available = 1 AND board = $1 AND status = $2 AND lane > $3;
