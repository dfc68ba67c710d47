import type { BoardEvent } from '../model/wire.ts';
import { remember, remembered } from './remembered.ts';

// Somebody who was away for less need not be told what happened.
const kShort = 5 * 60_000;

export interface Absence {
  // Up to where the history was seen, and when the person left.
  seq: number;
  at: number;
}

export function leave(board: string, seq: number, now = Date.now()): void {
  remember(`left.${board}`, JSON.stringify({ seq, at: now }));
}

// When the person was away from the board for long. Told once.
export function absenceFrom(board: string, now = Date.now()): Absence | undefined {
  const kept = remembered(`left.${board}`);
  if (!kept) return undefined;
  const { seq, at } = JSON.parse(kept) as Absence;
  return now - at >= kShort ? { seq, at } : undefined;
}

export interface AwayPart {
  name: 'done' | 'question' | 'failed' | 'review';
  tasks: readonly number[];
}

const kParts: Record<string, AwayPart['name']> = {
  'task.completed': 'done',
  'task.accepted': 'done',
  'task.blocked': 'question',
  'task.asked': 'question',
  'task.failed': 'failed',
  'task.submitted': 'review',
};

const kOrder: readonly AwayPart['name'][] = ['question', 'failed', 'review', 'done'];

// What became of tasks meanwhile: of each only the last that counts. Who moves a task to its end by hand has done it, too.
export function summaryOf(events: readonly BoardEvent[], isDone: (column: string) => boolean): AwayPart[] {
  const last = new Map<number, AwayPart['name']>();
  for (const { kind, task, to } of events) {
    if (!task) continue;
    const part = kind === 'task.moved' && to && isDone(to) ? 'done' : kParts[kind];
    if (part) last.set(task, part);
    else if (to || kind === 'task.answered') last.delete(task);
  }
  return kOrder.flatMap((name) => {
    const tasks = [...last].filter(([, part]) => part === name).map(([task]) => task);
    return tasks.length ? [{ name, tasks }] : [];
  });
}
