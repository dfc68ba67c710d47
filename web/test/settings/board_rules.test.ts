import { expect, test } from 'vitest';
import { ignoredSettings, moved, sentColumns, withReview } from '../../src/settings/board_rules.ts';
import type { ColumnSettings } from '../../src/settings/wire_settings.ts';

const column = (name: string, stage: ColumnSettings['stage'], more: Partial<ColumnSettings> = {}): ColumnSettings => ({ name, title: name, stage, count: 0, ...more });
const kClassic = [column('backlog', 'backlog'), column('todo', 'ready'), column('doing', 'active'), column('blocked', 'blocked'), column('done', 'done')];
const judged = { columns: kClassic, review_by: 'person', land: 'auto' as const };

test('a column for reviews stands behind the one of running work', () => {
  expect(withReview(kClassic).map((one) => one.name)).toEqual(['backlog', 'todo', 'doing', 'review', 'blocked', 'done']);
  expect(withReview([column('review', 'backlog'), column('done', 'done')]).map((one) => one.name)).toEqual(['review', 'review-2', 'done']);
});

test('a board without a column for reviews is told so, and what asks for one', () => {
  expect(ignoredSettings(judged)).toMatchObject([{ mend: 'review-column' }]);
  expect(ignoredSettings({ ...judged, chains: [{ next: { title: 'QA', review: 'required' } }] })[0]!.text).toContain('review: required');
  expect(ignoredSettings({ ...judged, columns: withReview(kClassic) })).toEqual([]);
});

test('work trees without a repository have no effect', () => {
  expect(ignoredSettings({ ...judged, columns: withReview(kClassic), worktree: true })).toHaveLength(1);
});

test('columns are sent without what the server derives', () => {
  const [one, ...rest] = sentColumns([column('todo', 'ready', { count: 3, holds_back: 'x' }), column('old', 'ready', { goes_to: 'todo' })]);
  expect(one).toEqual({ name: 'todo', title: 'todo', stage: 'ready', holds_back: 'x', wip_limit: 0 });
  expect(rest).toEqual([]);
});

test('an item moves by one place and not beyond the ends', () => {
  expect(moved(['a', 'b', 'c'], 0, 1)).toEqual(['b', 'a', 'c']);
  expect(moved(['a', 'b'], 0, -1)).toEqual(['a', 'b']);
});
