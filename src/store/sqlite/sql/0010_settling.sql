-- How far a change of a board has come with its tasks, by number: those up to `after` are settled.
CREATE TABLE settling (
  board INTEGER PRIMARY KEY REFERENCES board ON DELETE CASCADE,
  after INTEGER NOT NULL,
  unsettled INTEGER NOT NULL  -- about how many tasks are left
) STRICT;

-- Whether an assignee is a worker no longer decides where its tasks wait.
UPDATE task SET lane = 'w:' || substr(lane, 3) WHERE lane GLOB 'p:*';
UPDATE task SET lane = 'u:w:' || substr(lane, 5) WHERE lane GLOB 'u:p:*';
UPDATE OR REPLACE tag_queue SET lane = 'w:' || substr(lane, 3) WHERE lane GLOB 'p:*';
UPDATE OR REPLACE tag_queue SET lane = 'u:w:' || substr(lane, 5) WHERE lane GLOB 'u:p:*';
