import { describe, expect, test } from 'vitest';
import { wordDiff } from '../../src/diff/word_diff.ts';

const changed = (spans: { text: string; changed: boolean }[]) => spans.filter((span) => span.changed).map(({ text }) => text);

describe('wordDiff', () => {
  test('marks the words that differ', () => {
    const { before, after } = wordDiff('  return sum(cart.items, 1);', '  return sumOf(cart.items, 2);');
    expect(changed(before)).toEqual(['sum', '1']);
    expect(changed(after)).toEqual(['sumOf', '2']);
  });

  test('keeps every character', () => {
    const [old, now] = ['a — ключ = "日本";', 'a — замок = "日本", 1;'];
    const both = wordDiff(old, now);
    expect(both.before.map(({ text }) => text).join('')).toBe(old);
    expect(both.after.map(({ text }) => text).join('')).toBe(now);
  });

  test.each([
    ['lines with nothing in common', 'alpha beta', 'gamma();'],
    ['long lines', 'a '.repeat(300), `${'a '.repeat(300)}b`],
  ])('marks %s whole', (_, old, now) => {
    expect(wordDiff(old, now).after).toEqual([{ text: now, changed: true }]);
  });

  test('marks what was only added', () => {
    expect(changed(wordDiff('call(one)', 'call(one, two)').after).join('')).toBe(', two');
    expect(changed(wordDiff('call(one)', 'call(one, two)').before)).toEqual([]);
  });
});
