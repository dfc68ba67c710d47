-- name: search_add
INSERT INTO search (rowid, title, body, note) VALUES ($1, $2, $3, $4);
-- name: search_remove
INSERT INTO search (search, rowid, title, body, note) VALUES ('delete', $1, $2, $3, $4);
-- name: search_find
SELECT rowid, snippet(search, -1, '', '', '…', 16) FROM search WHERE search MATCH $1 ORDER BY rank;
