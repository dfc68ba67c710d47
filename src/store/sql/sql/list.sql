-- A list is assembled from these parts; a statement contains only the parts that the request needs. The walks are
-- those of each database.
-- name: list_count
SELECT count(*) FROM task t WHERE
-- name: next_lane
SELECT min(lane) FROM task WHERE available = 1 AND board = $1 AND status = $2 AND lane > $3;
-- name: probe_by_tag
FROM task_tag g WHERE g.tag = $7

-- name: where_board
AND t.board = $1
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
-- name: where_parent
AND t.parent = $11
-- name: where_claimed
AND t.claimed_by <> '' AND (t.claim_expires IS NULL OR t.claim_expires > $12)
-- name: where_unclaimed
AND (t.claimed_by = '' OR t.claim_expires <= $12)
-- name: where_blocked
AND t.blocked = $13
-- name: where_open_deps
AND (t.open_deps > 0) = $14
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
