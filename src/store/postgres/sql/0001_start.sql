-- Andon's tables on PostgreSQL. Instants are milliseconds since 1970, days are days since 1970. Words of enums are those of the
-- wire. Texts are compared by their bytes.

CREATE TABLE schema_migration (
  version bigint PRIMARY KEY,
  name text NOT NULL,
  checksum text NOT NULL,
  oldest bigint NOT NULL,  -- programs that know all steps up to this one still work with the database
  applied_at bigint NOT NULL
);

CREATE TABLE identity (
  one bigint PRIMARY KEY CHECK (one = 1),
  incarnation text COLLATE "C" NOT NULL,
  catalogue bigint NOT NULL  -- rises with every change of a board or worker, so that readers refresh their copies
);

CREATE TABLE board (
  id bigint PRIMARY KEY,
  name text COLLATE "C" NOT NULL UNIQUE CHECK (name <> ''),
  document text COLLATE "C" NOT NULL
);

CREATE TABLE worker (
  name text COLLATE "C" PRIMARY KEY CHECK (name <> ''),
  document text COLLATE "C" NOT NULL
);

CREATE TABLE task (
  id bigint PRIMARY KEY,
  board bigint NOT NULL REFERENCES board,
  status text COLLATE "C" NOT NULL CHECK (status <> ''),
  stage text COLLATE "C" NOT NULL CHECK (stage IN ('backlog', 'ready', 'claimed', 'active', 'review', 'blocked', 'failed', 'done', 'archived')),
  rev bigint NOT NULL CHECK (rev >= 1),
  updated bigint NOT NULL,
  started bigint,
  completed bigint,
  entered bigint NOT NULL,
  blocked bigint NOT NULL CHECK (blocked IN (0, 1)),
  open_deps bigint NOT NULL CHECK (open_deps >= 0),
  claimed_by text COLLATE "C" NOT NULL,
  claimed_at bigint,
  claim_expires bigint CHECK (claim_expires IS NULL OR claimed_by <> ''),
  epoch bigint NOT NULL CHECK (epoch >= 0),
  supervised bigint NOT NULL CHECK (supervised IN (0, 1)),
  stopping bigint NOT NULL CHECK (stopping IN (0, 1)),
  attempt bigint NOT NULL CHECK (attempt >= 0),
  not_before bigint,
  run bigint,
  approved bigint NOT NULL CHECK (approved IN (0, 1)),
  chained bigint NOT NULL CHECK (chained IN (0, 1)),
  notes bigint NOT NULL,
  -- derived from the columns above and the board by core
  available bigint NOT NULL CHECK (available BETWEEN 0 AND 2),  -- 0 not pickable, 1 pickable, 2 pickable from available_at
  available_at bigint,
  holds_files bigint NOT NULL CHECK (holds_files IN (0, 1)),
  column_rank bigint NOT NULL,

  title text COLLATE "C" NOT NULL,
  priority text COLLATE "C" NOT NULL,
  class text COLLATE "C" NOT NULL,
  assignee text COLLATE "C" NOT NULL,
  role text COLLATE "C" NOT NULL,
  parent bigint,
  due bigint,
  rank text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  created bigint NOT NULL,
  source text COLLATE "C" NOT NULL,
  created_by text COLLATE "C" NOT NULL,
  max_attempts bigint NOT NULL,
  -- derived
  lane text COLLATE "C" NOT NULL,
  class_rank bigint NOT NULL,
  pick_due bigint NOT NULL,
  priority_rank bigint NOT NULL,

  result text COLLATE "C",
  details text COLLATE "C",  -- JSON of what most tasks do not have; NULL when it would be empty
  archived bigint NOT NULL DEFAULT 0 CHECK (archived IN (0, 1)),
  unsettled bigint NOT NULL DEFAULT 1 CHECK (unsettled IN (0, 1)),
  CHECK (available <> 2 OR available_at IS NOT NULL)
);

CREATE TABLE task_body (
  task bigint PRIMARY KEY REFERENCES task,
  body text COLLATE "C" NOT NULL
);

CREATE TABLE task_tag (
  tag text COLLATE "C" NOT NULL,
  task bigint NOT NULL,
  PRIMARY KEY (tag, task)
);

CREATE TABLE tag_queue (
  board bigint NOT NULL,
  status text COLLATE "C" NOT NULL,
  lane text COLLATE "C" NOT NULL,
  tag text COLLATE "C" NOT NULL,
  class_rank bigint NOT NULL,
  pick_due bigint NOT NULL,
  priority_rank bigint NOT NULL,
  rank text COLLATE "C" NOT NULL,
  task bigint NOT NULL,
  PRIMARY KEY (board, status, lane, tag, class_rank, pick_due, priority_rank, rank, task)
);

CREATE TABLE dependency (
  task bigint NOT NULL REFERENCES task,
  depends_on bigint NOT NULL,
  PRIMARY KEY (task, depends_on),
  CHECK (task <> depends_on)
);

CREATE TABLE child_count (
  parent bigint PRIMARY KEY,
  done bigint NOT NULL,
  total bigint NOT NULL CHECK (total >= 1),
  above bigint,
  CHECK (done BETWEEN 0 AND total)
);

CREATE TABLE open_review (
  review bigint PRIMARY KEY,
  task bigint NOT NULL
);

CREATE TABLE column_load (
  board bigint NOT NULL,
  status text COLLATE "C" NOT NULL,
  n bigint NOT NULL CHECK (n >= 0),
  PRIMARY KEY (board, status)
);

CREATE TABLE class_load (
  board bigint NOT NULL,
  class text COLLATE "C" NOT NULL,
  n bigint NOT NULL CHECK (n >= 0),
  PRIMARY KEY (board, class)
);

CREATE TABLE settling (
  board bigint PRIMARY KEY REFERENCES board ON DELETE CASCADE,
  after bigint NOT NULL,
  unsettled bigint NOT NULL  -- about how many tasks are left
);

CREATE TABLE run (
  id bigint PRIMARY KEY,
  task bigint NOT NULL REFERENCES task,
  state text COLLATE "C" NOT NULL CHECK (state IN ('starting', 'running', 'stopping', 'ended')),
  document text COLLATE "C" NOT NULL,
  ended bigint
);

CREATE TABLE run_guard (
  run bigint PRIMARY KEY REFERENCES run ON DELETE CASCADE,
  document text COLLATE "C" NOT NULL
);

CREATE TABLE event (
  seq bigint PRIMARY KEY CHECK (seq >= 1),
  ts bigint NOT NULL,
  actor text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  board text COLLATE "C" NOT NULL,
  task bigint,
  run bigint,
  "from" text COLLATE "C",
  "to" text COLLATE "C",
  data text COLLATE "C",
  mutation text COLLATE "C"
);

CREATE TABLE note (
  event bigint PRIMARY KEY REFERENCES event,
  text text COLLATE "C" NOT NULL
);

CREATE TABLE abandoned (
  task bigint NOT NULL,
  at bigint NOT NULL,
  PRIMARY KEY (task, at)
);

CREATE TABLE automation (
  id bigint PRIMARY KEY,
  name text COLLATE "C" NOT NULL UNIQUE CHECK (name <> ''),
  board bigint NOT NULL REFERENCES board ON DELETE CASCADE,
  document text COLLATE "C" NOT NULL
);

CREATE TABLE token (
  id bigint PRIMARY KEY,
  hash text COLLATE "C" NOT NULL UNIQUE CHECK (length(hash) = 64),
  kind text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  run bigint NOT NULL,
  task bigint NOT NULL,
  epoch bigint NOT NULL,
  board text COLLATE "C" NOT NULL,
  created bigint NOT NULL,
  expires bigint,
  revoked bigint,
  label text COLLATE "C" NOT NULL
);

CREATE TABLE remembered (
  key text COLLATE "C" PRIMARY KEY,
  fingerprint text COLLATE "C" NOT NULL,
  answer text COLLATE "C" NOT NULL,
  at bigint NOT NULL
);

-- The texts that searches find, in pieces. A tsvector has room for 16,383 words and 255 places of one word.
CREATE TABLE search (
  document bigint NOT NULL,  -- a task, or minus the seq of a note's event
  piece bigint NOT NULL,
  first integer NOT NULL,    -- where the piece begins in the body or note, in characters
  length integer NOT NULL,
  title tsvector,            -- of a task, with its first piece
  words tsvector NOT NULL,   -- weight A: title, B: body, C: note
  PRIMARY KEY (document, piece)
);

CREATE TABLE setting (
  name text COLLATE "C" PRIMARY KEY,
  value text COLLATE "C" NOT NULL
);

CREATE TABLE given (
  name text COLLATE "C" PRIMARY KEY CHECK (name IN ('automation', 'run', 'task', 'token')),
  last bigint NOT NULL
);

CREATE TABLE numbered (one bigint PRIMARY KEY CHECK (one = 1), task bigint NOT NULL);

CREATE TABLE file (
  board bigint NOT NULL,
  name text COLLATE "C" NOT NULL,
  task bigint,             -- NULL where the file could not be read as a task
  settled bigint NOT NULL, -- 1: archived, looked at only when the directory changed
  size bigint NOT NULL, modified bigint NOT NULL, changed bigint NOT NULL, inode bigint NOT NULL,
  seen bigint NOT NULL,    -- when it was read, nanoseconds since 1970; 0: it must be read again
  hash bigint NOT NULL,
  claim_end bigint,        -- milliseconds since 1970; NULL without a claim
  problem text COLLATE "C",
  PRIMARY KEY (board, name)
);

CREATE TABLE file_number (
  board bigint NOT NULL REFERENCES board ON DELETE CASCADE,
  number bigint NOT NULL,
  task bigint NOT NULL UNIQUE,
  PRIMARY KEY (board, number)
);

CREATE TABLE past_epoch (task bigint PRIMARY KEY, epoch bigint NOT NULL);

CREATE TABLE beside (
  board bigint NOT NULL,
  name text COLLATE "C" NOT NULL,
  value text COLLATE "C" NOT NULL,
  PRIMARY KEY (board, name)
);

CREATE TABLE flow_settled (
  one bigint PRIMARY KEY CHECK (one = 1),
  seq bigint NOT NULL,
  task bigint NOT NULL,
  run bigint NOT NULL
);

CREATE TABLE move_total (
  board bigint NOT NULL,
  at bigint NOT NULL,
  kind text COLLATE "C" NOT NULL,
  "from" text COLLATE "C" NOT NULL,
  "to" text COLLATE "C" NOT NULL,
  worker text COLLATE "C" NOT NULL,
  n bigint NOT NULL,
  PRIMARY KEY (board, at, kind, "from", "to", worker)
);

CREATE TABLE finished_total (
  board bigint NOT NULL,
  at bigint NOT NULL,
  class text COLLATE "C" NOT NULL,
  worker text COLLATE "C" NOT NULL,
  n bigint NOT NULL,
  lead bigint NOT NULL,
  cycles bigint NOT NULL,
  cycle bigint NOT NULL,
  lead_of_cycles bigint NOT NULL,
  PRIMARY KEY (board, at, class, worker)
);

CREATE TABLE spread_total (
  board bigint NOT NULL,
  day bigint NOT NULL,
  measure text COLLATE "C" NOT NULL CHECK (measure = 'lead' OR measure = 'cycle'),
  bucket bigint NOT NULL,
  n bigint NOT NULL,
  PRIMARY KEY (board, day, measure, bucket)
);

CREATE TABLE run_total (
  board text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  worker text COLLATE "C" NOT NULL,
  runs bigint NOT NULL,
  failed bigint NOT NULL,
  busy bigint NOT NULL,
  input bigint NOT NULL,
  output bigint NOT NULL,
  cache_read bigint NOT NULL,
  cache_write bigint NOT NULL,
  reasoning bigint NOT NULL,
  cost_usd double precision NOT NULL,
  PRIMARY KEY (board, at, worker)
);

CREATE TABLE tally (
  board bigint NOT NULL,
  facet text COLLATE "C" NOT NULL,
  value text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL,
  n bigint NOT NULL,
  blocked bigint NOT NULL,
  PRIMARY KEY (board, facet, value, status)
);

CREATE TABLE tally_due (
  board bigint NOT NULL,
  facet text COLLATE "C" NOT NULL,
  value text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL,
  due bigint NOT NULL,
  n bigint NOT NULL,
  PRIMARY KEY (board, facet, value, status, due)
);

CREATE TABLE tally_stale (
  task bigint PRIMARY KEY,
  board bigint,
  status text COLLATE "C",
  stage text COLLATE "C",
  blocked bigint,
  due bigint,
  priority text COLLATE "C",
  class text COLLATE "C",
  assignee text COLLATE "C",
  role text COLLATE "C",
  parent bigint,
  details text COLLATE "C",
  created bigint,
  started bigint,
  completed bigint,
  run bigint
);

-- Each index ends with the number of the row, so that rows that are alike in its other columns come in that order without a sort.
CREATE INDEX task_pick ON task (board, status, lane, class_rank, pick_due, priority_rank, rank, id, available) WHERE available = 1;
CREATE INDEX task_later ON task (available_at, id) WHERE available = 2;
CREATE INDEX task_by_board ON task (board, id);
CREATE INDEX task_by_holder ON task (claimed_by, id) WHERE claimed_by <> '';
CREATE INDEX task_with_files ON task (board, id) WHERE holds_files = 1;
CREATE INDEX task_by_parent ON task (parent, id) WHERE parent IS NOT NULL;
CREATE INDEX task_by_assignee ON task (assignee, id) WHERE assignee <> '';
CREATE INDEX dependency_reverse ON dependency (depends_on, task);
CREATE INDEX run_by_task ON run (task, id);
CREATE UNIQUE INDEX run_one_live_per_task ON run (task) WHERE state <> 'ended';
CREATE INDEX run_live ON run (id) WHERE state <> 'ended';
CREATE INDEX event_by_task ON event (task, seq) WHERE task IS NOT NULL;
CREATE INDEX token_by_run ON token (run, id) WHERE run <> 0;
CREATE INDEX remembered_at ON remembered (at);
CREATE INDEX task_finished ON task (board, completed, id) WHERE completed IS NOT NULL;
CREATE INDEX task_under_way ON task (board, started, id) WHERE started IS NOT NULL AND completed IS NULL;
CREATE INDEX event_move ON event (board, ts, seq) WHERE "to" IS NOT NULL;
CREATE INDEX run_ended ON run (ended, id) WHERE ended IS NOT NULL;
CREATE INDEX task_waiting ON task (board, class_rank, pick_due, priority_rank, rank, id)
  WHERE approved = 1 AND stage = 'backlog' AND available <> 0;
CREATE INDEX automation_by_board ON automation (board, id);
CREATE INDEX file_by_task ON file (task) WHERE task IS NOT NULL;
CREATE INDEX file_watched ON file (board, settled, name, task, size, modified, changed, inode, seen, hash, claim_end, problem) WHERE settled = 0;
CREATE INDEX file_with_problem ON file (board, name, problem) WHERE problem IS NOT NULL;
CREATE INDEX tag_queue_by_task ON tag_queue (task);
CREATE INDEX task_by_column ON task (board, status, id);
CREATE INDEX task_by_update ON task (board, status, updated, id);
CREATE INDEX task_aside ON task (board, status, class_rank, pick_due, priority_rank, rank, id) WHERE available <> 1;
CREATE INDEX task_by_title ON task (board, archived, title, id);
CREATE INDEX task_by_creation ON task (board, archived, created, id);
CREATE INDEX task_by_due ON task (board, archived, coalesce(due, 2147483647), id);
CREATE INDEX task_by_priority ON task (board, archived, (-priority_rank), id);
CREATE INDEX task_by_role ON task (role, id) WHERE role <> '';
CREATE INDEX task_by_class ON task (class, id) WHERE class <> '';
CREATE INDEX task_blocked ON task (id) WHERE blocked = 1;
CREATE INDEX task_with_open_deps ON task (id) WHERE open_deps > 0;
CREATE INDEX event_by_board ON event (board, kind, seq);
CREATE INDEX event_column ON event (board, ts, seq) WHERE "to" IS NOT NULL AND task IS NULL;
CREATE INDEX child_count_above ON child_count (above) WHERE above IS NOT NULL;
CREATE INDEX open_review_of ON open_review (task);
CREATE INDEX task_claim_end ON task (claim_expires, id) WHERE claim_expires IS NOT NULL AND unsettled = 1;
CREATE INDEX task_retry ON task (not_before, id) WHERE not_before IS NOT NULL AND attempt > 0;
CREATE INDEX token_revoked ON token (revoked, id) WHERE revoked IS NOT NULL;
CREATE INDEX search_words ON search USING gin (title, words) WITH (fastupdate = off);
CREATE INDEX token_expires ON token (expires, id) WHERE expires IS NOT NULL;

INSERT INTO identity VALUES (1, substr(md5(random()::text || clock_timestamp()::text), 1, 6), 1);
INSERT INTO numbered VALUES (1, 0);
INSERT INTO flow_settled VALUES (1, 0, 0, 0);

-- Rises with each transaction that writes. By it a server sees that another one has written.
CREATE SEQUENCE turn;

-- The servers that were heard of; instants are those of the clock of the database.
CREATE TABLE server (
  name text COLLATE "C" PRIMARY KEY CHECK (name <> ''),
  id text COLLATE "C" NOT NULL,
  process text COLLATE "C" NOT NULL,
  url text COLLATE "C" NOT NULL,
  version text COLLATE "C" NOT NULL,
  started bigint NOT NULL,
  seen bigint NOT NULL
);

-- The server that does what only one may do, and until when.
CREATE TABLE leader (
  one bigint PRIMARY KEY CHECK (one = 1),
  server text COLLATE "C" NOT NULL,
  until bigint NOT NULL
);

-- The last batches of each running server, by which it finds out which of them outlived a lost connection.
CREATE TABLE batch (
  server text COLLATE "C" NOT NULL,
  number bigint NOT NULL,
  PRIMARY KEY (server, number)
);

-- True when a text has the words in small letters, whatever its case.
CREATE FUNCTION has_text(whole text, part text) RETURNS boolean
  LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN strpos(lower(whole), part) > 0;

-- Words of searches: English endings do not matter, and no word is left out. The program has folded them before.
CREATE TEXT SEARCH DICTIONARY search_stem (TEMPLATE = pg_catalog.snowball, Language = porter);
CREATE TEXT SEARCH CONFIGURATION search_words (PARSER = pg_catalog."default");
ALTER TEXT SEARCH CONFIGURATION search_words
  ADD MAPPING FOR asciiword, word, numword, int, uint, float, sfloat, version WITH search_stem;
CREATE AGGREGATE search_all (tsquery) (SFUNC = tsquery_and, STYPE = tsquery);
-- All of the phrases in a JSON list.
CREATE FUNCTION search_query(phrases text) RETURNS tsquery LANGUAGE sql STABLE PARALLEL SAFE
  RETURN (SELECT search_all(phraseto_tsquery('search_words', value)) FROM jsonb_array_elements_text(phrases::jsonb));

-- A kept JSON text. PostgreSQL refuses the escaped zero character in it, which SQLite keeps and copies may bring.
CREATE FUNCTION as_json(document text) RETURNS jsonb
  LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN replace(document, '\u0000', '\ufffd')::jsonb;
