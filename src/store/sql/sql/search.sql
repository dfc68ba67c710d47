-- A search is assembled from these parts. $1 is the time, $2 the day. ? is replaced by the number of a parameter, which
-- holds words or a JSON list of values. Parts that find words are those of each database.

-- name: search_by_words
SELECT t.id, f.document FROM found f JOIN task t ON t.id = f.task WHERE true
-- The tasks of a JSON list that meet the conditions.
-- name: search_check
SELECT t.id FROM task t WHERE t.id IN {ids:$3}
-- name: search_order_by_words
ORDER BY f.score, t.id
-- name: search_status
t.status IN {names:$?}
-- name: search_stage
t.stage IN {names:$?}
-- name: search_tag
EXISTS (SELECT 1 FROM {tags:t.details} WHERE tag.value IN {names:$?})
-- name: search_class
coalesce(nullif(t.class, ''), 'standard') IN {names:$?}
-- name: search_priority
t.priority IN {names:$?}
-- name: search_assignee
t.assignee IN {names:$?}
-- name: search_role
t.role IN {names:$?}
-- name: search_board
t.board IN (SELECT CAST(value AS bigint) FROM {names:$?} AS board)
-- name: search_claimed_by
t.claimed_by IN {names:$?} AND (t.claim_expires IS NULL OR t.claim_expires > $1)
-- name: search_parent
t.parent IN (SELECT CAST(value AS bigint) FROM {names:$?} AS parent)
-- name: search_is
EXISTS (SELECT 1 FROM {names:$?} AS state WHERE CASE value
  WHEN 'blocked' THEN t.blocked = 1
  WHEN 'claimed' THEN t.claimed_by <> '' AND (t.claim_expires IS NULL OR t.claim_expires > $1)
  WHEN 'open' THEN t.stage NOT IN ('done', 'archived')
  WHEN 'done' THEN t.stage = 'done'
  WHEN 'archived' THEN t.stage = 'archived'
  WHEN 'overdue' THEN t.due < $2 AND t.stage NOT IN ('done', 'archived')
  WHEN 'waiting' THEN t.open_deps > 0 END)
-- name: search_not_archived
AND t.stage <> 'archived'
