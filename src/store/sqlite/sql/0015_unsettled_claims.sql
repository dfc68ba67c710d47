-- Whether a claim that ended may still have to be taken back. The sweep marks those that need nothing, so that it never
-- walks the claims of the past; every write of a task marks it anew.
ALTER TABLE task ADD COLUMN unsettled INTEGER NOT NULL DEFAULT 1 CHECK (unsettled = 0 OR unsettled = 1);
DROP INDEX task_claim_end;
CREATE INDEX task_claim_end ON task (claim_expires) WHERE claim_expires IS NOT NULL AND unsettled = 1;
