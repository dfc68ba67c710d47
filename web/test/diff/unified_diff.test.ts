import { describe, expect, test } from 'vitest';
import { readDiff } from '../../src/diff/unified_diff.ts';

const kDiff = `diff --git a/src/cart.ts b/src/cart.ts
index 1..2 100644
--- a/src/cart.ts
+++ b/src/cart.ts
@@ -3,3 +3,4 @@ function renew()
 one
-two
+TWO
+--- three
\\ No newline at end of file
diff --git a/old name.txt b/new name.txt
similarity index 100%
rename from old name.txt
rename to new name.txt
diff --git a/logo.png b/logo.png
Binary files a/logo.png and b/logo.png differ
`;

describe('readDiff', () => {
  const files = readDiff(kDiff);

  test('finds the files and counts their lines', () => {
    expect(files.map(({ path, from, added, removed, isBinary }) => [path, from, added, removed, isBinary])).toEqual([
      ['src/cart.ts', undefined, 2, 1, false],
      ['new name.txt', 'old name.txt', 0, 0, false],
      ['logo.png', undefined, 0, 0, true],
    ]);
  });

  test('numbers the lines of both sides', () => {
    const [hunk] = files[0]!.hunks;
    expect(hunk!.title).toBe('function renew()');
    expect(hunk!.lines.map(({ kind, before, after }) => [kind, before, after])).toEqual([
      ['context', 3, 3], ['removed', 4, undefined], ['added', undefined, 4], ['added', undefined, 5], ['note', undefined, undefined],
    ]);
    expect(hunk!.lines[3]!.text).toBe('--- three');
  });

  test('reads nothing out of text that is no diff', () => {
    expect(readDiff('+ hello\n@@ -1 +1 @@\n')).toEqual([]);
  });
});
