import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { attentionOf, callOf, lampOf } from '../../src/model/attention.ts';
import type { Worker } from '../../src/model/wire.ts';
import { aCard } from './a_card.ts';

const question = { text: 'Which?', asked_by: 'worker:dev', asked_at: '2026-11-21T09:00:00.000Z' };
const worker = (over: Partial<Worker>): Worker => ({ name: 'dev', agent: 'x', state: 'idle', ...over });

const fixture = new URL('../../../tests/fixtures/attention.json', import.meta.url);

describe('Attention', () => {
  test.each(JSON.parse(readFileSync(fixture, 'utf8')) as { is: string; card: object; call: string }[])('of $is is what the server says', ({ card, call }) => {
    expect(callOf(aCard(1, card)) ?? '').toBe(call);
  });

  test('puts questions first, then reviews, failures and silence', () => {
    const cards = [
      aCard(1, { blocked: true, attempt: 3 }), aCard(2, { stage: 'review' }), aCard(3, { blocked: true, question }), aCard(4),
      aCard(5, { failure: 'exit code 1', not_before: '2026-11-21T08:00:00.000Z' }),
    ];
    const items = attentionOf(cards, [worker({ state: 'silent', task: 4 }), worker({ state: 'stale', task: 99 })], (id) => id < 10);
    expect(items.map(({ id, call }) => [id, call])).toEqual([[3, 'question'], [2, 'review'], [1, 'failed'], [4, 'silent']]);
  });

  test('holds accepted work that came back until its next attempt begins', () => {
    const back = { returned: true, failure: 'conflict in a.ts', not_before: '2026-11-21T08:00:00.000Z' };
    const run = { id: 7, attempt: 2, started: '2026-11-21T09:30:00.000Z', state: 'running' as const, worker: 'dev' };
    const cards = [aCard(1, back), aCard(2, { ...back, not_before: undefined }), aCard(3, { ...back, stage: 'active', run }), aCard(4, { ...back, blocked: true, attempt: 1 })];
    expect(attentionOf(cards, [], () => true).map(({ id, call }) => [id, call])).toEqual([[1, 'returned'], [2, 'returned'], [4, 'failed']]);
  });

  test('holds finished work about whose landing a person is asked', () => {
    const cards = [aCard(1, { stage: 'done', landing_asked: true }), aCard(2, { stage: 'done' })];
    expect(attentionOf(cards, [], () => true).map(({ id, call }) => [id, call])).toEqual([[1, 'landing']]);
  });

  test('puts an agent that waits in its work before all others', () => {
    const run = { id: 7, attempt: 1, started: '2026-11-21T09:30:00.000Z', state: 'running' as const, worker: 'dev' };
    const asked = { ...question, run: 7, asked_at: '2026-11-21T10:00:00.000Z' };
    const cards = [aCard(1, { blocked: true, question }), aCard(2, { stage: 'active', run, question: asked }), aCard(3, { stage: 'active', run })];
    expect(attentionOf(cards, [], () => true)).toEqual([{ id: 2, call: 'waiting', since: asked.asked_at }, { id: 1, call: 'question', since: question.asked_at }]);
  });

  test('lights the lamp of the worst', () => {
    const failed = [{ id: 1, call: 'failed', since: '' }] as const;
    expect(lampOf(failed, [], false)).toBe('red');
    expect(lampOf([], [worker({ state: 'working' })], true)).toBe('red');
    expect(lampOf([], [worker({ state: 'working' })], false)).toBe('amber');
    expect(lampOf([], [worker({})], false)).toBe('green');
    expect(lampOf([], [], false)).toBe('dark');
  });
});
