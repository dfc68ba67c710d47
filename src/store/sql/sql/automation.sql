-- name: automations
SELECT id, board, document FROM automation ORDER BY id;
-- name: automation_by_id
SELECT id, board, document FROM automation WHERE id = $1;
-- name: automation_put
INSERT INTO automation (id, name, board, document) VALUES ($1, $2, $3, $4)
  ON CONFLICT (id) DO UPDATE SET name = excluded.name, board = excluded.board, document = excluded.document;
-- name: automation_remove
DELETE FROM automation WHERE id = $1;
-- name: columns_last_touched
SELECT ts FROM event
  WHERE board = $1 AND "to" IS NOT NULL AND task IS NOT NULL AND ("from" IN {names:$2} OR "to" IN {names:$2})
  ORDER BY ts DESC LIMIT 1;
