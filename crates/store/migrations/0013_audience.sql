-- How many watch a game at each process, as it tells with its heartbeat. Only processes that are alive count: one of the
-- version before, which buries another, leaves its rows.
CREATE TABLE audience (
    process TEXT NOT NULL,
    game TEXT NOT NULL,
    spectators BIGINT NOT NULL,
    PRIMARY KEY (game, process)
);

CREATE INDEX audience_by_process ON audience (process);
