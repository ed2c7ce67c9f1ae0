-- Boards with trees of moves. A study without a name is its owner's one board; the others are kept by name.
-- Body and journal are texts of tablut-host. The version counts changes, so that nobody overwrites what
-- somebody else has changed since; moving the cursor is no change. Rules, set-up and moves (how many) are of
-- the body, for lists.

CREATE TABLE study (
    id TEXT NOT NULL PRIMARY KEY,
    owner TEXT NOT NULL,
    name TEXT,
    version BIGINT NOT NULL,
    cursor_node BIGINT NOT NULL,
    rules TEXT NOT NULL,
    setup TEXT NOT NULL,
    moves BIGINT NOT NULL,
    body TEXT NOT NULL,
    journal TEXT NOT NULL,
    changed_ms BIGINT NOT NULL
);

CREATE INDEX study_by_owner ON study (owner, changed_ms);

CREATE UNIQUE INDEX study_board ON study (owner) WHERE name IS NULL;
