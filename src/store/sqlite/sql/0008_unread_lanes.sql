-- Tasks of attached boards that no person has read yet wait in queues of their own, where no worker looks.
UPDATE task SET lane = 'u:' || lane
  WHERE approved = 0 AND board IN (
    SELECT id FROM board WHERE coalesce(json_extract(document, '$.directory'), '') <> ''
      AND NOT (coalesce(json_extract(document, '$.approval'), '') = 'trusted'
        AND EXISTS (SELECT 1 FROM json_each(document, '$.trusted') WHERE value = 'file')));
