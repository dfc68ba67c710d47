import { asksInWork, triesAgain, weightOf } from './card_layout.ts';
import type { Card, Worker } from './wire.ts';
import { isWarning } from './worker_look.ts';

// An agent that waits in its work is a call of its own: each minute of it is lost.
export type Call = 'waiting' | 'question' | 'landing' | 'review' | 'returned' | 'failed' | 'silent';

// A task that waits for a person.
export interface Attention {
  id: number;
  call: Call;
  since: string;
}

const kOrder: readonly Call[] = ['waiting', 'question', 'landing', 'review', 'returned', 'failed', 'silent'];
const kCalls: Partial<Record<ReturnType<typeof weightOf>, Call>> = { asks: 'question', review: 'review', failed: 'failed' };

export function callOf(card: Card): Call | undefined {
  if (asksInWork(card)) return 'waiting';
  // Done work beyond the limits of its board waits outside of every column.
  if (card.landing_asked) return 'landing';
  // What tries again by itself needs nobody, except that someone has accepted it already.
  if (card.returned && (triesAgain(card) || weightOf(card) === 'queued')) return 'returned';
  return triesAgain(card) ? undefined : kCalls[weightOf(card)];
}

// What waits for the person, the most urgent first and the oldest of a kind before the others.
export function attentionOf(cards: Iterable<Card>, workers: readonly Worker[], has: (id: number) => boolean): Attention[] {
  const items: Attention[] = [];
  for (const card of cards) {
    const call = callOf(card);
    if (call) items.push({ id: card.id, call, since: card.question?.asked_at ?? card.entered });
  }
  for (const worker of workers) {
    if (worker.task && isWarning(worker.state) && has(worker.task)) items.push({ id: worker.task, call: 'silent', since: worker.since ?? '' });
  }
  return items.sort((a, b) => kOrder.indexOf(a.call) - kOrder.indexOf(b.call) || (a.since < b.since ? -1 : 1));
}

export type Lamp = 'red' | 'amber' | 'green' | 'dark';

// The worst state of the line: red when something is wrong or stopped, amber while it works or waits for a person.
export function lampOf(attention: readonly Attention[], workers: readonly Worker[], isStopped: boolean): Lamp {
  if (isStopped || attention.some(({ call }) => call === 'failed' || call === 'silent')) return 'red';
  if (attention.length || workers.some((worker) => worker.state === 'working')) return 'amber';
  return workers.length ? 'green' : 'dark';
}
