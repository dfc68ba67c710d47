import { describe, expect, test } from 'vitest';
import { BoardModel } from '../../src/model/board_model.ts';
import { plainCell } from '../../src/model/cell.ts';
import type { Card, Why } from '../../src/model/wire.ts';
import { requestsOf } from '../../src/sound/cue_reading.ts';
import { aCard, aSnapshot } from '../model/a_card.ts';

const kNow = '2026-11-21T09:00:00.000Z';
const kRunning: Partial<Card> = { status: 'in_progress', stage: 'active', claimed_by: 'dev', attempt: 1, run: { id: 1, attempt: 1, started: kNow, state: 'running', worker: 'dev' } };

// What the change of a card asks for, as the board carries it.
function heard(before: Partial<Card>, set: Partial<Card>, why: Why = { kind: 'user', by: 'ann' }, isOwn = false) {
  const model = new BoardModel(aSnapshot(aCard(1, before)), plainCell, () => isOwn);
  return requestsOf(model.apply([{ op: 'task', id: 1, rev: 2, set, why }]))[0];
}

const to = (status: string, stage: Card['stage']): Partial<Card> => ({ status, stage, updated: kNow, entered: kNow });
const question = { text: 'Which colour?', asked_by: 'worker:dev', asked_at: kNow };

describe('A change of a card', () => {
  test('sounds as the stage that the card enters, whatever its column is called', () => {
    expect(heard({}, to('ideas', 'backlog'))?.kind).toBe('backlog');
    expect(heard({ stage: 'backlog', status: 'backlog' }, to('next', 'ready'))?.kind).toBe('todo');
    expect(heard({}, { ...to('doing', 'active'), ...kRunning }, { kind: 'dispatch', by: 'dev' })?.kind).toBe('in_progress');
    expect(heard(kRunning, { ...to('shipped', 'done'), run: null }, { kind: 'finished', by: 'dev' })?.kind).toBe('done');
  });

  test('is silent where the card stays, and where it goes away', () => {
    expect(heard({}, { title: 'Other words', updated: kNow })).toBeUndefined();
    expect(heard({ stage: 'claimed', status: 'claimed' }, { ...to('in_progress', 'active'), ...kRunning })).toBeUndefined();
    const model = new BoardModel(aSnapshot(aCard(1)), plainCell);
    expect(requestsOf(model.apply([{ op: 'gone', id: 1, rev: 2 }]))).toEqual([]);
  });

  test('asks once when an agent blocks its task with a question, and when it waits in its work', () => {
    const asked = heard(kRunning, { ...to('blocked', 'blocked'), blocked: true, run: null, question }, { kind: 'blocked', by: 'dev' });
    expect(asked).toMatchObject({ kind: 'question', needsPerson: true });
    expect(heard(kRunning, { question: { ...question, run: 1 } })?.kind).toBe('question');
    expect(heard({ ...kRunning, question }, { question, line: 'x' })).toBeUndefined();
  });

  test('asks a person where work waits for a verdict', () => {
    expect(heard(kRunning, { ...to('review', 'review'), run: null }, { kind: 'finished', by: 'dev' })).toMatchObject({ kind: 'question', needsPerson: true });
  });

  test('is blocked where nobody asks', () => {
    expect(heard({}, { ...to('blocked', 'blocked'), blocked: true, block_reason: 'Ann is away' })).toMatchObject({ kind: 'blocked', needsPerson: true });
    expect(heard({}, { blocked: true, block_reason: 'Ann is away' })?.kind).toBe('blocked');
  });

  test('stops where a run was killed', () => {
    expect(heard(kRunning, { ...to('backlog', 'backlog'), run: null, claimed_by: null }, { kind: 'killed', by: 'ann' })).toMatchObject({ kind: 'stopped', needsPerson: true });
  });

  test('fails with an attempt, and needs nobody while it tries again by itself', () => {
    const again = { ...to('todo', 'ready'), run: null, failure: 'The checks failed', not_before: '2026-11-21T09:05:00.000Z' };
    expect(heard(kRunning, again, { kind: 'failed', by: 'local' })).toMatchObject({ kind: 'failed', needsPerson: false });
    const over = { ...to('blocked', 'blocked'), run: null, blocked: true, failure: 'The checks failed', block_reason: 'its attempts are used up' };
    expect(heard(kRunning, over, { kind: 'failed', by: 'local' })).toMatchObject({ kind: 'failed', needsPerson: true });
  });

  test('fails where the worker went silent, and not where it gave the task back', () => {
    const back = { ...to('todo', 'ready'), run: null, claimed_by: null };
    expect(heard(kRunning, back, { kind: 'stale', by: 'system' })?.kind).toBe('failed');
    expect(heard(kRunning, { ...back, attempt: 0 }, { kind: 'stale', by: 'local' })?.kind).toBe('todo');
    expect(heard(kRunning, back, { kind: 'stale', by: 'dev' })?.kind).toBe('todo');
  });

  test('does not fail when a person lets a failed task be tried again', () => {
    const failed: Partial<Card> = { status: 'blocked', stage: 'blocked', blocked: true, failure: 'The checks failed', attempt: 3 };
    expect(heard(failed, { ...to('todo', 'ready'), blocked: null, not_before: null }, { kind: 'failed', by: 'ann' })?.kind).toBe('todo');
  });

  test('needs nobody where the person did it', () => {
    expect(heard({}, { ...to('blocked', 'blocked'), blocked: true }, { m: 'm1' }, true)).toEqual({ kind: 'blocked', key: '1:m1', own: true, needsPerson: false, late: undefined });
  });

  test('sounds for a new card, and not for an old one that was not loaded', () => {
    const model = new BoardModel(aSnapshot(), plainCell);
    const created = aCard(7, { created: kNow, updated: kNow });
    const old = aCard(8, { updated: kNow });
    const asked = requestsOf(model.apply([{ op: 'task', id: 7, rev: 1, set: created }, { op: 'task', id: 8, rev: 4, set: old }]));
    expect(asked.map(({ kind, key }) => [kind, key])).toEqual([['todo', '7:1']]);
  });

  test('of two pages has one key', () => {
    const change = () => heard({}, to('done', 'done'), { kind: 'user', by: 'ann', m: 'm9' })?.key;
    expect(change()).toBe(change());
  });

  test('that a new snapshot shows is late', () => {
    const model = new BoardModel(aSnapshot(aCard(1), aCard(2)), plainCell);
    const late = requestsOf(model.load(aSnapshot(aCard(1, { rev: 5, ...to('done', 'done') }), aCard(2), aCard(3))));
    expect(late).toMatchObject([{ kind: 'done', late: true }]);
  });
});
