-- name: run_by_id
SELECT document FROM run WHERE id = $1;
-- name: run_last_id
SELECT coalesce(max(id), 0) FROM run;
-- name: run_add
INSERT INTO run (id, task, state, document, ended) VALUES ($1, $2, $3, $4, $5);
-- name: run_put
UPDATE run SET task = $2, state = $3, document = $4, ended = $5 WHERE id = $1;
-- name: runs_of_task
SELECT document FROM run WHERE task = $1 ORDER BY id;
-- name: runs_of_task_remove
DELETE FROM run WHERE task = $1;
-- name: runs_live
SELECT document FROM run WHERE state <> 'ended' ORDER BY id;
-- name: runs_recent
SELECT document FROM run ORDER BY id DESC LIMIT $1;
