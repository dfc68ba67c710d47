import { describe, expect, test } from 'vitest';
import { summaryOf } from '../../src/app/absence.ts';
import type { BoardEvent } from '../../src/model/wire.ts';

const event = (task: number, kind: string, to?: string): BoardEvent => ({ seq: 1, ts: '', actor: 'worker:dev', kind, task, to });

describe('An absence', () => {
  test('is summed up by what became of each task', () => {
    const parts = summaryOf([
      event(1, 'task.blocked'), event(1, 'task.answered', 'todo'), event(1, 'task.completed'), event(2, 'task.failed'), event(3, 'task.blocked'),
      event(7, 'task.asked'), event(8, 'task.asked'), event(8, 'task.answered'),
      event(4, 'task.accepted'), event(5, 'task.moved', 'done'), event(6, 'task.failed'), event(6, 'task.moved', 'todo'),
    ], (column) => column === 'done');
    expect(parts).toEqual([{ name: 'question', tasks: [3, 7] }, { name: 'failed', tasks: [2] }, { name: 'done', tasks: [1, 4, 5] }]);
  });
});
