-- Many processes serve one store, and none of them owns a game. Whatever can be seen of a game raises its
-- version, so that everybody who shows it knows whether it is the same; `undone` counts take-backs, so that
-- whoever knows the first moves need not read them again. Times here are those of the database's clock.

ALTER TABLE game ADD COLUMN version BIGINT NOT NULL DEFAULT 0;

ALTER TABLE game ADD COLUMN undone BIGINT NOT NULL DEFAULT 0;

-- Since when the side to move has been thinking; nothing before both players were there.
ALTER TABLE game ADD COLUMN turn_ms BIGINT;

-- Since when the clock stands still, for players who are awaited.
ALTER TABLE game ADD COLUMN stopped_ms BIGINT;

ALTER TABLE game ADD COLUMN draw_offer TEXT;

ALTER TABLE game ADD COLUMN take_back TEXT;

ALTER TABLE game ADD COLUMN declined TEXT;

-- Whether the clock stands still until the player of this seat is back.
ALTER TABLE seat ADD COLUMN awaited BIGINT NOT NULL DEFAULT 0;

-- The processes that serve this store, and when each was last known to be alive.
CREATE TABLE process (
    id TEXT NOT NULL PRIMARY KEY,
    since_ms BIGINT NOT NULL,
    beat_ms BIGINT NOT NULL
);

-- The players who are there, and by which process.
CREATE TABLE presence (
    game TEXT NOT NULL REFERENCES game (id) ON DELETE CASCADE,
    side TEXT NOT NULL,
    process TEXT NOT NULL,
    since_ms BIGINT NOT NULL,
    PRIMARY KEY (game, side, process)
);

CREATE INDEX presence_by_process ON presence (process);
