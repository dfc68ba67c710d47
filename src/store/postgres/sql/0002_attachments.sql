-- oldest program: 1
-- The contents of attachments. Their records stand in the tasks.
CREATE TABLE attachment (
  task bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  content bytea NOT NULL,
  at bigint NOT NULL,
  PRIMARY KEY (task, id)
);
-- Images and archives are compressed already.
ALTER TABLE attachment ALTER COLUMN content SET STORAGE EXTERNAL;
