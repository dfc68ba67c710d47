import { describe, expect, test } from 'vitest';
import { BoardModel } from '../../src/model/board_model.ts';
import { plainCell } from '../../src/model/cell.ts';
import type { Card } from '../../src/model/wire.ts';
import { aCard, aSnapshot } from './a_card.ts';

const modelOf = (...cards: Card[]) => new BoardModel(aSnapshot(...cards), plainCell);
const ids = (model: BoardModel, column: string) => model.column(column).get().ids;

describe('BoardModel', () => {
  test('draws each column in pick order', () => {
    const model = modelOf(
      aCard(1), aCard(2, { priority: 'high' }), aCard(3, { class: 'expedite' }), aCard(4, { rank: 'a' }),
      aCard(5, { class: 'fixed-date', due: '2026-12-02' }), aCard(6, { class: 'fixed-date', due: '2026-12-01', priority: 'low' }),
    );
    expect(ids(model, 'todo')).toEqual([3, 6, 5, 2, 4, 1]);
  });

  test('shows what ended last first', () => {
    const model = modelOf(
      aCard(1, { status: 'done', stage: 'done', entered: '2026-11-20T08:00:00.000Z' }),
      aCard(2, { status: 'done', stage: 'done', entered: '2026-11-21T08:00:00.000Z' }),
    );
    expect(ids(model, 'done')).toEqual([2, 1]);
  });

  test('tells of every event of the dispatch, also of one that pauses nothing', () => {
    const model = modelOf();
    const before = model.dispatch.get();
    model.publish();
    expect(model.dispatch.get()).toBe(before);
    model.apply([{ op: 'dispatch', set: { ...before } }]);
    model.publish();
    expect(model.dispatch.get()).not.toBe(before);
  });

  test('never shows archived tasks', () => {
    const model = modelOf(aCard(1));
    model.apply([{ op: 'task', id: 1, rev: 2, set: { status: 'archived', stage: 'archived' } }]);
    model.publish();
    expect(ids(model, 'todo')).toEqual([]);
  });

  test('moves a card when an op says so and ignores older revisions', () => {
    const model = modelOf(aCard(1, { rev: 4 }));
    model.apply([{ op: 'task', id: 1, rev: 5, set: { status: 'done', stage: 'done', run: null } }]);
    model.apply([{ op: 'task', id: 1, rev: 4, set: { status: 'todo', stage: 'ready' } }]);
    model.publish();
    expect(ids(model, 'done')).toEqual([1]);
    expect(ids(model, 'todo')).toEqual([]);
  });

  test('inserts a card it did not know when the op carries it whole', () => {
    const model = modelOf(aCard(1));
    model.apply([{ op: 'task', id: 2, rev: 1, set: aCard(2, { rank: 'z' }) }, { op: 'task', id: 3, rev: 1, set: { title: 'half' } }]);
    model.publish();
    expect(ids(model, 'todo')).toEqual([1, 2]);
  });

  test('draws a proposal at once and keeps it until the stream has the confirmed revision', () => {
    const model = modelOf(aCard(1, { rev: 4 }));
    model.propose({ mutation: 'm1', task: 1, set: { status: 'in_progress', stage: 'active' } });
    model.publish();
    expect(ids(model, 'in_progress')).toEqual([1]);
    expect(model.cardCell(1)?.get().pending).toBe(true);

    model.confirm(1, 'm1', 5);
    model.publish();
    expect(ids(model, 'in_progress')).toEqual([1]);
    expect(model.cardCell(1)?.get().pending).toBe(false);

    model.apply([{ op: 'task', id: 1, rev: 5, set: { status: 'in_progress', stage: 'active', run: null }, why: { m: 'm1' } }]);
    model.apply([{ op: 'task', id: 1, rev: 6, set: { status: 'done', stage: 'done' } }]);
    model.publish();
    expect(ids(model, 'done')).toEqual([1]);
  });

  test('puts a withdrawn card back where it was', () => {
    const model = modelOf(aCard(1), aCard(2, { rank: 'p' }));
    model.propose({ mutation: 'm1', task: 1, set: { status: 'done', stage: 'done' } });
    model.publish();
    model.withdraw(1, 'm1');
    model.publish();
    expect(ids(model, 'todo')).toEqual([1, 2]);
  });

  test('keeps an unanswered proposal over a new snapshot', () => {
    const model = modelOf(aCard(1));
    model.propose({ mutation: 'm1', task: 1, set: { status: 'done', stage: 'done' } });
    model.load(aSnapshot(aCard(1, { rev: 9 })));
    expect(ids(model, 'done')).toEqual([1]);
  });

  test('does not draw the column again for a progress line', () => {
    const run = { id: 7, attempt: 1, started: '2026-11-21T08:00:00.000Z', state: 'running' as const, worker: 'developer' };
    const model = modelOf(aCard(1, { status: 'in_progress', stage: 'active', run }));
    const before = model.column('in_progress').get();
    model.apply([{ op: 'line', id: 1, text: 'Compiling 3/9' }]);
    model.publish();
    expect(model.column('in_progress').get()).toBe(before);
    expect(model.cardCell(1)?.get().card.line).toBe('Compiling 3/9');
  });

  test('shows the true total of a column that is not loaded whole', () => {
    const snapshot = aSnapshot(aCard(1, { status: 'done', stage: 'done' }));
    snapshot.more = { done: { cursor: 'c1', total: 7204 } };
    snapshot.board = { ...snapshot.board, columns: snapshot.board.columns.map((c) => (c.name === 'done' ? { ...c, count: 7204 } : c)) };
    const model = new BoardModel(snapshot, plainCell);
    expect(model.column('done').get().count).toBe(7204);
    model.apply([{ op: 'board', rev: 2, set: { columns: { done: { count: 7205 } } } }]);
    model.publish();
    expect(model.column('done').get().count).toBe(7205);
  });

  test('forgets a trouble of its files that is over', () => {
    const model = modelOf();
    model.apply([{ op: 'board', rev: 2, set: { trouble: 'it is gone' } }]);
    model.publish();
    expect(model.board.get().trouble).toBe('it is gone');
    model.apply([{ op: 'board', rev: 3, set: { trouble: null } }]);
    model.publish();
    expect(model.board.get().trouble).toBeFalsy();
  });

  test('bends a drop to where class and priority will keep the card', () => {
    const model = modelOf(aCard(1, { priority: 'high', rank: 'a' }), aCard(2, { rank: 'b' }), aCard(3, { rank: 'c' }), aCard(9, { status: 'backlog', stage: 'backlog' }));
    expect(model.slot(model.card(9)!, 'todo', 0)).toEqual({ index: 1, before: 2, after: undefined, bent: true });
    expect(model.slot(model.card(9)!, 'todo', 2)).toEqual({ index: 2, before: 3, after: 2, bent: false });
  });

  test('draws a dropped card between its new neighbours', () => {
    const model = modelOf(aCard(1, { rank: 'a' }), aCard(2, { rank: 'b' }), aCard(9, { status: 'backlog', stage: 'backlog' }));
    const card = model.card(9)!;
    model.propose({ mutation: 'm', task: 9, set: model.moved(card, 'todo', model.slot(card, 'todo', 1), card.entered) });
    model.publish();
    expect(ids(model, 'todo')).toEqual([1, 9, 2]);
  });
});
