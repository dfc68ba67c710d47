-- name: text_remove
DELETE FROM search WHERE document = $1
-- A gap keeps phrases from reaching out of the title into the body.
-- name: text_put
INSERT INTO search (document, piece, first, length, title, words)
  VALUES ($1, $2, $3, $4, CASE WHEN $2::bigint = 0 THEN to_tsvector('search_words', $5) END,
    ts_delete(setweight(to_tsvector('search_words', $5), 'A') || '''-'':1'::tsvector ||
              setweight(to_tsvector('search_words', $6), 'B'), '-'))
-- name: text_put_note
INSERT INTO search (document, piece, first, length, words)
  VALUES ($1, $2, $3, $4, setweight(to_tsvector('search_words', $5), 'C'))

-- The number of texts that have all of the phrases, at most $2. All of a word is read from the index, which takes about
-- 20 ms for 200,000 texts, but only the counted texts are read.
-- name: text_count
SELECT count(*) FROM (SELECT 1 FROM search WHERE words @@ (SELECT search_query($1)) LIMIT $2) AS found
-- The number of texts among the first $2 of tasks that have all of the phrases.
-- name: text_count_first
SELECT count(*) FROM (
  SELECT words @@ (SELECT search_query($1)) AS has FROM search WHERE document > 0 ORDER BY document, piece LIMIT $2) AS first
  WHERE has
-- name: text_count_titles
SELECT count(*) FROM (SELECT 1 FROM search WHERE title @@ (SELECT search_query($1)) LIMIT $2) AS found

-- Texts that have all of the phrases, in order, after ($2, $3), at most $4. Rows: document, piece, and whether it is one.
-- First those of few texts, which the index finds.
-- name: text_few_titles
WITH found AS MATERIALIZED (SELECT document, piece FROM search WHERE title @@ (SELECT search_query($1)))
SELECT document, piece, true FROM found WHERE (document, piece) > ($2, $3) ORDER BY document, piece LIMIT $4
-- name: text_few_tasks
WITH found AS MATERIALIZED (
  SELECT document, piece FROM search WHERE words @@ (SELECT search_query($1)) AND document > 0
    AND (title @@ (SELECT search_query($1))) IS NOT TRUE)
SELECT document, piece, true FROM found WHERE (document, piece) > ($2, $3) ORDER BY document, piece LIMIT $4
-- name: text_few_notes
WITH found AS MATERIALIZED (
  SELECT document, piece FROM search WHERE words @@ (SELECT search_query($1)) AND document < 0)
SELECT document, piece, true FROM found WHERE (document, piece) > ($2, $3) ORDER BY document, piece LIMIT $4
-- Then those of many texts, found one after the other.
-- name: text_many_titles
SELECT document, piece, (title @@ (SELECT search_query($1))) IS TRUE FROM search
  WHERE (document, piece) > ($2, $3) ORDER BY document, piece LIMIT $4
-- name: text_many_tasks
SELECT document, piece,
    words @@ (SELECT search_query($1)) AND (title @@ (SELECT search_query($1))) IS NOT TRUE FROM search
  WHERE (document, piece) > ($2, $3) ORDER BY document, piece LIMIT $4
-- name: text_many_notes
SELECT document, piece, words @@ (SELECT search_query($1)) FROM search
  WHERE (document, piece) > ($2, $3) AND document < 0 ORDER BY document, piece LIMIT $4
-- The tasks of the notes in a JSON list of documents.
-- name: text_tasks
SELECT -seq, task FROM event WHERE seq IN (SELECT -item::bigint FROM jsonb_array_elements_text($1::jsonb) AS item)

-- The piece of a text with the most of the words $2, and the places of each word in it. A place counts the words of the
-- title, the gap, and the words of the text.
-- name: text_excerpt
SELECT coalesce(t.title, ''), coalesce(substr(coalesce(b.body, n.text), s.first + 1, s.length), ''), s.first > 0,
    coalesce(s.first + s.length < length(coalesce(b.body, n.text)), false), coalesce(s.places, '')
  FROM (
    SELECT p.document, p.first, p.length, w.places
      FROM search p CROSS JOIN LATERAL (
        SELECT count(*) AS n, string_agg(array_to_string(word.positions, ' '), ';') AS places
          FROM unnest(p.words) AS word
          WHERE word.lexeme IN (SELECT unnest(tsvector_to_array(to_tsvector('search_words', $2))))) AS w
      WHERE p.document = $1 ORDER BY w.n DESC, p.piece LIMIT 1) AS s
  LEFT JOIN task t ON t.id = s.document LEFT JOIN task_body b ON b.task = s.document
  LEFT JOIN note n ON n.event = -s.document

-- The parts of a search that only PostgreSQL has; the others stand in store/sql/sql.

-- The weights differ so much that one hit in a title ranks above any number of hits in a body. A hit in a body ranks above
-- hits in notes. The least score is the best one.
-- name: search_hits
hits? AS MATERIALIZED (SELECT document, -ts_rank('{1e-10, 1e-10, 1e-5, 1}', words, phraseto_tsquery('search_words', $?), 1) AS score
  FROM search WHERE words @@ phraseto_tsquery('search_words', $?))
-- name: search_of_task
SELECT task, (array_agg(document ORDER BY score, document))[1] AS document, min(score) AS score
  FROM (SELECT CASE WHEN document > 0 THEN document ELSE (SELECT e.task FROM event e WHERE e.seq = -document) END AS task,
      document, score FROM hits?) AS text? GROUP BY task
-- name: search_found
SELECT task, (array_agg(document ORDER BY score, document))[1] AS document, sum(score) AS score FROM
-- Whether a task or one of its notes has the words. A limit makes it one probe of the index per text.
-- name: search_has
(SELECT true FROM search s WHERE s.document = t.id AND s.words @@ phraseto_tsquery('search_words', $?) LIMIT 1) IS TRUE
  OR (SELECT true FROM event e JOIN search s ON s.document = -e.seq
    WHERE e.task = t.id AND e.kind = 'task.noted' AND s.words @@ phraseto_tsquery('search_words', $?) LIMIT 1) IS TRUE
-- All texts are made anew from these pages.
-- name: texts_remove
DELETE FROM search
-- name: texts_of_tasks
SELECT t.id, t.title, coalesce(b.body, '') FROM task t LEFT JOIN task_body b ON b.task = t.id WHERE t.id > $1 ORDER BY t.id LIMIT 200
-- name: texts_of_notes
SELECT event, text FROM note WHERE event > $1 ORDER BY event LIMIT 200
