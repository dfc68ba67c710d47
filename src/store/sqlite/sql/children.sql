-- name: children_add
INSERT INTO child_count (parent, done, total, above) VALUES ($1, $2, 1, (SELECT parent FROM task WHERE id = $1))
  ON CONFLICT (parent) DO UPDATE SET done = done + excluded.done, total = total + 1;
