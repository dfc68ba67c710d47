-- A list in any order is merged from walks of these indexes, one per board, or per board and column: list_walk.cpp.
-- Each column of the table that they hold changes seldom, but for `updated` and `available`.
DROP INDEX task_by_column;
CREATE INDEX task_by_column ON task (board, status);
CREATE INDEX task_by_update ON task (board, status, updated);
-- Pickable tasks stand in task_pick, in the same order but for their lane.
CREATE INDEX task_aside ON task (board, status, class_rank, pick_due, priority_rank, rank) WHERE available <> 1;
-- Archived tasks stand apart, for lists leave them out. A column of its own, so that other moves do not touch these indexes.
ALTER TABLE task ADD COLUMN archived INTEGER NOT NULL DEFAULT 0 CHECK (archived = 0 OR archived = 1);
UPDATE task SET archived = 1 WHERE stage = 'archived';
CREATE TRIGGER task_new_archived AFTER INSERT ON task WHEN NEW.stage = 'archived' BEGIN
  UPDATE task SET archived = 1 WHERE id = NEW.id;
END;
CREATE TRIGGER task_archived AFTER UPDATE OF stage ON task WHEN (NEW.stage = 'archived') <> NEW.archived BEGIN
  UPDATE task SET archived = NEW.stage = 'archived' WHERE id = NEW.id;
END;
CREATE INDEX task_by_title ON task (board, archived, title);
CREATE INDEX task_by_creation ON task (board, archived, created);
CREATE INDEX task_by_due ON task (board, archived, coalesce(due, 2147483647));
CREATE INDEX task_by_priority ON task (board, archived, -priority_rank);

-- What lists narrow by, where it is rare.
CREATE INDEX task_by_role ON task (role) WHERE role <> '';
CREATE INDEX task_by_class ON task (class) WHERE class <> '';
CREATE INDEX task_blocked ON task (id) WHERE blocked = 1;
CREATE INDEX task_with_open_deps ON task (id) WHERE open_deps > 0;
CREATE TABLE task_tag (
  tag TEXT NOT NULL,
  task INTEGER NOT NULL,
  PRIMARY KEY (tag, task)
) STRICT, WITHOUT ROWID;
INSERT OR IGNORE INTO task_tag
  SELECT json_each.value, t.id FROM task t, json_each(t.details, '$.tags') WHERE t.details LIKE '%"tags":%' ORDER BY 1, 2;

-- The history by what happened; its predecessor had the board alone.
DROP INDEX event_by_board;
CREATE INDEX event_by_board ON event (board, kind);
