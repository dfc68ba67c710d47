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

test('draws what follows in steps, the first change at once', () => {
  const { seen, clock } = aClock();
  clock.want(1);
  seen.frames[0]!();
  clock.want(1);
  clock.want(40);
  expect([seen.drawn, seen.frames.length, seen.later.length]).toEqual([1, 1, 1]);
  seen.later[0]!();
  seen.frames[1]!();
  expect(seen.drawn).toBe(2);
  seen.later[1]!();
  expect(seen.frames.length).toBe(2);
});

test('lets the own actions of a person draw between two steps', () => {
  const { seen, clock } = aClock();
  clock.want(1);
  seen.frames[0]!();
  clock.now();
  expect([seen.drawn, seen.later.length]).toEqual([2, 1]);
});

test('calls it a burst when more cards move at once than eyes follow', () => {
  const { seen, clock } = aClock();
  clock.want(40, 2);
  seen.frames[0]!();
  expect(clock.isBurst).toBe(false);
  clock.want(3, 3);
  seen.later[0]!();
  seen.frames[1]!();
  expect(clock.isBurst).toBe(true);
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
