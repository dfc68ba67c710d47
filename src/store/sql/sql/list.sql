-- A list is assembled from these parts; a statement contains only the parts that the request needs.
-- name: list_count
SELECT count(*) FROM task t WHERE
-- The first of the conditions below.
-- name: where_any
1 = 1

-- The walks that lists are merged from. $40 is the board, $41 the column, $42 the lane, and $43 is true for
-- archived tasks. Each walk names its index. SQLite then refuses a statement that cannot use the index,
-- instead of sorting.
-- name: walk_by_board
FROM task t {indexed:task_by_board} WHERE t.board = $40
-- name: walk_by_title
FROM task t {indexed:task_by_title} WHERE t.board = $40 AND t.archived = $43
-- name: walk_by_creation
FROM task t {indexed:task_by_creation} WHERE t.board = $40 AND t.archived = $43
-- name: walk_by_due
FROM task t {indexed:task_by_due} WHERE t.board = $40 AND t.archived = $43
-- name: walk_by_priority
FROM task t {indexed:task_by_priority} WHERE t.board = $40 AND t.archived = $43
-- name: walk_by_column
FROM task t {indexed:task_by_column} WHERE t.board = $40 AND t.status = $41
-- name: walk_by_update
FROM task t {indexed:task_by_update} WHERE t.board = $40 AND t.status = $41
-- name: walk_aside
FROM task t {indexed:task_aside} WHERE t.available <> 1 AND t.board = $40 AND t.status = $41
-- name: walk_pick
FROM task t {indexed:task_pick} WHERE t.available = 1 AND t.board = $40 AND t.status = $41 AND t.lane = $42
-- name: next_lane
SELECT min(lane) FROM task WHERE available = 1 AND board = $1 AND status = $2 AND lane > $3;

-- The walks for values that few tasks have. Their parameters are those of the conditions below. Tasks by tag
-- are in a separate table.
-- name: walk_by_parent
FROM task t {indexed:task_by_parent} WHERE t.parent = $11
-- name: walk_by_assignee
FROM task t {indexed:task_by_assignee} WHERE t.assignee = $5 AND t.assignee <> ''
-- name: walk_by_holder
FROM task t {indexed:task_by_holder} WHERE t.claimed_by = $9 AND t.claimed_by <> ''
-- name: walk_claimed
FROM task t {indexed:task_by_holder} WHERE t.claimed_by <> ''
-- name: walk_by_role
FROM task t {indexed:task_by_role} WHERE t.role = $6 AND t.role <> ''
-- name: walk_by_class
FROM task t {indexed:task_by_class} WHERE t.class = $8 AND t.class <> ''
-- name: walk_blocked
FROM task t {indexed:task_blocked} WHERE t.blocked = 1
-- name: walk_with_open_deps
FROM task t {indexed:task_with_open_deps} WHERE t.open_deps > 0
-- name: probe_by_tag
FROM task_tag g WHERE g.tag = $7
-- name: walk_by_tag
FROM task_tag g {cross} task t ON t.id = g.task WHERE g.tag = $7

-- name: where_board
AND t.board = $1
-- name: where_statuses
AND t.status IN {names:$2}
-- name: where_stages
AND t.stage IN {names:$3}
-- name: where_priorities
AND t.priority IN {names:$4}
-- name: where_assignee
AND t.assignee = $5 AND t.assignee <> ''
-- name: where_role
AND t.role = $6
-- name: where_tag
AND EXISTS (SELECT 1 FROM task_tag WHERE tag = $7 AND task = t.id)
-- name: where_class
AND t.class = $8
-- name: where_standard_class
AND t.class IN ('', $8)
-- name: where_claimed_by
AND t.claimed_by = $9 AND t.claimed_by <> '' AND (t.claim_expires IS NULL OR t.claim_expires > $12)
-- name: where_text
AND (has_text(t.title, $10)
  OR EXISTS (SELECT 1 FROM task_body b WHERE b.task = t.id AND has_text(b.body, $10))
  OR EXISTS (SELECT 1 FROM {tags:t.details} WHERE has_text(tag.value, $10)))
-- name: where_parent
AND t.parent = $11
-- name: where_claimed
AND t.claimed_by <> '' AND (t.claim_expires IS NULL OR t.claim_expires > $12)
-- name: where_unclaimed
AND (t.claimed_by = '' OR t.claim_expires <= $12)
-- name: where_blocked
AND t.blocked = $13
-- name: where_open_deps
AND CAST(t.open_deps > 0 AS INTEGER) = $14
-- name: where_not_archived
AND t.stage <> 'archived'
-- name: order_id
t.id
-- name: order_title
t.title, t.id
-- name: order_status
t.column_rank, t.status, t.id
-- name: order_priority
-t.priority_rank, t.id
-- name: order_created
t.created, t.id
-- name: order_updated
t.updated, t.id
-- name: order_due
coalesce(t.due, 2147483647), t.id
-- name: order_pick
t.class_rank, t.pick_due, t.priority_rank, t.rank, t.id
-- name: next_assignee
SELECT min(assignee) FROM task WHERE assignee <> '' AND assignee > $1;
