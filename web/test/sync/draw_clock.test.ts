import { expect, test } from 'vitest';
import { DrawClock } from '../../src/sync/draw_clock.ts';

function aClock() {
  const frames: (() => void)[] = [];
  const later: (() => void)[] = [];
  const seen = { drawn: 0, hidden: false, frames, later };
  const world = { isHidden: () => seen.hidden, nextFrame: (act: () => void) => void frames.push(act), after: (_ms: number, act: () => void) => void later.push(act) };
  return { seen, clock: new DrawClock(world, () => (seen.drawn += 1)) };
}

test('draws once per frame', () => {
  const { seen, clock } = aClock();
  clock.want(1);
  clock.want(2);
  expect(seen.frames.length).toBe(1);
  seen.frames[0]!();
  expect(seen.drawn).toBe(1);
});

test('takes larger steps in a burst', () => {
  const { seen, clock } = aClock();
  clock.want(31);
  expect([seen.frames.length, seen.later.length]).toEqual([0, 1]);
});

test('draws nothing while hidden and everything when shown again', () => {
  const { seen, clock } = aClock();
  seen.hidden = true;
  clock.want(5);
  expect(seen.frames.length).toBe(0);
  seen.hidden = false;
  clock.now();
  expect(seen.drawn).toBe(1);
});
