import { describe, expect, test } from 'vitest';
import { parseQuickAdd } from '../../src/format/quick_add.ts';
import { age, due, duration } from '../../src/format/time.ts';
import { initials } from '../../src/format/words.ts';

const kMinute = 60_000;

describe('time', () => {
  test('an age has one unit', () => {
    expect([10, kMinute, 90 * kMinute, 30 * 60 * kMinute, 30 * 24 * 60 * kMinute].map(age)).toEqual(['now', '1m', '1h', '1d', '4w']);
  });

  test('a running time keeps its seconds while they matter', () => {
    expect([5000, 185_000, 7_800_000].map(duration)).toEqual(['5s', '3m 05s', '2h 10m']);
  });

  test('a due date is near, over or far', () => {
    const noon = new Date(2026, 10, 21, 12).getTime();
    expect(['2026-11-19', '2026-11-21', '2026-11-22', '2026-11-25'].map((date) => due(date, noon).text)).toEqual(['2d over', 'today', 'tomorrow', 'in 4d']);
  });
});

describe('parseQuickAdd', () => {
  const parse = (text: string) => parseQuickAdd(text, ['low', 'high'], [{ name: 'developer' }]);

  test('takes worker, tags and priority out of the title', () => {
    expect(parse('Fix the cart @Developer #api #cart !high')).toEqual({ title: 'Fix the cart', assignee: 'developer', tags: ['api', 'cart'], priority: 'high' });
  });

  test('leaves words alone that name nothing known', () => {
    expect(parse('Mail @nobody about #12 !now')).toEqual({ title: 'Mail @nobody about #12 !now' });
  });
});

test('initials come from two words or two letters', () => {
  expect([initials('Web Tester'), initials('developer'), initials('')]).toEqual(['WT', 'DE', '?']);
});
