import { describe, expect, test } from 'vitest';
import { plainCell } from '../../src/model/cell.ts';
import { BoardModel } from '../../src/model/board_model.ts';
import type { Card, Task } from '../../src/model/wire.ts';
import { Refusal, type Api, type MoveRequest } from '../../src/sync/api.ts';
import type { BoardSession } from '../../src/sync/board_session.ts';
import { moveCard } from '../../src/sync/mutations.ts';
import { aCard, aSnapshot } from '../model/a_card.ts';

// A server with one task, which others may have changed since the page read it.
function server(now: Partial<Task>) {
  const task = { ...aCard(1, { rev: 7 }), board: 'shop', ...now } as unknown as Task;
  const asked: string[] = [];
  const api = {
    moveTask: (_id: number, move: MoveRequest, key: string, rev?: number) => {
      asked.push(key);
      if (rev !== task.rev) return Promise.reject(new Refusal(412, { code: 'REV_MISMATCH', error: 'changed', details: { current: task } }));
      return Promise.resolve({ ...task, status: move.status, rev: task.rev + 1 });
    },
  } as unknown as Api;
  return { api, asked };
}

function page(card: Card) {
  const model = new BoardModel(aSnapshot(card), plainCell);
  const session = { model, skew: 0, drawNow: () => model.publish() } as unknown as BoardSession;
  return { session, columnOf: () => model.card(1)?.status };
}

const kSlot = { index: 0, bent: false };

describe('A move', () => {
  test('is made when only other things of the task were changed since', async () => {
    const card = aCard(1, { rev: 3 });
    const { api, asked } = server({ rev: 7, status: 'todo', title: 'renamed' });
    const { session, columnOf } = page(card);
    expect(await moveCard(api, session, card, 'done', kSlot)).toMatchObject({ ok: true });
    expect(columnOf()).toBe('done');
    expect(new Set(asked).size).toBe(2); // another request, another key
  });

  test.each([
    [{ status: 'archived', stage: 'archived' as const }, '#1 was archived or deleted meanwhile'],
    [{ status: 'in_progress', stage: 'active' as const }, '#1 was moved to In Progress meanwhile'],
  ])('of a task that is elsewhere by now is refused and says where: %j', async (now, words) => {
    const card = aCard(1, { rev: 3 });
    const { api } = server(now);
    const { session, columnOf } = page(card);
    const outcome = await moveCard(api, session, card, 'done', kSlot);
    expect(outcome.ok ? '' : outcome.refusal?.message).toBe(words);
    expect(columnOf()).toBe('todo');
  });

  test('gives up when the task is changed again and again', async () => {
    const card = aCard(1, { rev: 3 });
    const { session } = page(card);
    let rev = 10;
    const api = {
      moveTask: () => Promise.reject(new Refusal(412, { code: 'REV_MISMATCH', error: 'changed', details: { current: { ...card, rev: rev++ } as unknown as Task } })),
    } as unknown as Api;
    expect(await moveCard(api, session, card, 'done', kSlot)).toMatchObject({ ok: false });
    expect(rev).toBeLessThan(20);
  });
});
