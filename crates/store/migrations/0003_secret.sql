-- A secret is kept while a seat can be taken with it, and no longer.
UPDATE seat SET secret = ''
WHERE holder IS NOT NULL OR player <> 'person'
   OR game IN (SELECT id FROM game WHERE owner IN ('tournament', 'referee'));
