import { describe, expect, test } from 'vitest';
import { cardHeight, weightOf } from '../../src/model/card_layout.ts';
import { missingIn, offsetsOf, shiftOf, slotAt, visibleRange } from '../../src/model/window.ts';
import { aCard } from './a_card.ts';

const layout = { scale: 1, compact: false, choiceRows: (choices: readonly string[]) => choices.length, titleLines: (title: string) => (title.length < 30 ? 1 : 2), textLines: () => 1 };
const offsets = offsetsOf([100, 100, 100], 10);

describe('weightOf', () => {
  const run = { id: 1, attempt: 1, started: '', state: 'running' as const, worker: 'developer' };
  const question = { text: 'Which?', asked_by: 'worker:dev', asked_at: '' };

  test('says first what matters most', () => {
    expect(weightOf(aCard(1, { stage: 'done', question, run }))).toBe('done');
    expect(weightOf(aCard(1, { run, blocked: true }))).toBe('running');
    expect(weightOf(aCard(1, { blocked: true, question, attempt: 1 }))).toBe('asks');
    expect(weightOf(aCard(1, { stage: 'active', run, question: { ...question, run: 1 } }))).toBe('asks');
    expect(weightOf(aCard(1, { stage: 'active', run: { ...run, state: 'stopping' }, question: { ...question, run: 1 } }))).toBe('running');
    expect(weightOf(aCard(1, { stage: 'active', run, question: { ...question, run: 9 } }))).toBe('running');
    expect(weightOf(aCard(1, { stage: 'review' }))).toBe('review');
    expect(weightOf(aCard(1, { blocked: true, attempt: 2 }))).toBe('failed');
    expect(weightOf(aCard(1, { failure: 'exit code 1', not_before: '2026-11-21T08:00:00.000Z' }))).toBe('failed');
    expect(weightOf(aCard(1, { blocked: true }))).toBe('blocked');
    expect(weightOf(aCard(1))).toBe('queued');
    expect(weightOf(aCard(1, { stage: 'backlog' }))).toBe('resting');
  });
});

describe('cardHeight', () => {
  test('follows from the texts of the card', () => {
    const backlog = { stage: 'backlog' } as const;
    expect(cardHeight(aCard(1, backlog), layout)).toBe(86);
    expect(cardHeight(aCard(1, { ...backlog, title: 'A title that needs a second line' }), layout)).toBe(106);
    expect(cardHeight(aCard(1), layout)).toBe(108);
    expect(cardHeight(aCard(1, { stage: 'done' }), layout)).toBe(28);
    const asks = (choices?: string[]) => aCard(1, { blocked: true, question: { text: 'Which?', choices, asked_by: 'a', asked_at: '' } });
    expect(cardHeight(asks(['red']), layout) - cardHeight(asks(), layout)).toBe(34);
    expect(cardHeight(asks(['red', 'blue']), layout) - cardHeight(asks(['red']), layout)).toBe(32);
    expect(cardHeight(asks(['a', 'b', 'c', 'd']), layout)).toBe(cardHeight(asks(['a', 'b', 'c']), layout));
  });

  test('grows with the text size of the person', () => {
    expect(cardHeight(aCard(1), { ...layout, scale: 2 })).toBe(216);
    const review = (work?: object) => cardHeight(aCard(1, { stage: 'review', work }), layout);
    expect(review({ checks: 2 }) - review()).toBe(22);
  });

  test('leaves out on a phone what only tells, and keeps what can be pressed', () => {
    const compact = { ...layout, compact: true };
    expect(cardHeight(aCard(1, { stage: 'backlog' }), compact)).toBe(56);
    expect(cardHeight(aCard(1, { stage: 'review' }), compact)).toBeGreaterThan(cardHeight(aCard(1, { stage: 'review' }), layout));
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
