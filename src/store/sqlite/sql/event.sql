-- Numbers of events of one board and kind; the index alone answers.
-- name: events_walk
SELECT seq FROM event INDEXED BY event_by_board WHERE board = $1 AND kind = $2 AND seq > $3 ORDER BY seq;
-- name: events_walk_back
SELECT seq FROM event INDEXED BY event_by_board WHERE board = $1 AND kind = $2 AND seq > $3 ORDER BY seq DESC;
-- name: event_next_board
SELECT min(board) FROM event INDEXED BY event_by_board WHERE board > $1;
-- Moves of tasks that were started or finished.
-- name: events_traced
SELECT e.seq, t.board, t.completed FROM event e CROSS JOIN task t ON t.id = e.task
  WHERE e.seq > $1 AND e.seq <= $2 AND e."to" IS NOT NULL AND (t.started IS NOT NULL OR t.completed IS NOT NULL);
-- Notes stay with their tasks, and changes of columns, which give past names their meaning. The last event stays too,
-- because its number is the highest one given. $4 is a list of others that stay.
-- name: events_remove
DELETE FROM event
  WHERE seq > $1 AND seq <= $2 AND ts < $3 AND seq < (SELECT max(seq) FROM event)
    AND NOT ("to" IS NOT NULL AND task IS NULL)
    AND seq NOT IN (SELECT event FROM note WHERE event > $1 AND event <= $2)
    AND seq NOT IN (SELECT value FROM json_each($4))
  RETURNING seq;
-- A part of a list of events.
-- name: events_boards
AND board IN (SELECT value FROM json_each($2))
