-- Tournaments. A fixture is played by whoever holds its claim: the worker whose attempt it is, until
-- the lease ends by the database's clock. Only the latest attempt may bring the result, and only once.

CREATE TABLE tournament (
    id TEXT NOT NULL PRIMARY KEY,
    plan TEXT NOT NULL,
    rules TEXT NOT NULL,
    state TEXT NOT NULL,
    created_ms BIGINT NOT NULL
);

CREATE TABLE fixture (
    tournament TEXT NOT NULL REFERENCES tournament (id) ON DELETE CASCADE,
    number BIGINT NOT NULL,
    stage TEXT,
    round BIGINT NOT NULL,
    white BIGINT NOT NULL,
    black BIGINT NOT NULL,
    is_remote BIGINT NOT NULL,
    attempt BIGINT NOT NULL,
    worker TEXT,
    lease_ms BIGINT,
    game TEXT,
    winner TEXT,
    reason TEXT,
    plies BIGINT,
    white_captures BIGINT,
    black_captures BIGINT,
    fault TEXT,
    ended_ms BIGINT,
    PRIMARY KEY (tournament, number)
);

CREATE INDEX fixture_to_play ON fixture (tournament, ended_ms, number);
