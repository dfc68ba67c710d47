-- What a database knows of the files it is an index of, now for several boards. An index of one directory had these
-- tables already; its board is the first.
CREATE TABLE IF NOT EXISTS file (
  name TEXT PRIMARY KEY, task INTEGER, settled INTEGER NOT NULL,
  size INTEGER NOT NULL, modified INTEGER NOT NULL, changed INTEGER NOT NULL, inode INTEGER NOT NULL,
  seen INTEGER NOT NULL, hash INTEGER NOT NULL, claim_end INTEGER, problem TEXT
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS beside (name TEXT PRIMARY KEY, value ANY NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS past_epoch (task INTEGER PRIMARY KEY, epoch INTEGER NOT NULL) STRICT;
DROP INDEX IF EXISTS file_by_task;
DROP INDEX IF EXISTS file_watched;
DROP INDEX IF EXISTS file_with_problem;
ALTER TABLE file RENAME TO file_of_one_board;
ALTER TABLE beside RENAME TO beside_one_board;

CREATE TABLE file (
  board INTEGER NOT NULL,
  name TEXT NOT NULL,
  task INTEGER,             -- NULL where the file could not be read as a task
  settled INTEGER NOT NULL, -- 1: archived, looked at only when the directory changed
  size INTEGER NOT NULL, modified INTEGER NOT NULL, changed INTEGER NOT NULL, inode INTEGER NOT NULL,
  seen INTEGER NOT NULL,    -- when it was read, nanoseconds since 1970; 0: it must be read again
  hash INTEGER NOT NULL,
  claim_end INTEGER,        -- milliseconds since 1970; NULL without a claim
  problem TEXT,
  PRIMARY KEY (board, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX file_by_task ON file (task) WHERE task IS NOT NULL;
CREATE INDEX file_watched ON file (board, settled, name, task, size, modified, changed, inode, seen, hash, claim_end, problem) WHERE settled = 0;
CREATE INDEX file_with_problem ON file (board, name, problem) WHERE problem IS NOT NULL;
CREATE TABLE beside (
  board INTEGER NOT NULL,
  name TEXT NOT NULL,
  value ANY NOT NULL,
  PRIMARY KEY (board, name)
) STRICT, WITHOUT ROWID;

INSERT INTO file
  SELECT 1, name, task, settled, size, modified, changed, inode, seen, hash, claim_end, problem FROM file_of_one_board;
INSERT INTO beside SELECT 1, name, value FROM beside_one_board;
DROP TABLE file_of_one_board;
DROP TABLE beside_one_board;

-- Which task of this store a number in the files of an attached board stands for. The task may not be there: others
-- wait for it, or its file is gone and may come back.
CREATE TABLE file_number (
  board INTEGER NOT NULL REFERENCES board ON DELETE CASCADE,
  number INTEGER NOT NULL,
  task INTEGER NOT NULL UNIQUE,
  PRIMARY KEY (board, number)
) STRICT, WITHOUT ROWID;
-- Tasks of boards that were detached; their numbers are never given again, for the history names them.
CREATE TABLE numbered (one INTEGER PRIMARY KEY CHECK (one = 1), task INTEGER NOT NULL) STRICT;
INSERT INTO numbered VALUES (1, 0);
