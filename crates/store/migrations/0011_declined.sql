-- Who has declined to let a move be taken back just now; `declined` is who has declined a draw.
ALTER TABLE game ADD COLUMN take_back_declined TEXT;
