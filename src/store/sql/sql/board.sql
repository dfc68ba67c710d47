-- name: boards
SELECT id, document FROM board ORDER BY id;
-- name: board_add
INSERT INTO board (id, name, document) VALUES ($1, $2, $3);
-- name: board_put
UPDATE board SET name = $2, document = $3 WHERE id = $1;
-- name: board_remove
DELETE FROM board WHERE id = $1;
-- name: board_rename_events
UPDATE event SET board = $2 WHERE board = $1;
-- name: catalogue_number
SELECT catalogue FROM identity WHERE one = 1;
-- name: catalogue_changed
UPDATE identity SET catalogue = catalogue + 1 WHERE one = 1;
-- name: incarnation
SELECT incarnation FROM identity WHERE one = 1;

-- name: column_loads
SELECT status, n FROM column_load WHERE board = $1 AND n > 0;
-- name: class_loads
SELECT class, n FROM class_load WHERE board = $1 AND n > 0;
-- name: column_load_set
INSERT INTO column_load (board, status, n) VALUES ($1, $2, $3)
  ON CONFLICT (board, status) DO UPDATE SET n = excluded.n;
-- name: class_load_set
INSERT INTO class_load (board, class, n) VALUES ($1, $2, $3)
  ON CONFLICT (board, class) DO UPDATE SET n = excluded.n;

-- name: settling_put
INSERT INTO settling VALUES ($1, $2, $3)
  ON CONFLICT (board) DO UPDATE SET after = excluded.after, unsettled = excluded.unsettled;
-- name: settling_end
DELETE FROM settling WHERE board = $1;
-- name: settling_of
SELECT after, unsettled FROM settling WHERE board = $1;

-- name: workers
SELECT document FROM worker ORDER BY name;
-- name: worker_put
INSERT INTO worker (name, document) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET document = excluded.document;
-- name: worker_remove
DELETE FROM worker WHERE name = $1;
