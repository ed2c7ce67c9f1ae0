-- How often a worker gave a job back without a fault of the job: it ended, or had no place for it. That is no
-- attempt; `attempt` still counts it, since it tells whose result is the newest.
ALTER TABLE job ADD COLUMN released BIGINT NOT NULL DEFAULT 0;
