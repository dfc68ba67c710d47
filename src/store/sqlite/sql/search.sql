-- Call before the text of a task is changed or removed.
-- name: text_outdated
INSERT INTO search_stale
  SELECT t.id, t.title, coalesce(b.body, ''), '' FROM task t LEFT JOIN task_body b ON b.task = t.id WHERE t.id = $1
  ON CONFLICT DO NOTHING;
-- name: text_new
INSERT INTO search_stale (document) VALUES ($1) ON CONFLICT DO NOTHING;
-- name: search_stale_count
SELECT count(*) FROM (SELECT 1 FROM search_stale LIMIT $1);
-- The next four statements bring stale texts into the full-text index, in this order.
-- name: search_forget
INSERT INTO search (search, rowid, title, body, note)
  SELECT 'delete', document, title, body, note FROM search_stale WHERE title IS NOT NULL AND document <= $1;
-- name: search_index_tasks
INSERT INTO search (rowid, title, body, note)
  SELECT t.id, t.title, coalesce(b.body, ''), ''
  FROM search_stale s CROSS JOIN task t ON t.id = s.document LEFT JOIN task_body b ON b.task = t.id
  WHERE s.document <= $1;
-- name: search_index_notes
INSERT INTO search (rowid, title, body, note)
  SELECT s.document, '', '', n.text FROM search_stale s CROSS JOIN note n ON n.event = -s.document
  WHERE s.document <= $1;
-- name: search_indexed
DELETE FROM search_stale WHERE document <= $1;
-- The next stale texts, each with the length of what has to be read for it.
-- name: search_next_stale
SELECT s.document, coalesce(length(s.body), 0) + coalesce(length(b.body), 0) + coalesce(length(n.text), 0)
  FROM search_stale s LEFT JOIN task_body b ON b.task = s.document LEFT JOIN note n ON n.event = -s.document
  ORDER BY s.document LIMIT $1;

-- name: search_snippet
SELECT snippet(search, -1, '', '', '…', 16) FROM search WHERE search MATCH $1 AND rowid = $2;

-- The number of texts that have the words, at most $2.
-- name: search_count
SELECT count(*) FROM (SELECT 1 FROM search WHERE search MATCH $1 LIMIT $2);
-- Texts that have the words, in the order of the index: tasks by number, notes from the newest on.
-- name: search_stream_tasks
SELECT rowid FROM search WHERE search MATCH $1 AND rowid > 0 ORDER BY rowid;
-- name: search_stream_notes
SELECT rowid FROM search WHERE search MATCH $1 AND rowid < 0 ORDER BY rowid;
-- name: search_task_of_note
SELECT task FROM event WHERE seq = $1;

-- The parts of a search that only SQLite has; the others stand in store/sql/sql.

-- The weights differ so much that one hit in a title ranks above any number of hits in a body. A hit in a
-- body ranks above hits in notes.
-- name: search_hits
hits? AS MATERIALIZED (SELECT rowid AS document, bm25(search, 1e9, 1e4, 1.0) AS score FROM search WHERE search MATCH $?)
-- A text of the index belongs to a task. A text with a negative number belongs to a note: it is minus the seq
-- of the note's event.
-- name: search_of_task
SELECT CASE WHEN document > 0 THEN document ELSE (SELECT e.task FROM event e WHERE e.seq = -document) END AS task,
    document, min(score) AS score FROM hits? GROUP BY 1
-- `document` is the text with the best score.
-- name: search_found
SELECT task, document, min(score) AS best, sum(score) AS score FROM
-- Whether a task or one of its notes has the words; one probe of the index per text.
-- name: search_has
EXISTS (SELECT 1 FROM search s WHERE s.search MATCH $? AND s.rowid = t.id)
  OR EXISTS (SELECT 1 FROM event e CROSS JOIN search s ON s.rowid = -e.seq
    WHERE e.task = t.id AND e.kind = 'task.noted' AND s.search MATCH $?)
