-- Pickable tasks of one column, lane and tag in pick order, from a key on.
-- name: pick_probe_tag
SELECT {task}, q.class_rank, q.pick_due, q.priority_rank FROM tag_queue q CROSS JOIN task t ON t.id = q.task
  WHERE q.board = $1 AND q.status = $2 AND q.lane = $3 AND q.tag = $5
    AND (q.class_rank, q.pick_due, q.priority_rank, q.rank, q.task) >= ($6, $7, $8, $9, $10)
  ORDER BY q.class_rank, q.pick_due, q.priority_rank, q.rank, q.task LIMIT $11;
-- name: pick_probe_tag_class
SELECT {task}, q.class_rank, q.pick_due, q.priority_rank FROM tag_queue q CROSS JOIN task t ON t.id = q.task
  WHERE q.board = $1 AND q.status = $2 AND q.lane = $3 AND q.tag = $5 AND q.class_rank = $4
    AND (q.pick_due, q.priority_rank, q.rank, q.task) >= ($7, $8, $9, $10)
  ORDER BY q.pick_due, q.priority_rank, q.rank, q.task LIMIT $11;
-- name: pick_probe_tag_others
SELECT {task}, q.class_rank, q.pick_due, q.priority_rank FROM tag_queue q CROSS JOIN task t ON t.id = q.task
  WHERE q.board = $1 AND q.status = $2 AND q.lane = $3 AND q.tag = $5 AND q.class_rank <> $4
    AND (q.class_rank, q.pick_due, q.priority_rank, q.rank, q.task) >= ($6, $7, $8, $9, $10)
  ORDER BY q.class_rank, q.pick_due, q.priority_rank, q.rank, q.task LIMIT $11;
-- Puts a pickable task into the queues of its tags, at the place that its row has.
-- name: tags_enqueue
INSERT OR IGNORE INTO tag_queue
  SELECT t.board, t.status, t.lane, json_each.value, t.class_rank, t.pick_due, t.priority_rank, t.rank, t.id
    FROM task t, json_each(t.details, '$.tags') WHERE t.id = $1 AND t.available = 1;
-- The number of tasks before a key in a queue.
-- name: pick_before
SELECT count(*) FROM (SELECT 1 FROM task
  WHERE available = 1 AND board = $1 AND status = $2 AND lane = $3
    AND (class_rank, pick_due, priority_rank, rank, id) < ($4, $5, $6, $7, $8) LIMIT $9);
-- name: pick_before_tag
SELECT count(*) FROM (SELECT 1 FROM tag_queue
  WHERE board = $1 AND status = $2 AND lane = $3 AND tag = $10
    AND (class_rank, pick_due, priority_rank, rank, task) < ($4, $5, $6, $7, $8) LIMIT $9);
-- name: pick_waiting
SELECT count(*) FROM (SELECT 1 FROM task WHERE available = 1 AND board = $1 AND status = $2 AND lane = $3 LIMIT $4);
-- Tasks of a column that are finished, held back or wait for a time.
-- name: pick_aside
SELECT {task} FROM task t INDEXED BY task_aside
  WHERE t.board = $1 AND t.status = $2 AND t.available <> 1 LIMIT $3;
