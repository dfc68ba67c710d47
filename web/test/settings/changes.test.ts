import { expect, test } from 'vitest';
import { changed } from '../../src/settings/changes.ts';

test('only what differs is a change, and what the wire leaves out is equal to nothing', () => {
  const truth = { title: 'Shop', worktree: undefined as boolean | undefined, checks: undefined as object | undefined, limit: 3 };
  expect(changed(truth, { title: 'Shop', worktree: false, checks: {}, limit: 3 })).toEqual({});
  expect(changed(truth, { title: 'Web Shop', worktree: true, checks: { unit: ['make'] }, limit: 0 })).toEqual({ title: 'Web Shop', worktree: true, checks: { unit: ['make'] }, limit: 0 });
});

test('the order of lists counts, that of names does not', () => {
  expect(changed({ list: ['a', 'b'], map: { a: 1, b: 2 } }, { list: ['b', 'a'], map: { b: 2, a: 1 } })).toEqual({ list: ['b', 'a'] });
});
