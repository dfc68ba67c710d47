-- oldest program: 1
-- Checks of the runs that failed and passed when they were run again. No check was run again before.
ALTER TABLE run_total ADD COLUMN flaky bigint NOT NULL DEFAULT 0;
