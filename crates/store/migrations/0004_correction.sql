-- Corrections of tournaments. The plan stays as it was made; corrections are added and never taken out,
-- one that is undone is marked. What they come to for a single game stands in its row: `ruling` is
-- 'decided:' with the winner, 'annulled' or 'withdrawn', and such a fixture is not played. The version
-- counts corrections and undoings, so that whoever has read a tournament knows whether it is the same.

ALTER TABLE tournament ADD COLUMN version BIGINT NOT NULL DEFAULT 0;

ALTER TABLE fixture ADD COLUMN ruling TEXT;

ALTER TABLE fixture ADD COLUMN added_by BIGINT;

CREATE TABLE correction (
    tournament TEXT NOT NULL REFERENCES tournament (id) ON DELETE CASCADE,
    number BIGINT NOT NULL,
    at_ms BIGINT NOT NULL,
    author TEXT NOT NULL,
    why TEXT NOT NULL,
    change TEXT NOT NULL,
    undone_ms BIGINT,
    undone_by TEXT,
    undone_why TEXT,
    PRIMARY KEY (tournament, number)
);

-- The result of a game that is played again, for the day when that is undone.
CREATE TABLE set_aside (
    tournament TEXT NOT NULL REFERENCES tournament (id) ON DELETE CASCADE,
    correction BIGINT NOT NULL,
    number BIGINT NOT NULL,
    worker TEXT,
    game TEXT,
    winner TEXT NOT NULL,
    reason TEXT NOT NULL,
    plies BIGINT NOT NULL,
    white_captures BIGINT NOT NULL,
    black_captures BIGINT NOT NULL,
    fault TEXT,
    ended_ms BIGINT NOT NULL,
    PRIMARY KEY (tournament, correction)
);
