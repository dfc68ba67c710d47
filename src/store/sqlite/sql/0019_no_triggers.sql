-- The session marks changed tasks itself (task_writes.cpp). A trigger made each write of a task twice as expensive: SQLite
-- copies every page that a statement with triggers changes, so that it can undo that statement alone.
DROP TRIGGER task_new_archived;
DROP TRIGGER task_archived;
DROP TRIGGER tally_new_task;
DROP TRIGGER tally_changed_task;
DROP TRIGGER tally_removed_task;
