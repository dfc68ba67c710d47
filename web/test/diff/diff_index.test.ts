import { describe, expect, test } from 'vitest';
import { changeOf, indexDiff, reviewFiles, rowCount, whyNoLines, wordsOf, type DiffMode } from '../../src/diff/diff_index.ts';
import { fileHeight, kCommentHeight, kLineHeight, rowOffsets, rowsInSight, rowTop } from '../../src/diff/diff_layout.ts';
import { commentsByRow, lineOf, rowsOf } from '../../src/diff/diff_rows.ts';
import { offsetsOf, visibleRange } from '../../src/model/window.ts';
import { manyFiles, smallDiff } from '../fake/reviews.ts';

const kModes: DiffMode[] = ['unified', 'split'];

describe('The index of a diff', () => {
  const small = smallDiff();
  const files = reviewFiles(small.files, indexDiff(small.diff));

  test('tells what happened to each file', () => {
    expect(files.map(changeOf)).toEqual(['changed', 'renamed', 'added', 'changed', 'changed']);
    expect(files.map(wordsOf)).toEqual(['', 'Renamed', 'New file', 'Binary', 'Mode 100644 → 100755']);
    expect(files.slice(3).map(whyNoLines)).toEqual(['This file has no lines to compare.', 'Only its mode changed.']);
  });

  test.each(kModes)('counts as many %s rows as are read', (mode) => {
    const large = manyFiles(3);
    for (const diff of [small, large]) {
      for (const file of reviewFiles(diff.files, indexDiff(diff.diff))) expect(rowsOf(diff.diff, file, mode).length).toBe(rowCount(file, mode));
    }
  });

  test('leaves out nothing but the lines of what was cut', () => {
    const cut = small.diff.slice(0, small.diff.indexOf('diff --git a/docs'));
    const left = reviewFiles(small.files, indexDiff(cut));
    expect(left.map(({ path }) => path)).toEqual(small.files.map(({ path }) => path));
    expect(whyNoLines(left[2]!)).toBe('The answer was cut before the lines of this file.');
  });

  test('keeps both parts of a file whose kind changed', () => {
    const twice = 'diff --git a/x b/x\ndeleted file mode 100644\n--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-text\ndiff --git a/x b/x\nnew file mode 120000\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+y\ndiff --git a/z b/z\nold mode 100644\nnew mode 100755\n';
    const read = reviewFiles([{ path: 'x', added: 1, removed: 1 }, { path: 'z', added: 0, removed: 0 }], indexDiff(twice));
    expect(read.map(({ sections }) => sections.length)).toEqual([2, 1]);
  });

  test('pairs removed lines with the added ones after them', () => {
    const [first] = rowsOf(small.diff, files[0]!, 'split').filter((row) => row.kind === 'pair' && row.left?.kind === 'removed');
    expect(first).toMatchObject({ left: { text: '  renew(session);' }, right: { text: '  renew(cart);' } });
  });

  test('finds the row of a comment in both modes', () => {
    const comment = { path: 'src/cart.ts', side: 'after' as const, line: 5, quote: '', text: 'why?' };
    for (const mode of kModes) {
      const rows = rowsOf(small.diff, files[0]!, mode);
      const [at] = [...commentsByRow(rows, [comment]).keys()];
      expect(lineOf(rows[at!]!, 'after')?.text).toBe('  keep(cart);');
    }
  });
});

describe('The layout of 300 files', () => {
  const diff = manyFiles(300);
  const files = reviewFiles(diff.files, indexDiff(diff.diff));

  test('is reckoned without reading a line', () => {
    const begin = performance.now();
    const heights = reviewFiles(diff.files, indexDiff(diff.diff)).map((file) => fileHeight(file, { mode: 'unified', folded: false, comments: 0, scale: 1 }));
    const offsets = offsetsOf(heights, 12);
    console.log(`Index of ${files.length} files, ${diff.diff.length} characters: ${(performance.now() - begin).toFixed(0)} ms`);
    expect(visibleRange(offsets, offsets[150]!, offsets[150]! + 900, 0)).toEqual({ start: 150, end: 151 });
    expect(rowCount(files[0]!, 'unified')).toBe(290);
    expect(rowCount(files[0]!, 'split')).toBe(261);
  });

  test('moves rows down by the comments above them', () => {
    const comments = new Map([[2, 1], [5, 2]]);
    const offsets = rowOffsets(10, comments, 2);
    for (const row of [0, 2, 3, 5, 6, 9]) expect(rowTop(row, comments, 2)).toBe(offsets[row]);
    expect(offsets[10]).toBe(2 * (10 * kLineHeight + 3 * kCommentHeight));
    expect(rowsInSight(100, new Map(), 1, 40, 80)).toEqual({ start: 2, end: 4 });
    expect(rowsInSight(100, new Map(), 1, -500, -100)).toEqual({ start: 0, end: 0 });
  });
});
