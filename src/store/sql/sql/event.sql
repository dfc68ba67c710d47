-- name: event_last_seq
SELECT coalesce(max(seq), 0) FROM event;
-- name: event_add
INSERT INTO event (seq, ts, actor, kind, board, task, run, "from", "to", data, mutation)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11);
-- name: note_add
INSERT INTO note (event, text) VALUES ($1, $2);
-- Numbers of events of one board and kind; the index alone answers.
-- name: events_walk
SELECT seq FROM event {indexed:event_by_board} WHERE board = $1 AND kind = $2 AND seq > $3 ORDER BY seq;
-- name: events_walk_back
SELECT seq FROM event {indexed:event_by_board} WHERE board = $1 AND kind = $2 AND seq > $3 ORDER BY seq DESC;
-- name: event_next_board
SELECT min(board) FROM event {indexed:event_by_board} WHERE board > $1;
-- name: event_by_seq
SELECT seq, ts, actor, kind, board, task, run, "from", "to", data, mutation FROM event WHERE seq = $1;
-- name: event_time_from
SELECT seq, ts FROM event WHERE seq >= $1 ORDER BY seq LIMIT 1;
-- Moves of tasks that were started or finished.
-- name: events_traced
SELECT e.seq, t.board, t.completed FROM event e {cross} task t ON t.id = e.task
  WHERE e.seq > $1 AND e.seq <= $2 AND e."to" IS NOT NULL AND (t.started IS NOT NULL OR t.completed IS NOT NULL);
-- Notes stay with their tasks, and changes of columns, which give past names their meaning. The last event stays too,
-- because its number is the highest one given. $4 is a list of others that stay.
-- name: events_remove
DELETE FROM event
  WHERE seq > $1 AND seq <= $2 AND ts < $3 AND seq < (SELECT max(seq) FROM event)
    AND NOT ("to" IS NOT NULL AND task IS NULL)
    AND seq NOT IN (SELECT event FROM note WHERE event > $1 AND event <= $2)
    AND seq NOT IN {ids:$4}
  RETURNING seq;
-- A list of events is assembled from these parts.
-- name: events_select
SELECT seq, ts, actor, kind, board, task, run, "from", "to", data, mutation FROM event WHERE seq > $1
-- name: events_boards
AND board IN {names:$2}
-- name: events_task
AND task = $3
-- name: events_kind
AND kind = $4
-- name: events_since
AND ts >= $5
-- name: events_oldest
ORDER BY seq LIMIT $6
-- name: events_newest
ORDER BY seq DESC LIMIT $6
