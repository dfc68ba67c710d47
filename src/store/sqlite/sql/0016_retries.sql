-- Failed attempts that wait for their next one: found when the wall clock was set.
CREATE INDEX IF NOT EXISTS task_retry ON task (not_before) WHERE not_before IS NOT NULL AND attempt > 0;
