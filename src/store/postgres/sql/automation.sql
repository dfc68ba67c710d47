-- Numbers are not given twice.
-- name: automation_put
WITH put AS (
  INSERT INTO automation (id, name, board, document) VALUES ($1, $2, $3, $4)
    ON CONFLICT (id) DO UPDATE SET name = excluded.name, board = excluded.board, document = excluded.document
    RETURNING id)
INSERT INTO given (name, last) SELECT 'automation', id FROM put
  ON CONFLICT (name) DO UPDATE SET last = greatest(given.last, excluded.last);
-- name: automation_last_id
SELECT coalesce(max(last), 0) FROM given WHERE name = 'automation';
