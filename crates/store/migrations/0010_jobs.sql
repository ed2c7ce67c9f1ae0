-- Work of engines that any worker may do: moves and hints, lines, proofs, reviews, retries. Whoever ordered it
-- is a process with a heartbeat; jobs of a process that is no more are wanted by nobody. What has ended stays
-- for a minute, so that it is known what its owner has used lately. Times are those of the database's clock.
CREATE TABLE job (
    id TEXT NOT NULL PRIMARY KEY,
    -- What a worker says that it does: games, analysis.
    kind TEXT NOT NULL,
    -- By how many milliseconds it lets others go first: short work before long.
    priority BIGINT NOT NULL,
    owner TEXT NOT NULL,
    -- Where the owner comes from; empty for those at the server's own machine.
    address TEXT NOT NULL,
    -- The process in which somebody waits for it.
    process TEXT NOT NULL,
    parameters TEXT NOT NULL,
    created_ms BIGINT NOT NULL,
    -- How long an attempt may take.
    limit_ms BIGINT NOT NULL,
    -- The worker of the latest attempt, when that began, and until when it is not taken for dead.
    attempt BIGINT NOT NULL DEFAULT 0,
    worker TEXT,
    begun_ms BIGINT,
    lease_ms BIGINT,
    -- What was found so far, and when that is all.
    version BIGINT NOT NULL DEFAULT 0,
    found TEXT,
    fault TEXT,
    ended_ms BIGINT
);

CREATE INDEX job_open ON job (kind, created_ms) WHERE ended_ms IS NULL;

CREATE INDEX job_by_owner ON job (owner);

CREATE INDEX job_by_address ON job (address);

CREATE INDEX job_by_process ON job (process);

-- What processes tell of themselves with their heartbeat, for the administrator and for each other. What a
-- process of the version before leaves out has these values.
ALTER TABLE process ADD COLUMN name TEXT NOT NULL DEFAULT '';

-- The kinds of jobs that a worker does; a server without any has none.
ALTER TABLE process ADD COLUMN jobs TEXT NOT NULL DEFAULT '';

ALTER TABLE process ADD COLUMN is_worker BIGINT NOT NULL DEFAULT 0;

ALTER TABLE process ADD COLUMN engines BIGINT NOT NULL DEFAULT 0;

ALTER TABLE process ADD COLUMN orders BIGINT NOT NULL DEFAULT 0;

ALTER TABLE process ADD COLUMN pages BIGINT NOT NULL DEFAULT 0;

ALTER TABLE process ADD COLUMN games BIGINT NOT NULL DEFAULT 0;

-- Whether it was told to let its pages move to another process, and to end.
ALTER TABLE process ADD COLUMN drains BIGINT NOT NULL DEFAULT 0;

-- The addresses from which many pages of a process are open.
CREATE TABLE crowd (
    process TEXT NOT NULL,
    address TEXT NOT NULL,
    pages BIGINT NOT NULL,
    PRIMARY KEY (process, address)
);
