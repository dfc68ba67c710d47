import { expect, test } from 'vitest';
import { ClickGuard } from '../../src/app/click_guard.ts';

const first = { name: 'first' };
const second = { name: 'second' };
const at = (top: number) => ({ left: 0, top });

test('A row that moved under the pointer takes no click until it has stayed', () => {
  const guard = new ClickGuard();
  guard.beforeDraw(1000, new Map([[first, at(0)], [second, at(100)]]));
  // The first row has gone, and the second is now where it was.
  expect(guard.allows(1100, second, at(0))).toBe(false);
  expect(guard.allows(1399, second, at(0))).toBe(false);
  expect(guard.allows(1400, second, at(0))).toBe(true);
});

test('A row that stays takes clicks however much is drawn', () => {
  const guard = new ClickGuard();
  for (let now = 0; now < 5000; now += 50) guard.beforeDraw(now, new Map([[first, at(3)]]));
  expect(guard.allows(5000, first, at(0))).toBe(true);
});

test('A row that has just appeared takes none', () => {
  const guard = new ClickGuard();
  guard.beforeDraw(1000, new Map([[first, at(0)]]));
  expect(guard.allows(1200, second, at(100))).toBe(false);
});

test('The oldest place of the last moment counts, not only the last one', () => {
  const guard = new ClickGuard();
  guard.beforeDraw(1000, new Map([[first, at(100)]]));
  guard.beforeDraw(1200, new Map([[first, at(0)]]));
  expect(guard.allows(1300, first, at(0))).toBe(false);
  expect(guard.allows(1401, first, at(0))).toBe(true);
});

test('Rows that the person moves by scrolling take clicks', () => {
  const guard = new ClickGuard();
  guard.beforeDraw(1000, new Map([[first, at(100)]]));
  guard.scrolled(1050);
  expect(guard.allows(1100, first, at(0))).toBe(true);
});

test('Nothing is kept of what is older than a moment', () => {
  const guard = new ClickGuard();
  for (let now = 0; now < 100_000; now += 16) guard.beforeDraw(now, new Map([[first, at(now)]]));
  expect(guard.kept).toBeLessThan(40);
});

test('A mouse that came from elsewhere since has chosen the row where it is now', () => {
  const guard = new ClickGuard();
  guard.beforeDraw(1000, new Map([[first, at(100)]]), { left: 300, top: 300 });
  expect(guard.allows(1100, first, at(0), { left: 10, top: 10 })).toBe(true);
  guard.beforeDraw(1200, new Map([[first, at(0)]]), { left: 10, top: 10 });
  expect(guard.allows(1300, first, at(50), { left: 11, top: 12 })).toBe(false);
});
