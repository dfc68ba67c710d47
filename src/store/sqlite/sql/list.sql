-- The walks that lists are merged from. $40 is the board, $41 the column, $42 the lane, and $43 is true for
-- archived tasks. Each walk names its index. SQLite then refuses a statement that cannot use the index,
-- instead of sorting.
-- name: walk_by_board
FROM task t INDEXED BY task_by_board WHERE t.board = $40
-- name: walk_by_title
FROM task t INDEXED BY task_by_title WHERE t.board = $40 AND t.archived = $43
-- name: walk_by_creation
FROM task t INDEXED BY task_by_creation WHERE t.board = $40 AND t.archived = $43
-- name: walk_by_due
FROM task t INDEXED BY task_by_due WHERE t.board = $40 AND t.archived = $43
-- name: walk_by_priority
FROM task t INDEXED BY task_by_priority WHERE t.board = $40 AND t.archived = $43
-- name: walk_by_column
FROM task t INDEXED BY task_by_column WHERE t.board = $40 AND t.status = $41
-- name: walk_by_update
FROM task t INDEXED BY task_by_update WHERE t.board = $40 AND t.status = $41
-- name: walk_aside
FROM task t INDEXED BY task_aside WHERE t.available <> 1 AND t.board = $40 AND t.status = $41
-- name: walk_pick
FROM task t INDEXED BY task_pick WHERE t.available = 1 AND t.board = $40 AND t.status = $41 AND t.lane = $42

-- The walks for values that few tasks have. Their parameters are those of the conditions below. Tasks by tag
-- are in a separate table.
-- name: walk_by_parent
FROM task t INDEXED BY task_by_parent WHERE t.parent = $11
-- name: walk_by_assignee
FROM task t INDEXED BY task_by_assignee WHERE t.assignee = $5 AND t.assignee <> ''
-- name: walk_by_holder
FROM task t INDEXED BY task_by_holder WHERE t.claimed_by = $9 AND t.claimed_by <> ''
-- name: walk_claimed
FROM task t INDEXED BY task_by_holder WHERE t.claimed_by <> ''
-- name: walk_by_role
FROM task t INDEXED BY task_by_role WHERE t.role = $6 AND t.role <> ''
-- name: walk_by_class
FROM task t INDEXED BY task_by_class WHERE t.class = $8 AND t.class <> ''
-- name: walk_blocked
FROM task t INDEXED BY task_blocked WHERE t.blocked = 1
-- name: walk_with_open_deps
FROM task t INDEXED BY task_with_open_deps WHERE t.open_deps > 0
-- name: walk_by_tag
FROM task_tag g CROSS JOIN task t ON t.id = g.task WHERE g.tag = $7

-- Conditions, which stand beside those that all databases share. The first one begins each list of conditions.
-- name: where_any
1
-- name: where_statuses
AND t.status IN (SELECT value FROM json_each($2))
-- name: where_stages
AND t.stage IN (SELECT value FROM json_each($3))
-- name: where_priorities
AND t.priority IN (SELECT value FROM json_each($4))
-- name: where_text
AND (has_text(t.title, $10)
  OR EXISTS (SELECT 1 FROM task_body b WHERE b.task = t.id AND has_text(b.body, $10))
  OR EXISTS (SELECT 1 FROM json_each(t.details, '$.tags') WHERE has_text(value, $10)))
