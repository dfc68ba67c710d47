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
-- Pickable tasks of one column, lane and tag in pick order, from a key on.
-- name: pick_probe_tag
SELECT {task}, q.class_rank, q.pick_due, q.priority_rank FROM tag_queue q {cross} task t ON t.id = q.task
  WHERE q.board = $1 AND q.status = $2 AND q.lane = $3 AND q.tag = $5
    AND (q.class_rank, q.pick_due, q.priority_rank, q.rank, q.task) >= ($6, $7, $8, $9, $10)
  ORDER BY q.class_rank, q.pick_due, q.priority_rank, q.rank, q.task LIMIT $11;
-- name: pick_probe_tag_class
SELECT {task}, q.class_rank, q.pick_due, q.priority_rank FROM tag_queue q {cross} task t ON t.id = q.task
  WHERE q.board = $1 AND q.status = $2 AND q.lane = $3 AND q.tag = $5 AND q.class_rank = $4
    AND (q.pick_due, q.priority_rank, q.rank, q.task) >= ($7, $8, $9, $10)
  ORDER BY q.pick_due, q.priority_rank, q.rank, q.task LIMIT $11;
-- name: pick_probe_tag_others
SELECT {task}, q.class_rank, q.pick_due, q.priority_rank FROM tag_queue q {cross} task t ON t.id = q.task
  WHERE q.board = $1 AND q.status = $2 AND q.lane = $3 AND q.tag = $5 AND q.class_rank <> $4
    AND (q.class_rank, q.pick_due, q.priority_rank, q.rank, q.task) >= ($6, $7, $8, $9, $10)
  ORDER BY q.class_rank, q.pick_due, q.priority_rank, q.rank, q.task LIMIT $11;
-- Puts a pickable task into the queues of its tags, at the place that its row has.
-- name: tags_enqueue
INSERT INTO tag_queue
  SELECT t.board, t.status, t.lane, tag.value, t.class_rank, t.pick_due, t.priority_rank, t.rank, t.id
    FROM task t, {tags:t.details} WHERE t.id = $1 AND t.available = 1
  ON CONFLICT DO NOTHING;
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
-- The number of tasks before a key in a queue.
-- name: pick_before
SELECT count(*) FROM (SELECT 1 FROM task
  WHERE available = 1 AND board = $1 AND status = $2 AND lane = $3
    AND (class_rank, pick_due, priority_rank, rank, id) < ($4, $5, $6, $7, $8) LIMIT $9) AS counted;
-- name: pick_before_tag
SELECT count(*) FROM (SELECT 1 FROM tag_queue
  WHERE board = $1 AND status = $2 AND lane = $3 AND tag = $10
    AND (class_rank, pick_due, priority_rank, rank, task) < ($4, $5, $6, $7, $8) LIMIT $9) AS counted;
-- name: pick_promote
UPDATE task SET available = 1 WHERE id = $1;
-- Approved tasks that wait for room in the ready column, in pick order from a key on.
-- name: pick_approved
SELECT {task}, t.class_rank, t.pick_due, t.priority_rank FROM task t
  WHERE t.board = $1 AND t.approved = 1 AND t.stage = 'backlog' AND t.available <> 0
    AND (t.class_rank, t.pick_due, t.priority_rank, t.rank, t.id) >= ($2, $3, $4, $5, $6)
  ORDER BY t.class_rank, t.pick_due, t.priority_rank, t.rank, t.id LIMIT $7;
-- name: pick_waiting
SELECT count(*) FROM (SELECT 1 FROM task WHERE available = 1 AND board = $1 AND status = $2 AND lane = $3 LIMIT $4) AS counted;
-- The next queue after a given one that has pickable tasks in a column.
-- name: pick_next_queue
SELECT min(lane) FROM task WHERE available = 1 AND board = $1 AND status = $2 AND lane > $3;
-- Tasks of a column that are finished, held back or wait for a time.
-- name: pick_aside
SELECT {task} FROM task t {indexed:task_aside}
  WHERE t.board = $1 AND t.status = $2 AND t.available <> 1 LIMIT $3;
