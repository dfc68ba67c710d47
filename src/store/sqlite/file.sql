-- name: file_tables
CREATE TABLE IF NOT EXISTS file (
  name TEXT PRIMARY KEY,
  task INTEGER,             -- NULL where the file could not be read as a task
  settled INTEGER NOT NULL, -- 1: archived, looked at only when the directory changed
  size INTEGER NOT NULL, modified INTEGER NOT NULL, changed INTEGER NOT NULL, inode INTEGER NOT NULL,
  seen INTEGER NOT NULL,    -- when it was read, nanoseconds since 1970; 0: it must be read again
  hash INTEGER NOT NULL,
  claim_end INTEGER,        -- milliseconds since 1970; NULL without a claim
  problem TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS file_by_task ON file (task) WHERE task IS NOT NULL;
CREATE INDEX IF NOT EXISTS file_watched ON file (settled, name, task, size, modified, changed, inode, seen, hash, claim_end, problem) WHERE settled = 0;
CREATE INDEX IF NOT EXISTS file_with_problem ON file (name, problem) WHERE problem IS NOT NULL;
CREATE TABLE IF NOT EXISTS past_epoch (task INTEGER PRIMARY KEY, epoch INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS beside (name TEXT PRIMARY KEY, value ANY NOT NULL) STRICT, WITHOUT ROWID;
-- name: file_tables_there
SELECT count(*), sum(name = 'file_with_problem') FROM sqlite_schema WHERE name IN ('beside', 'file_with_problem');
-- name: files_watched
SELECT name, task, size, modified, changed, inode, seen, hash, claim_end, problem FROM file WHERE settled = 0;
-- name: files
SELECT name, task, size, modified, changed, inode, seen, hash, claim_end, problem FROM file;
-- name: file_of_task
SELECT name, task, size, modified, changed, inode, seen, hash, claim_end, problem, settled FROM file WHERE task = $1;
-- name: file_named
SELECT name, task, size, modified, changed, inode, seen, hash, claim_end, problem FROM file WHERE name = $1;
-- name: file_put
INSERT INTO file (name, task, settled, size, modified, changed, inode, seen, hash, claim_end, problem)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
  ON CONFLICT (name) DO UPDATE SET task = excluded.task, settled = excluded.settled, size = excluded.size,
    modified = excluded.modified, changed = excluded.changed, inode = excluded.inode, seen = excluded.seen,
    hash = excluded.hash, claim_end = excluded.claim_end, problem = excluded.problem;
-- name: file_remove
DELETE FROM file WHERE name = $1;
-- name: file_problems
SELECT name, problem FROM file WHERE problem IS NOT NULL ORDER BY name;
-- name: past_epoch
SELECT epoch FROM past_epoch WHERE task = $1;
-- name: past_epoch_put
INSERT INTO past_epoch (task, epoch) VALUES ($1, $2) ON CONFLICT (task) DO UPDATE SET epoch = max(epoch, excluded.epoch);
-- name: beside
SELECT name, value FROM beside;
-- name: beside_put
INSERT INTO beside (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value;
