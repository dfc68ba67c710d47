-- A list is put together from these parts; a part stands in the statement only when it is asked for.
-- name: list_select
SELECT {task} FROM task t WHERE 1
-- name: list_count
SELECT count(*) FROM task t WHERE 1
-- name: where_board
AND t.board = $1
-- name: where_statuses
AND t.status IN (SELECT value FROM json_each($2))
-- name: where_stages
AND t.stage IN (SELECT value FROM json_each($3))
-- name: where_priorities
AND t.priority IN (SELECT value FROM json_each($4))
-- name: where_assignee
AND t.assignee = $5 AND t.assignee <> ''
-- name: where_role
AND t.role = $6
-- name: where_tag
AND EXISTS (SELECT 1 FROM json_each(t.details, '$.tags') WHERE value = $7)
-- name: where_class
AND t.class = $8
-- name: where_standard_class
AND t.class IN ('', $8)
-- name: where_claimed_by
AND t.claimed_by = $9 AND t.claimed_by <> '' AND (t.claim_expires IS NULL OR t.claim_expires > $12)
-- name: where_text
AND (t.title LIKE $10 ESCAPE '\'
  OR EXISTS (SELECT 1 FROM task_body b WHERE b.task = t.id AND b.body LIKE $10 ESCAPE '\')
  OR EXISTS (SELECT 1 FROM json_each(t.details, '$.tags') WHERE value LIKE $10 ESCAPE '\'))
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
