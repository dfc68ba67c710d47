-- A tally is put together from these parts: a key for each facet, the counts, the tags where they are asked for.

-- name: tally_assignee
t.assignee
-- name: tally_tag
tag.value
-- name: tally_class
t.class
-- name: tally_priority
t.priority
-- name: tally_status
t.status
-- name: tally_role
t.role
-- name: tally_parent
t.parent

-- name: tally_counts
count(*), sum(t.blocked), sum(coalesce(t.due < $3, 0) AND t.stage NOT IN ('done', 'archived')) FROM task t
-- name: tally_tags
LEFT JOIN json_each(t.details, '$.tags') AS tag
-- name: tally_where
WHERE t.board = $1 AND t.status IN (SELECT value FROM json_each($2))
