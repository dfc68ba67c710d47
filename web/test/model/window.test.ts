import { describe, expect, test } from 'vitest';
import { cardHeight, stateRow } from '../../src/model/card_layout.ts';
import { missingIn, offsetsOf, shiftOf, slotAt, visibleRange } from '../../src/model/window.ts';
import { aCard } from './a_card.ts';

const layout = { density: 'comfortable', isOneLine: (title: string) => title.length < 30 } as const;
const offsets = offsetsOf([100, 100, 100], 10);

describe('cardHeight', () => {
  test('follows from the title and the one state row', () => {
    expect(cardHeight(aCard(1), layout)).toBe(82);
    expect(cardHeight(aCard(1, { title: 'A title that needs a second line' }), layout)).toBe(102);
    expect(cardHeight(aCard(1, { blocked: true }), layout)).toBe(108);
    expect(cardHeight(aCard(1, { title: 'A title that needs a second line', open_deps: 1 }), layout)).toBe(128);
  });

  test('says first what matters most', () => {
    const run = { id: 1, attempt: 1, started: '', state: 'running', worker: 'developer' };
    expect(stateRow(aCard(1, { run, blocked: true, excerpt: 'x' }))).toBe('run');
    expect(stateRow(aCard(1, { blocked: true, open_deps: 1 }))).toBe('blocked');
    expect(stateRow(aCard(1, { stage: 'done', excerpt: 'x' }))).toBeNull();
  });
});

describe('visibleRange', () => {
  test('covers what touches the sight', () => {
    expect(offsets).toEqual([0, 110, 220, 330]);
    expect(visibleRange(offsets, 0, 100, 0)).toEqual({ start: 0, end: 1 });
    expect(visibleRange(offsets, 115, 225, 0)).toEqual({ start: 1, end: 3 });
    expect(visibleRange(offsets, 900, 1000, 0)).toEqual({ start: 2, end: 3 });
    expect(visibleRange([0], 0, 100, 400)).toEqual({ start: 0, end: 0 });
  });
});

describe('slotAt', () => {
  test('passes an item at its middle', () => {
    expect([-5, 49, 51, 159, 161, 400].map((y) => slotAt(offsets, y, 10))).toEqual([0, 0, 1, 1, 2, 3]);
  });
});

describe('A change of a long column', () => {
  const laid = (...ids: number[]) => ({ ids, offsets: offsetsOf(ids.map(() => 100), 10) });

  test('pushes the first item in sight by what came above it', () => {
    expect(shiftOf(laid(1, 2, 3), laid(9, 1, 2, 3), 115)).toBe(110);
    expect(shiftOf(laid(1, 2, 3), laid(2, 3), 115)).toBe(-110);
    expect(shiftOf(laid(1, 2, 3), laid(1, 2, 3, 4), 115)).toBe(0);
  });

  test('holds to the next item when the one in sight is gone', () => {
    expect(shiftOf(laid(1, 2, 3), laid(1, 9, 3), 115)).toBe(0);
    expect(shiftOf(laid(1, 2), laid(7), 0)).toBe(0);
  });

  test('names the items that are gone', () => {
    expect(missingIn(laid(1, 2, 3), laid(3, 4))).toEqual([{ id: 1, index: 0 }, { id: 2, index: 1 }]);
  });
});
