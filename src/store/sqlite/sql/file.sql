-- name: past_epoch_put
INSERT INTO past_epoch (task, epoch) VALUES ($1, $2) ON CONFLICT (task) DO UPDATE SET epoch = max(epoch, excluded.epoch);
-- name: numbered_up_to
UPDATE numbered SET task = max(task, $1) WHERE one = 1;
-- The highest number of a task stays given.
-- name: numbers_given
UPDATE numbered SET task = (SELECT max((SELECT coalesce(max(id), 0) FROM task), (SELECT coalesce(max(task), 0) FROM file_number),
  numbered.task, (SELECT coalesce(max(last), 0) FROM given WHERE name = 'task'))) WHERE one = 1;
