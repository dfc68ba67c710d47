-- name: children_add
INSERT INTO child_count (parent, done, total, above) VALUES ($1, $2, 1, (SELECT parent FROM task WHERE id = $1))
  ON CONFLICT (parent) DO UPDATE SET done = child_count.done + excluded.done, total = child_count.total + 1;
-- Removes the row of a parent that loses its last sub-task.
-- name: children_remove_last
DELETE FROM child_count WHERE parent = $1 AND total = 1;
-- name: children_remove
UPDATE child_count SET done = done - $2, total = total - 1 WHERE parent = $1;
-- name: children_finish
UPDATE child_count SET done = done + $2 WHERE parent = $1;
-- name: children_hang
UPDATE child_count SET above = $2 WHERE parent = $1;
-- name: children_progress
SELECT done, total FROM child_count WHERE parent = $1;
-- The levels below a task. Walks only tasks that have sub-tasks.
-- name: children_levels
WITH RECURSIVE below (id, level) AS (
  SELECT parent, 1 FROM child_count WHERE parent = $1
  UNION ALL
  SELECT c.parent, below.level + 1 FROM below JOIN child_count c ON c.above = below.id WHERE below.level < $2)
SELECT coalesce(max(level), 0) FROM below;
-- name: review_open
INSERT INTO open_review (review, task) VALUES ($1, $2) ON CONFLICT DO NOTHING;
-- name: review_close
DELETE FROM open_review WHERE review = $1;
-- name: review_of
SELECT review FROM open_review WHERE task = $1 ORDER BY review DESC LIMIT 1;
