-- SQLite builds a table for every `IN` list of more than two words each time it checks a row. The same checks as
-- comparisons cost nothing. Only the text of the schema changes, so no row is rewritten:
-- https://www.sqlite.org/lang_altertable.html#otheralter
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(replace(sql,
  'CHECK (stage IN (''backlog'', ''ready'', ''claimed'', ''active'', ''review'', ''blocked'', ''failed'', ''done'', ''archived''))',
  'CHECK (stage = ''ready'' OR stage = ''claimed'' OR stage = ''active'' OR stage = ''done'' OR stage = ''review'' OR stage = ''backlog'' OR stage = ''archived'' OR stage = ''blocked'' OR stage = ''failed'')'),
  'CHECK (available IN (0, 1, 2))', 'CHECK (available BETWEEN 0 AND 2)')
  WHERE type = 'table' AND name = 'task';
UPDATE sqlite_schema SET sql = replace(sql,
  'CHECK (state IN (''starting'', ''running'', ''stopping'', ''ended''))',
  'CHECK (state = ''starting'' OR state = ''running'' OR state = ''stopping'' OR state = ''ended'')')
  WHERE type = 'table' AND name = 'run';
PRAGMA writable_schema = RESET;
