-- name: run_last_id
SELECT max((SELECT coalesce(max(id), 0) FROM run), (SELECT coalesce(max(last), 0) FROM given WHERE name = 'run'));
-- Removes ended runs. The last run of a task stays until the task is removed.
-- name: runs_remove_ended
DELETE FROM run WHERE id IN (
  SELECT r.id FROM run r JOIN task t ON t.id = r.task
    WHERE r.ended IS NOT NULL AND r.ended < $1 AND t.run IS NOT r.id ORDER BY r.ended LIMIT $2);
