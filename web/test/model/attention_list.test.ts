import { describe, expect, test } from 'vitest';
import { entryKey, entryOfCard, groupsOf, leftOut, mergedEntries, type AttentionEntry, type AttentionPage } from '../../src/model/attention_list.ts';
import { aCard } from './a_card.ts';

const entry = (id: number, over: Partial<AttentionEntry> = {}): AttentionEntry => ({ kind: 'review', board: 'other', id, title: `Task ${id}`, since: `2026-11-21T0${id}:00:00.000Z`, ...over });
const page = (items: AttentionEntry[], over: Partial<AttentionPage> = {}): AttentionPage => ({ items, counts: { review: items.length }, ...over });
const ids = (entries: readonly AttentionEntry[]) => entries.map(({ id }) => id);

describe('The list of all that waits', () => {
  test('takes the cards of the present board from the page and all others from the server', () => {
    const own = [entry(1, { board: 'shop' })];
    const told = page([entry(2, { board: 'shop' }), entry(3), entry(4, { board: 'shop', kind: 'approval' })]);
    expect(ids(mergedEntries(own, 'shop', told))).toEqual([1, 3, 4]);
    expect(ids(mergedEntries(own, 'shop', undefined))).toEqual([1]);
  });

  test('has the most urgent first and the oldest of a kind before the others', () => {
    const told = page([entry(5), entry(2), entry(9, { kind: 'question' }), { kind: 'limit', account: 'claude' }]);
    expect(mergedEntries([], 'shop', told).map(entryKey)).toEqual(['question 9', 'review 2', 'review 5', 'limit //claude']);
  });

  test('leaves out kinds that this page does not know', () => {
    expect(mergedEntries([], 'shop', page([entry(1, { kind: 'new' as never })]))).toEqual([]);
  });

  test('counts what the server left out', () => {
    expect(leftOut(page([entry(1)], { counts: { review: 7, failed: 2 }, more: true }))).toBe(8);
    expect(leftOut(undefined)).toBe(0);
  });

  test('groups by kind', () => {
    const groups = groupsOf([entry(1, { kind: 'question' }), entry(2), entry(3)]);
    expect(groups.map(({ kind, entries }) => [kind, entries.length])).toEqual([['question', 1], ['review', 2]]);
  });

  test('tells the question or the reason of a card', () => {
    const question = { text: 'Which?', choices: ['S', 'L'], asked_by: 'worker:dev', asked_at: '2026-11-21T09:00:00.000Z' };
    expect(entryOfCard({ id: 1, call: 'question', since: '' }, aCard(1, { question }), 'shop')).toMatchObject({ text: 'Which?', choices: ['S', 'L'], board: 'shop' });
    expect(entryOfCard({ id: 1, call: 'failed', since: '' }, aCard(1, { failure: 'exit code 1' }), 'shop').text).toBe('exit code 1');
  });
});
