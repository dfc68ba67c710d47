-- {file} is replaced by the columns that `file_in` of file_table.cpp reads.
-- name: files_watched
SELECT {file} FROM file WHERE board = $1 AND settled = 0;
-- name: files_settled
SELECT {file} FROM file WHERE board = $1 AND settled = 1;
-- name: files
SELECT {file} FROM file WHERE board = $1;
-- name: file_of_task
SELECT {file} FROM file WHERE task = $1;
-- name: file_named
SELECT {file} FROM file WHERE board = $1 AND name = $2;
-- name: file_put
INSERT INTO file (board, name, task, settled, size, modified, changed, inode, seen, hash, claim_end, problem)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
  ON CONFLICT (board, name) DO UPDATE SET task = excluded.task, settled = excluded.settled, size = excluded.size,
    modified = excluded.modified, changed = excluded.changed, inode = excluded.inode, seen = excluded.seen,
    hash = excluded.hash, claim_end = excluded.claim_end, problem = excluded.problem;
-- name: file_remove
DELETE FROM file WHERE board = $1 AND name = $2;
-- name: files_remove
DELETE FROM file WHERE board = $1;
-- name: file_problems
SELECT {file} FROM file WHERE board = $1 AND problem IS NOT NULL ORDER BY name;
-- name: tasks_without_file
SELECT id FROM task WHERE board = $1 AND NOT EXISTS (SELECT 1 FROM file WHERE file.task = task.id);
-- name: past_epoch
SELECT epoch FROM past_epoch WHERE task = $1;
-- name: past_epoch_put
INSERT INTO past_epoch (task, epoch) VALUES ($1, $2) ON CONFLICT (task) DO UPDATE SET epoch = {max}(past_epoch.epoch, excluded.epoch);
-- name: beside
SELECT name, value FROM beside WHERE board = $1;
-- name: beside_any
SELECT 1 FROM beside LIMIT 1;
-- name: beside_put
INSERT INTO beside (board, name, value) VALUES ($1, $2, $3) ON CONFLICT (board, name) DO UPDATE SET value = excluded.value;
-- name: beside_remove
DELETE FROM beside WHERE board = $1;

-- Task numbers in the files of attached boards.
-- name: task_of_number
SELECT board, number, task FROM file_number WHERE board = $1 AND number = $2;
-- name: number_of_task
SELECT board, number, task FROM file_number WHERE task = $1;
-- name: number_put
INSERT INTO file_number (board, number, task) VALUES ($1, $2, $3);
-- The highest number that a file has. Higher numbers may only be named in files.
-- name: number_highest
SELECT board, number, task FROM file_number n
  WHERE board = $1 AND EXISTS (SELECT 1 FROM file WHERE file.task = n.task) ORDER BY number DESC LIMIT 1;
-- name: file_of_task_remove
DELETE FROM file WHERE task = $1;
-- name: number_of_task_remove
DELETE FROM file_number WHERE task = $1;
-- name: numbers_remove
DELETE FROM file_number WHERE board = $1;
-- name: numbered_up_to
UPDATE numbered SET task = {max}(task, $1) WHERE one = 1;
-- The highest number of a task stays given.
-- name: numbers_given
UPDATE numbered SET task = (SELECT {max}((SELECT coalesce(max(id), 0) FROM task), (SELECT coalesce(max(task), 0) FROM file_number),
  numbered.task, (SELECT coalesce(max(last), 0) FROM given WHERE name = 'task'))) WHERE one = 1;
