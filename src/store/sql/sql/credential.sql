-- {token} is replaced by the columns that `token_row.cpp` reads.
-- name: token_by_hash
SELECT {token} FROM token WHERE hash = $1;
-- name: token_by_beginning
SELECT {token} FROM token WHERE hash >= $1 AND hash < $2 ORDER BY hash LIMIT 1;
-- name: tokens
SELECT {token} FROM token WHERE id > $1 ORDER BY id LIMIT $2;
-- name: tokens_of_run
SELECT {token} FROM token WHERE run = $1 AND run <> 0 ORDER BY id;
-- name: token_last_id
SELECT {max}((SELECT coalesce(max(id), 0) FROM token), (SELECT coalesce(max(last), 0) FROM given WHERE name = 'token'));
-- name: token_put
INSERT INTO token (id, hash, kind, name, run, task, epoch, board, created, expires, revoked, label)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
  ON CONFLICT (id) DO UPDATE SET hash = excluded.hash, kind = excluded.kind, name = excluded.name, run = excluded.run,
    task = excluded.task, epoch = excluded.epoch, board = excluded.board, created = excluded.created,
    expires = excluded.expires, revoked = excluded.revoked, label = excluded.label;
-- name: tokens_remove_revoked
DELETE FROM token WHERE id IN (SELECT id FROM token WHERE revoked IS NOT NULL AND revoked < $1 LIMIT $2);
-- name: tokens_remove_expired
DELETE FROM token WHERE id IN (SELECT id FROM token WHERE expires IS NOT NULL AND expires < $1 LIMIT $2);
-- name: given_put
INSERT INTO given (name, last) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET last = {max}(given.last, excluded.last);
-- name: remembered_by_key
SELECT fingerprint, answer, at FROM remembered WHERE key = $1;
-- name: remember
INSERT INTO remembered (key, fingerprint, answer, at) VALUES ($1, $2, $3, $4)
  ON CONFLICT (key) DO UPDATE SET fingerprint = excluded.fingerprint, answer = excluded.answer, at = excluded.at;
-- name: forget_before
DELETE FROM remembered WHERE key IN (SELECT key FROM remembered WHERE at < $1 ORDER BY at LIMIT $2);
-- name: setting_by_name
SELECT value FROM setting WHERE name = $1;
-- name: setting_put
INSERT INTO setting (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value;
-- name: settings
SELECT name, value FROM setting ORDER BY name;
