-- The library: every game that is over is filed once, with what lists and searches need, so that none of
-- them reads its moves. `entry.number` is the time of the end in milliseconds times 2^20, plus something of
-- the game's id: newer games have larger numbers, and all lists page by it. A game that is not filed yet
-- has no number; whoever files it writes everything below in one transaction.

ALTER TABLE game ADD COLUMN filed BIGINT;

CREATE INDEX game_to_file ON game (changed_ms) WHERE winner IS NOT NULL AND filed IS NULL;

CREATE INDEX game_open ON game (changed_ms) WHERE winner IS NULL;

CREATE TABLE entry (
    number BIGINT NOT NULL PRIMARY KEY,
    game TEXT NOT NULL,
    rules TEXT NOT NULL,
    winner TEXT NOT NULL,
    reason TEXT NOT NULL,
    plies BIGINT NOT NULL,
    ended_ms BIGINT NOT NULL,
    is_public BIGINT NOT NULL,
    white TEXT NOT NULL,
    black TEXT NOT NULL,
    white_rating BIGINT,
    black_rating BIGINT,
    last TEXT NOT NULL
);

CREATE INDEX entry_by_audience ON entry (is_public, number);
CREATE INDEX entry_by_rules ON entry (rules, number);
CREATE INDEX entry_by_winner ON entry (winner, number);
CREATE INDEX entry_by_reason ON entry (reason, number);
CREATE INDEX entry_by_length ON entry (plies, number);

-- Who may see an entry that is not public.
CREATE TABLE reader (
    visitor TEXT NOT NULL,
    number BIGINT NOT NULL,
    PRIMARY KEY (visitor, number)
);

-- Who played, by name in small letters.
CREATE TABLE participant (
    name TEXT NOT NULL,
    number BIGINT NOT NULL,
    side TEXT NOT NULL,
    PRIMARY KEY (name, number, side)
);

-- Everyone who played, with how often.
CREATE TABLE player (
    name TEXT NOT NULL PRIMARY KEY,
    shown TEXT NOT NULL,
    games BIGINT NOT NULL
);

-- How strong players are under a rule set with a side, after the games filed so far.
CREATE TABLE strength (
    rules TEXT NOT NULL,
    name TEXT NOT NULL,
    side TEXT NOT NULL,
    shown TEXT NOT NULL,
    rating DOUBLE PRECISION NOT NULL,
    deviation DOUBLE PRECISION NOT NULL,
    volatility DOUBLE PRECISION NOT NULL,
    games BIGINT NOT NULL,
    PRIMARY KEY (rules, name, side)
);

CREATE INDEX strength_by_rating ON strength (rules, side, rating);

-- A game's first visit to a place (a position folded by the symmetries of its rule set), and the move it
-- made there. Visits of the opening are also counted in `explored`.
CREATE TABLE passage (
    place BIGINT NOT NULL,
    number BIGINT NOT NULL,
    step BIGINT NOT NULL,
    is_late BIGINT NOT NULL
);

CREATE INDEX passage_by_place ON passage (place, number);

-- What came of the moves of openings, over all games.
CREATE TABLE explored (
    place BIGINT NOT NULL,
    step BIGINT NOT NULL,
    white BIGINT NOT NULL,
    black BIGINT NOT NULL,
    draws BIGINT NOT NULL,
    rated BIGINT NOT NULL,
    ratings BIGINT NOT NULL,
    PRIMARY KEY (place, step)
);

-- What visitors call games for themselves.
CREATE TABLE tag (
    owner TEXT NOT NULL,
    word TEXT NOT NULL,
    number BIGINT NOT NULL,
    PRIMARY KEY (owner, word, number)
);

CREATE INDEX tag_by_number ON tag (number, owner);
