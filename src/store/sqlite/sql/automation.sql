-- name: automation_last_id
SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'automation';
