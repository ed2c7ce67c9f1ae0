-- Reviews of games, kept for whoever asks for the same one again. The id says which game under which rules
-- was reviewed, and how; the oldest go when there are many.
CREATE TABLE review (
    id TEXT PRIMARY KEY,
    text TEXT NOT NULL,
    made_ms BIGINT NOT NULL
);

CREATE INDEX review_made ON review (made_ms);
