-- name: run_by_id
SELECT document FROM run WHERE id = $1;
-- name: run_last_id
SELECT {max}((SELECT coalesce(max(id), 0) FROM run), (SELECT coalesce(max(last), 0) FROM given WHERE name = 'run'));
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
-- Removes ended runs. The last run of a task stays until the task is removed.
-- name: runs_remove_ended
DELETE FROM run WHERE id IN (
  SELECT r.id FROM run r JOIN task t ON t.id = r.task
    WHERE r.ended IS NOT NULL AND r.ended < $1 AND t.run IS DISTINCT FROM r.id ORDER BY r.ended LIMIT $2);
-- name: run_guard
SELECT document FROM run_guard WHERE run = $1;
-- name: run_guard_put
INSERT INTO run_guard (run, document) VALUES ($1, $2) ON CONFLICT (run) DO UPDATE SET document = excluded.document;
