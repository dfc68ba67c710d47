-- oldest program: 1
-- Of the runs: those that told no price, so that a sum with an unknown part is not taken for all of it. Rows of before
-- tell it only where they have tokens and no money at all.
ALTER TABLE run_total ADD COLUMN unpriced bigint NOT NULL DEFAULT 0;
UPDATE run_total SET unpriced = runs WHERE cost_usd <= 0 AND input + output > 0;
