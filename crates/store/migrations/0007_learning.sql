-- What visitors have learnt: steps of lessons, puzzles, and how strong they and the puzzles are.
-- Ratings are Glicko-2: rating and deviation in thousandths, volatility in millionths.

CREATE TABLE lesson_step (
    owner TEXT NOT NULL,
    rules TEXT NOT NULL,
    lesson TEXT NOT NULL,
    step BIGINT NOT NULL,
    done_ms BIGINT NOT NULL,
    PRIMARY KEY (owner, rules, lesson, step)
);

CREATE TABLE puzzle_player (
    owner TEXT NOT NULL PRIMARY KEY,
    rating BIGINT NOT NULL,
    deviation BIGINT NOT NULL,
    volatility BIGINT NOT NULL
);

CREATE TABLE puzzle_rating (
    rules TEXT NOT NULL,
    number BIGINT NOT NULL,
    rating BIGINT NOT NULL,
    deviation BIGINT NOT NULL,
    volatility BIGINT NOT NULL,
    PRIMARY KEY (rules, number)
);

-- The first try of a visitor at a puzzle counts; the rating is the visitor's after it.
CREATE TABLE puzzle_try (
    owner TEXT NOT NULL,
    rules TEXT NOT NULL,
    number BIGINT NOT NULL,
    result TEXT NOT NULL,
    rating BIGINT NOT NULL,
    gain BIGINT NOT NULL,
    tried_ms BIGINT NOT NULL,
    PRIMARY KEY (owner, rules, number)
);

CREATE INDEX puzzle_try_by_owner ON puzzle_try (owner, tried_ms);

-- A streak, or a rush against the clock.
CREATE TABLE puzzle_run (
    id TEXT NOT NULL PRIMARY KEY,
    owner TEXT NOT NULL,
    rules TEXT NOT NULL,
    kind TEXT NOT NULL,
    score BIGINT NOT NULL,
    misses BIGINT NOT NULL,
    puzzle BIGINT NOT NULL,
    began_ms BIGINT NOT NULL,
    ended_ms BIGINT
);

CREATE INDEX puzzle_run_by_owner ON puzzle_run (owner, rules, kind);
