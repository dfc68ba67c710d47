-- name: event_last_seq
SELECT coalesce(max(seq), 0) FROM event;
-- name: event_add
INSERT INTO event (seq, ts, actor, kind, board, task, run, "from", "to", data, mutation)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11);
-- name: note_add
INSERT INTO note (event, text) VALUES ($1, $2);
-- name: event_by_seq
SELECT seq, ts, actor, kind, board, task, run, "from", "to", data, mutation FROM event WHERE seq = $1;
-- name: event_time_from
SELECT seq, ts FROM event WHERE seq >= $1 ORDER BY seq LIMIT 1;
-- A list of events is assembled from these parts.
-- name: events_select
SELECT seq, ts, actor, kind, board, task, run, "from", "to", data, mutation FROM event WHERE seq > $1
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
