-- The time is that of the database, whatever the clocks of the servers say.
-- name: server_time
SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint
-- name: server_named
SELECT id, process, seen > (extract(epoch FROM clock_timestamp()) * 1000)::bigint - 10000 FROM server WHERE name = $1
-- name: server_put
INSERT INTO server (name, id, process, url, version, started, seen)
  SELECT $1, $2, $3, $4, $5, now.ms, now.ms FROM (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS ms) AS now
  ON CONFLICT (name) DO UPDATE SET id = excluded.id, process = excluded.process, url = excluded.url,
    version = excluded.version, started = excluded.started, seen = excluded.seen
-- name: server_seen
UPDATE server SET seen = (extract(epoch FROM clock_timestamp()) * 1000)::bigint WHERE name = $1 AND id = $2
-- name: server_remove
DELETE FROM server WHERE id = $1 OR seen < (extract(epoch FROM clock_timestamp()) * 1000)::bigint - 86400000
-- name: server_list
SELECT s.name, s.url, s.version, s.started, s.seen, s.id,
    coalesce(l.server = s.id AND l.until > now.ms, false), s.seen > now.ms - 10000
  FROM server s CROSS JOIN (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS ms) AS now
    LEFT JOIN leader l ON l.server = s.id
  WHERE s.seen > now.ms - 86400000 ORDER BY s.name
-- Returns a row when the server leads for four seconds from now on.
-- name: leader_lead
INSERT INTO leader (one, server, until)
  SELECT 1, $1, now.ms + 4000 FROM (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS ms) AS now
  ON CONFLICT (one) DO UPDATE SET server = excluded.server, until = excluded.until
    WHERE leader.server = excluded.server OR leader.until < excluded.until - 4000
  RETURNING 1
-- name: leader_leave
DELETE FROM leader WHERE server = $1
