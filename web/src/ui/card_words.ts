import { budgetWords, taskBudgetUse, taskSpendingWords } from '../format/spending_words.ts';
import { workText } from '../format/work_words.ts';
import { kStateWords } from '../model/worker_look.ts';
import type { Board, Card } from '../model/wire.ts';
import { taskKey } from '../format/words.ts';
import { asksInWork, tellsCost, weightOf, type Weight } from '../model/card_layout.ts';
import type { BoardView } from './board_view.svelte.ts';

export interface PriorityBars {
  level: number;
  of: number;
}

// Normal and lower priorities are drawn as nothing; each step above adds a bar.
export function priorityBars(card: Card, board: Pick<Board, 'priorities'>): PriorityBars | undefined {
  const normal = Math.floor((board.priorities.length - 1) / 2);
  const level = board.priorities.indexOf(card.priority) - normal;
  return level > 0 ? { level: level + 1, of: board.priorities.length - normal } : undefined;
}

// Who does it, will do it, or has done it.
export function workerOf(card: Card): string | undefined {
  return card.run?.worker ?? card.assignee ?? card.claimed_by ?? undefined;
}

const kWords: Partial<Record<Weight, string>> = { asks: 'asks you', review: 'to review', failed: 'failed', blocked: 'blocked' };

// The state of a card in words, where its form alone does not say it.
export function stateWord(card: Card): string | undefined {
  if (asksInWork(card)) return 'asks while it works';
  if (card.landing_asked) return 'asks whether it lands';
  const weight = weightOf(card);
  return weight === 'failed' && card.returned ? 'came back from landing' : kWords[weight];
}

function costOf(card: Card, view: BoardView): string {
  if (!card.spent || !tellsCost(weightOf(card))) return '';
  const use = taskBudgetUse(view.session.model.board.get().budget?.task, card.spent);
  return [`spent ${taskSpendingWords(card.spent)}`, use && use.tone !== 'plain' ? budgetWords(use).toLowerCase() : ''].filter(Boolean).join(', ');
}

// The name under which a screen reader meets the card.
export function describe(card: Card, view: BoardView, column: string): string {
  const name = workerOf(card);
  const worker = view.session.model.workers.get().find((one) => one.name === name);
  const parts = [
    `${card.title}. ${taskKey(card)}`,
    column,
    name ? (view.look(name)?.title ?? name) : 'nobody',
    card.run && worker ? kStateWords[worker.state].toLowerCase() : '',
    `${card.priority} priority`,
    card.class === 'standard' ? '' : card.class,
    card.question ? `${asksInWork(card) ? 'asks while it works' : 'asks'}: ${card.question.text}` : card.blocked ? `blocked: ${card.block_reason ?? 'no reason given'}` : '',
    weightOf(card) === 'review' ? 'waits for your review' : '',
    weightOf(card) === 'review' && card.work ? workText(card.work) : '',
    costOf(card, view),
    card.open_deps ? `waiting for ${card.open_deps} of ${card.deps}` : '',
  ];
  return parts.filter(Boolean).join(', ');
}
