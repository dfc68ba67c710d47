-- What metrics and forecasts look up: finished work, work under way, moves between columns, ended runs.
CREATE INDEX task_finished ON task (board, completed) WHERE completed IS NOT NULL;
CREATE INDEX task_under_way ON task (board, started) WHERE started IS NOT NULL AND completed IS NULL;
CREATE INDEX event_move ON event (board, ts) WHERE "to" IS NOT NULL;

ALTER TABLE run ADD COLUMN ended INTEGER;
UPDATE run SET ended = CAST(round((julianday(json_extract(document, '$.ended')) - 2440587.5) * 86400000) AS INTEGER)
  WHERE state = 'ended';
CREATE INDEX run_ended ON run (ended) WHERE ended IS NOT NULL;
