-- name: token_last_id
SELECT max((SELECT coalesce(max(id), 0) FROM token), (SELECT coalesce(max(last), 0) FROM given WHERE name = 'token'));
-- name: given_put
INSERT INTO given (name, last) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET last = max(last, excluded.last);
