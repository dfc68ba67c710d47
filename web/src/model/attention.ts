import { asksInWork, isLive, triesAgain, weightOf } from './card_layout.ts';
import type { Card, Worker } from './wire.ts';
import { isWarning } from './worker_look.ts';

// The reasons for which something needs a person, the most urgent first. An agent that waits in its work is the first: each
// minute of it is lost.
export const kCalls = ['waiting', 'question', 'landing', 'fault', 'review', 'no_evidence', 'returned', 'failed', 'silent', 'approval', 'budget', 'limit'] as const;
export type Call = (typeof kCalls)[number];

// A task that waits for a person.
export interface Attention {
  id: number;
  call: Call;
  since: string;
}

// The first row that holds decides; a row without a call says that the card needs nobody. The server has the same rows in
// core/tasks/attention.cpp, and tests/fixtures/attention.json holds both to the same answers.
const kRows: readonly (readonly [(card: Card) => boolean, Call | undefined])[] = [
  // Done work beyond the limits of its board waits outside of every column.
  [(card) => !!card.landing_asked, 'landing'],
  [(card) => weightOf(card) === 'done', undefined],
  [asksInWork, 'waiting'],
  [(card) => !!card.run && isLive(card.run.state), undefined],
  [(card) => !!card.question && !card.question.run, 'question'],
  [(card) => card.plan_state === 'proposed', 'review'],
  [(card) => isJudged(card) && card.remark === 'no_evidence', 'no_evidence'],
  [isJudged, 'review'],
  // A task that is tried again by itself needs nobody, except after its work was accepted.
  [(card) => !!card.returned && isQueued(card), 'returned'],
  [triesAgain, undefined],
  [(card) => card.stage === 'failed' || (!!card.blocked && card.attempt > 0), 'failed'],
];

function isJudged(card: Card): boolean {
  return card.stage === 'review' && !card.blocked && !card.has_reviewer;
}

function isQueued(card: Card): boolean {
  return !card.blocked && (card.stage === 'ready' || card.stage === 'claimed' || card.stage === 'active');
}

export function callOf(card: Card): Call | undefined {
  return kRows.find(([holds]) => holds(card))?.[1];
}

// Work that waits for a verdict, with or without something to show.
export function isReview(call: Call | undefined): boolean {
  return call === 'review' || call === 'no_evidence';
}

// Sorts entries: the most urgent kind first, and the oldest of a kind first.
export function attentionOf(cards: Iterable<Card>, workers: readonly Worker[], has: (id: number) => boolean): Attention[] {
  const items: Attention[] = [];
  for (const card of cards) {
    const call = callOf(card);
    if (call) items.push({ id: card.id, call, since: card.question?.asked_at ?? card.entered });
  }
  for (const worker of workers) {
    if (worker.task && isWarning(worker.state) && has(worker.task)) items.push({ id: worker.task, call: 'silent', since: worker.since ?? '' });
  }
  return items.sort((a, b) => kCalls.indexOf(a.call) - kCalls.indexOf(b.call) || (a.since < b.since ? -1 : 1));
}

export type Lamp = 'red' | 'amber' | 'green' | 'dark';

// The worst state of the line: red when something is wrong or stopped, amber while it works or waits for a person.
export function lampOf(attention: readonly Attention[], workers: readonly Worker[], isStopped: boolean): Lamp {
  if (isStopped || attention.some(({ call }) => call === 'failed' || call === 'silent')) return 'red';
  if (attention.length || workers.some((worker) => worker.state === 'working')) return 'amber';
  return workers.length ? 'green' : 'dark';
}
