-- The same text serves SQLite and PostgreSQL. Times are milliseconds since 1970, ids are text.
-- Numbered files are never edited; a change of the schema is a new file.

CREATE TABLE visitor (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT,
    created_ms BIGINT NOT NULL
);

CREATE TABLE setting (
    owner TEXT NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (owner, name)
);

CREATE TABLE slot (
    owner TEXT NOT NULL,
    number BIGINT NOT NULL,
    rules TEXT NOT NULL,
    setup TEXT NOT NULL,
    saved_ms BIGINT NOT NULL,
    PRIMARY KEY (owner, number)
);

CREATE TABLE position (
    id TEXT NOT NULL PRIMARY KEY,
    owner TEXT NOT NULL,
    name TEXT NOT NULL,
    rules TEXT NOT NULL,
    setup TEXT NOT NULL,
    saved_ms BIGINT NOT NULL
);

CREATE INDEX position_by_owner ON position (owner, saved_ms);

CREATE TABLE game (
    id TEXT NOT NULL PRIMARY KEY,
    owner TEXT NOT NULL,
    rules TEXT NOT NULL,
    setup TEXT,
    control TEXT NOT NULL,
    take_backs BIGINT NOT NULL,
    plies BIGINT NOT NULL,
    winner TEXT,
    reason TEXT,
    rematch TEXT,
    created_ms BIGINT NOT NULL,
    changed_ms BIGINT NOT NULL
);

CREATE INDEX game_by_owner ON game (owner, changed_ms);

-- A seat is held by whoever knows its secret; the first to take it is its holder.
CREATE TABLE seat (
    game TEXT NOT NULL REFERENCES game (id) ON DELETE CASCADE,
    side TEXT NOT NULL,
    player TEXT NOT NULL,
    secret TEXT NOT NULL,
    holder TEXT,
    name TEXT,
    left_ms BIGINT,
    PRIMARY KEY (game, side)
);

CREATE INDEX seat_by_holder ON seat (holder);

CREATE TABLE move (
    game TEXT NOT NULL REFERENCES game (id) ON DELETE CASCADE,
    ply BIGINT NOT NULL,
    step TEXT NOT NULL,
    spent_ms BIGINT,
    clock_ms BIGINT,
    score TEXT,
    PRIMARY KEY (game, ply)
);
