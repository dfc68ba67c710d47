-- oldest program: 1
-- The keys under which tasks with like texts are found, see core/tasks/likeness.hpp. Tasks of before get theirs with the
-- next change of their text.
CREATE TABLE task_sketch (
  board bigint NOT NULL,
  key bigint NOT NULL,
  task bigint NOT NULL,
  PRIMARY KEY (board, key, task)
);
CREATE INDEX task_sketch_of ON task_sketch (task);
