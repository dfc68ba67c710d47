-- Pickable tasks under each of their tags in pick order, so that a pick by tag steps over no others.
CREATE TABLE tag_queue (
  board INTEGER NOT NULL,
  status TEXT NOT NULL,
  lane TEXT NOT NULL,
  tag TEXT NOT NULL,
  class_rank INTEGER NOT NULL,
  pick_due INTEGER NOT NULL,
  priority_rank INTEGER NOT NULL,
  rank TEXT NOT NULL,
  task INTEGER NOT NULL,
  PRIMARY KEY (board, status, lane, tag, class_rank, pick_due, priority_rank, rank, task)
) STRICT, WITHOUT ROWID;
CREATE INDEX tag_queue_by_task ON tag_queue (task);
INSERT OR IGNORE INTO tag_queue
  SELECT t.board, t.status, t.lane, json_each.value, t.class_rank, t.pick_due, t.priority_rank, t.rank, t.id
    FROM task t, json_each(t.details, '$.tags') WHERE t.available = 1;
