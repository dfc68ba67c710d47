-- The last number that was given to what is no more or never came into this database; such numbers are not given again.
CREATE TABLE IF NOT EXISTS given (
  name TEXT PRIMARY KEY CHECK (name IN ('run', 'task', 'token')),
  last INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
-- Credentials by their end, so that those are found that may go.
CREATE INDEX IF NOT EXISTS token_revoked ON token (revoked) WHERE revoked IS NOT NULL;
CREATE INDEX IF NOT EXISTS token_expires ON token (expires) WHERE expires IS NOT NULL;
