-- Approved tasks that wait in the backlog stage for room in the ready column, in pick order.
CREATE INDEX task_waiting ON task (board, class_rank, pick_due, priority_rank, rank, id)
  WHERE approved = 1 AND stage = 'backlog' AND available <> 0;

-- Everybody by name has a queue of their own.
UPDATE task SET lane = 'p:' || assignee WHERE lane = 'p';
