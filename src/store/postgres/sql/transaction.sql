-- name: begin_write
BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE
-- name: begin_read
BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY
-- name: commit
COMMIT
-- name: rollback
ROLLBACK
-- name: unit_start
SAVEPOINT unit
-- name: unit_release
RELEASE SAVEPOINT unit
-- name: unit_undo
ROLLBACK TO SAVEPOINT unit
-- The number of transactions that wrote. It is that of a sequence, because a row that each transaction changes would grow slow
-- while an old snapshot is held.
-- name: turn
SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM turn
-- name: batch_add
INSERT INTO batch (server, number) VALUES ($1, $2)
-- The last batch of a server.
-- name: batch_last
SELECT coalesce(max(number), 0) FROM batch WHERE server = $1
-- name: batch_forget
DELETE FROM batch WHERE server = $1 AND number < $2
