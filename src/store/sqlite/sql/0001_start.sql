-- Instants are milliseconds since 1970, days are days since 1970. Words of enums are those of the wire.

CREATE TABLE identity (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  incarnation TEXT NOT NULL,
  catalogue INTEGER NOT NULL  -- rises with every change of a board or worker, so that readers refresh their copies
) STRICT;
INSERT INTO identity VALUES (1, lower(hex(randomblob(3))), 1);

CREATE TABLE board (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE CHECK (name <> ''),
  document TEXT NOT NULL
) STRICT;

CREATE TABLE worker (
  name TEXT PRIMARY KEY CHECK (name <> ''),
  document TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE task (
  id INTEGER PRIMARY KEY,
  board INTEGER NOT NULL REFERENCES board,
  status TEXT NOT NULL CHECK (status <> ''),
  stage TEXT NOT NULL CHECK (stage IN ('backlog', 'ready', 'claimed', 'active', 'review', 'blocked', 'failed', 'done', 'archived')),
  rev INTEGER NOT NULL CHECK (rev >= 1),
  updated INTEGER NOT NULL,
  started INTEGER,
  completed INTEGER,
  entered INTEGER NOT NULL,
  blocked INTEGER NOT NULL CHECK (blocked IN (0, 1)),
  open_deps INTEGER NOT NULL CHECK (open_deps >= 0),
  claimed_by TEXT NOT NULL,
  claimed_at INTEGER,
  claim_expires INTEGER CHECK (claim_expires IS NULL OR claimed_by <> ''),
  epoch INTEGER NOT NULL CHECK (epoch >= 0),
  supervised INTEGER NOT NULL CHECK (supervised IN (0, 1)),
  stopping INTEGER NOT NULL CHECK (stopping IN (0, 1)),
  attempt INTEGER NOT NULL CHECK (attempt >= 0),
  not_before INTEGER,
  run INTEGER,
  approved INTEGER NOT NULL CHECK (approved IN (0, 1)),
  chained INTEGER NOT NULL CHECK (chained IN (0, 1)),
  notes INTEGER NOT NULL,
  -- derived from the columns above and the board by core
  available INTEGER NOT NULL CHECK (available IN (0, 1, 2)),  -- 0 not pickable, 1 pickable, 2 pickable from available_at
  available_at INTEGER,
  holds_files INTEGER NOT NULL CHECK (holds_files IN (0, 1)),
  column_rank INTEGER NOT NULL,

  title TEXT NOT NULL,
  priority TEXT NOT NULL,
  class TEXT NOT NULL,
  assignee TEXT NOT NULL,
  role TEXT NOT NULL,
  parent INTEGER,
  due INTEGER,
  rank TEXT NOT NULL,
  key TEXT NOT NULL,
  created INTEGER NOT NULL,
  source TEXT NOT NULL,
  created_by TEXT NOT NULL,
  max_attempts INTEGER NOT NULL,
  -- derived
  lane TEXT NOT NULL,
  class_rank INTEGER NOT NULL,
  pick_due INTEGER NOT NULL,
  priority_rank INTEGER NOT NULL,

  result TEXT,
  details TEXT,  -- JSON of what most tasks do not have; NULL when it would be empty
  CHECK (available <> 2 OR available_at IS NOT NULL)
) STRICT;

-- `available` stands in it so that the index alone answers.
CREATE INDEX task_pick ON task (board, status, lane, class_rank, pick_due, priority_rank, rank, id, available) WHERE available = 1;
CREATE INDEX task_later ON task (available_at) WHERE available = 2;
CREATE INDEX task_by_column ON task (board, status, available);
CREATE INDEX task_by_board ON task (board);
CREATE INDEX task_claim_end ON task (claim_expires) WHERE claim_expires IS NOT NULL;
CREATE INDEX task_by_holder ON task (claimed_by) WHERE claimed_by <> '';
CREATE INDEX task_with_files ON task (board) WHERE holds_files = 1;
CREATE INDEX task_by_parent ON task (parent) WHERE parent IS NOT NULL;
CREATE INDEX task_by_assignee ON task (assignee) WHERE assignee <> '';

CREATE TABLE task_body (
  task INTEGER PRIMARY KEY REFERENCES task,
  body TEXT NOT NULL
) STRICT;

CREATE TABLE dependency (
  task INTEGER NOT NULL REFERENCES task,
  depends_on INTEGER NOT NULL,
  PRIMARY KEY (task, depends_on),
  CHECK (task <> depends_on)
) STRICT, WITHOUT ROWID;
CREATE INDEX dependency_reverse ON dependency (depends_on, task);

CREATE TABLE column_load (
  board INTEGER NOT NULL,
  status TEXT NOT NULL,
  n INTEGER NOT NULL CHECK (n >= 0),
  PRIMARY KEY (board, status)
) STRICT, WITHOUT ROWID;

CREATE TABLE class_load (
  board INTEGER NOT NULL,
  class TEXT NOT NULL,
  n INTEGER NOT NULL CHECK (n >= 0),
  PRIMARY KEY (board, class)
) STRICT, WITHOUT ROWID;

CREATE TABLE run (
  id INTEGER PRIMARY KEY,
  task INTEGER NOT NULL REFERENCES task,
  state TEXT NOT NULL CHECK (state IN ('starting', 'running', 'stopping', 'ended')),
  document TEXT NOT NULL
) STRICT;
CREATE INDEX run_by_task ON run (task);
CREATE UNIQUE INDEX run_one_live_per_task ON run (task) WHERE state <> 'ended';
CREATE INDEX run_live ON run (id) WHERE state <> 'ended';

CREATE TABLE event (
  seq INTEGER PRIMARY KEY CHECK (seq >= 1),
  ts INTEGER NOT NULL,
  actor TEXT NOT NULL,
  kind TEXT NOT NULL,
  board TEXT NOT NULL,
  task INTEGER,
  run INTEGER,
  "from" TEXT,
  "to" TEXT,
  data TEXT,
  mutation TEXT
) STRICT;
CREATE INDEX event_by_task ON event (task) WHERE task IS NOT NULL;
CREATE INDEX event_by_board ON event (board);

-- The words of task.noted events, for search: JSON functions are not allowed in a view.
CREATE TABLE note (
  event INTEGER PRIMARY KEY REFERENCES event,
  text TEXT NOT NULL
) STRICT;

CREATE TABLE token (
  id INTEGER PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE CHECK (length(hash) = 64),
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  run INTEGER NOT NULL,
  task INTEGER NOT NULL,
  epoch INTEGER NOT NULL,
  board TEXT NOT NULL,
  created INTEGER NOT NULL,
  expires INTEGER,
  revoked INTEGER,
  label TEXT NOT NULL
) STRICT;
CREATE INDEX token_by_run ON token (run) WHERE run <> 0;

CREATE TABLE remembered (
  key TEXT PRIMARY KEY,
  fingerprint TEXT NOT NULL,
  answer TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX remembered_at ON remembered (at);

CREATE TABLE setting (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- What search reads: a task under its id, a note under minus the seq of its event.
CREATE VIEW searchable (id, title, body, note) AS
  SELECT task.id, task.title, coalesce(task_body.body, ''), ''
    FROM task LEFT JOIN task_body ON task_body.task = task.id
  UNION ALL
  SELECT -event, '', '', text FROM note;

CREATE VIRTUAL TABLE search USING fts5 (
  title, body, note,
  content = 'searchable', content_rowid = 'id',
  tokenize = 'porter unicode61 remove_diacritics 2'
);
