import { expect, test } from 'vitest';
import { LitCards } from '../../src/ui/lit_cards.svelte.ts';

test('cards stay lit for a while and go out together', () => {
  let now = 0;
  const later: (() => void)[] = [];
  const lit = new LitCards({ now: () => now, after: (_ms, run) => void later.push(run) });
  expect([lit.has(1), lit.has(2), lit.has(3)]).toEqual([false, false, false]);
  lit.light(1);
  lit.light(2);
  now = 300;
  lit.light(3);
  expect(later.length).toBe(1);
  now = 600;
  later.shift()!();
  expect([lit.has(1), lit.has(2), lit.has(3)]).toEqual([false, false, true]);
  now = 1200;
  later.shift()!();
  expect([lit.has(3), later.length]).toEqual([false, 0]);
});
