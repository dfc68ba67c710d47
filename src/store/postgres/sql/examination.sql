-- What a server and a database are like. Connections include those of other programs.
-- name: examine_server
SELECT current_setting('server_version'), current_setting('max_connections')::bigint,
    (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'),
    pg_database_size(current_database())
-- Rules that the tables must keep, each with the number of rows that break it.
-- name: examine_rules
SELECT 'a claim without a holder' AS rule, count(*) AS broken FROM task WHERE claim_expires IS NOT NULL AND claimed_by = ''
UNION ALL SELECT 'a task of a board that is not there', count(*) FROM task t
  WHERE NOT EXISTS (SELECT 1 FROM board b WHERE b.id = t.board)
UNION ALL SELECT 'a count of a column that is wrong', count(*)
  FROM (SELECT board, status, count(*) AS n FROM task GROUP BY board, status) AS counted
    FULL JOIN column_load USING (board, status)
  WHERE coalesce(counted.n, 0) <> coalesce(column_load.n, 0)
-- The boards with tasks that look like copies, and the number of pairs.
-- name: examine_copies
SELECT b.name, count(*) FROM board b JOIN setting s ON s.name = 'copies.' || b.id
  CROSS JOIN LATERAL jsonb_array_elements(s.value::jsonb -> 'pairs') AS p
  JOIN task t ON t.id = (p ->> 'task')::bigint AND t.stage NOT IN ('done', 'archived')
  JOIN task o ON o.id = (p ->> 'other')::bigint AND o.stage NOT IN ('done', 'archived')
  GROUP BY b.id, b.name ORDER BY b.id
