-- name: automation_last_id
SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'automation';
-- name: columns_last_touched
SELECT ts FROM event
  WHERE board = $1 AND "to" IS NOT NULL AND task IS NOT NULL AND ("from" IN (SELECT value FROM json_each($2)) OR "to" IN (SELECT value FROM json_each($2)))
  ORDER BY ts DESC LIMIT 1;
