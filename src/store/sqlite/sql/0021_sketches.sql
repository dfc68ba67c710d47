-- The keys under which tasks with like texts are found, see core/tasks/likeness.hpp. Tasks of before get theirs with the
-- next change of their text.
CREATE TABLE task_sketch (
  board INTEGER NOT NULL,
  key INTEGER NOT NULL,
  task INTEGER NOT NULL,
  PRIMARY KEY (board, key, task)
) STRICT, WITHOUT ROWID;
CREATE INDEX task_sketch_of ON task_sketch (task);
