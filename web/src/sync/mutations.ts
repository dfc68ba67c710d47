import type { Card, Task } from '../model/wire.ts';
import type { DropSlot } from '../model/drop_slot.ts';
import { Refusal, Unreachable, type Api } from './api.ts';
import type { BoardSession } from './board_session.ts';
import { newMutationId } from './mutation_id.ts';

// How long an unanswered change stays on the page, asked again and again under the same mutation id.
const kPatience = 10_000;
const kAskAgain = 1500;

export type Outcome = { ok: true; task: Task } | { ok: false; refusal?: Refusal };

// Shows a move at once, and takes it back when the server refuses it or cannot be reached.
export async function moveCard(api: Api, session: BoardSession, card: Card, column: string, slot: DropSlot, mutation = newMutationId()): Promise<Outcome> {
  const { model } = session;
  const now = new Date(Date.now() + session.skew).toISOString();
  model.propose({ mutation, task: card.id, set: model.moved(card, column, slot, now) });
  session.drawNow();
  try {
    const move = { status: column, before: slot.before, after: slot.after };
    const task = await moveFrom(card, session, (rev, key) => patiently(() => api.moveTask(card.id, move, key, rev)), mutation);
    model.confirm(card.id, mutation, task.rev);
    return { ok: true, task };
  } catch (problem) {
    model.withdraw(card.id, mutation);
    if (problem instanceof Refusal) return { ok: false, refusal: problem };
    if (problem instanceof Unreachable) return { ok: false };
    throw problem;
  } finally {
    session.drawNow();
  }
}

const kTries = 4;

// Moves the task as long as it lies where the page shows it. Other changes of it do not matter; another move does.
async function moveFrom(card: Card, session: BoardSession, ask: (rev: number, mutation: string) => Promise<Task>, mutation: string): Promise<Task> {
  let [rev, key] = [card.rev, mutation];
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask(rev, key);
    } catch (problem) {
      const current = problem instanceof Refusal && problem.code === 'REV_MISMATCH' ? problem.details.current : undefined;
      if (!current || tries === kTries) throw problem;
      if (current.status !== card.status) throw new Refusal(409, { code: 'MOVED_MEANWHILE', error: movedMeanwhile(current, session) });
      [rev, key] = [current.rev, newMutationId()];
    }
  }
}

function movedMeanwhile(task: Task, session: BoardSession): string {
  if (task.stage === 'archived') return `#${task.id} was archived or deleted meanwhile`;
  const column = session.model.board.get().columns.find((one) => one.name === task.status);
  return `#${task.id} was moved to ${column?.title ?? task.status} meanwhile`;
}

async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  const until = Date.now() + kPatience;
  for (;;) {
    try {
      return await ask();
    } catch (problem) {
      if (!(problem instanceof Unreachable) || Date.now() + kAskAgain > until) throw problem;
    }
    await new Promise((resolve) => setTimeout(resolve, kAskAgain));
  }
}
