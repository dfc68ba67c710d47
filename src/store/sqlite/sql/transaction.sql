-- name: begin_write
BEGIN IMMEDIATE
-- name: begin_read
BEGIN
-- name: commit
COMMIT
-- name: rollback
ROLLBACK
-- name: unit_start
SAVEPOINT unit
-- name: unit_release
RELEASE unit
-- name: unit_undo
ROLLBACK TO unit
