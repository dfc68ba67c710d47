import { hasLimit, milliseconds, type Allowance, type DaySpending, type Spending, type TaskSpending, type WorkerUsage } from '../model/spending.ts';
import type { BoardEvent } from '../model/wire.ts';
import { sizeText } from './attachments.ts';
import { duration } from './time.ts';
import { count } from './words.ts';

export const money = (usd: number) => (usd > 0 && usd < 0.01 ? '<$0.01' : `$${usd.toFixed(2)}`);

export function tokens(amount: number): string {
  if (amount < 1000) return count(amount, 'token');
  return amount < 1_000_000 ? `${Math.round(amount / 1000)}k tokens` : `${(amount / 1_000_000).toFixed(1)}M tokens`;
}

// "$1.20", "$1.20 + unknown", "cost unknown"; empty where there is nothing to tell. Unknown is never 0.
export function costWords(usd: number | null | undefined, isPartlyUnknown: boolean): string {
  if (!usd) return isPartlyUnknown ? 'cost unknown' : '';
  return isPartlyUnknown ? `${money(usd)} + unknown` : money(usd);
}

export const taskCost = (spent: TaskSpending) => costWords(spent.cost_usd, spent.unpriced > 0);

// For the card, where there is little room: tokens stand for a price that nobody knows, a question mark for what is unknown.
export function shortCost(spent: TaskSpending): string {
  if (spent.cost_usd) return spent.unpriced ? `${money(spent.cost_usd)} + ?` : money(spent.cost_usd);
  if (spent.tokens) return tokens(spent.tokens);
  return spent.unpriced ? 'cost ?' : '';
}

// The shortest, beside the title of finished work.
export function doneCost(spent: TaskSpending): string {
  if (spent.cost_usd) return spent.unpriced ? `${money(spent.cost_usd)} + ?` : money(spent.cost_usd);
  return spent.tokens ? tokens(spent.tokens) : '';
}

// "$1.20 + unknown · 48k tokens · 3 runs"
// The most memory and the processor time of runs: "4.2 GB memory · 12s of processors".
export function useWords(use: { peak_memory?: number; cpu_time?: string }): string {
  return [use.peak_memory ? `${sizeText(use.peak_memory)} of memory at most` : '', use.cpu_time ? `${use.cpu_time} of processors` : ''].filter(Boolean).join(' · ');
}

export function taskSpendingWords(spent: TaskSpending): string {
  return [taskCost(spent), spent.tokens ? tokens(spent.tokens) : '', spent.runs ? count(spent.runs, 'run') : '', useWords(spent)].filter(Boolean).join(' · ');
}

export function spendingWords({ usd, unpriced = 0, unpriced_runs = 0, tokens: amount }: Spending): string {
  return [costWords(usd, unpriced > 0 || unpriced_runs > 0), amount ? tokens(amount) : ''].filter(Boolean).join(' · ');
}

export interface BudgetUse {
  // Of the limit that is nearest to its end, 0 to 1.
  share: number;
  tone: 'plain' | 'near' | 'reached';
  // "$0.90 of $1.00"
  text: string;
  left: string;
}

const kNear = 0.8;

// How far a budget is spent; nothing without a limit. `running` is the time of a run that has not ended, in ms.
export function budgetUse(limit: Allowance | undefined, spent: Allowance, isPartlyUnknown = false, running = 0): BudgetUse | undefined {
  if (!hasLimit(limit)) return undefined;
  const time = milliseconds(spent.time) + running;
  const measures = [
    { most: limit.usd ?? 0, is: spent.usd ?? 0, words: money },
    { most: limit.tokens ?? 0, is: spent.tokens ?? 0, words: tokens },
    { most: milliseconds(limit.time), is: time, words: duration },
  ].filter(({ most }) => most > 0);
  const { most, is, words } = measures.reduce((a, b) => (b.is / b.most > a.is / a.most ? b : a));
  const share = Math.min(1, is / most);
  const tone = share >= 1 ? 'reached' : share >= kNear ? 'near' : 'plain';
  // Of money that is spent without a price nobody knows how much it is.
  const isUnknown = words === money && isPartlyUnknown;
  const used = isUnknown ? costWords(is, true) : words(is);
  const left = is >= most ? 'nothing left' : `${isUnknown ? 'at most ' : ''}${words(most - is)} left`;
  return { share, tone, text: `${used} of ${words(most)}`, left };
}

const kToneWords = { plain: 'Budget', near: 'Budget nearly spent', reached: 'Budget spent' };
export const budgetWords = (use: BudgetUse) => `${kToneWords[use.tone]}: ${use.text}`;

export function taskBudgetUse(limit: Allowance | undefined, spent: TaskSpending, running = 0): BudgetUse | undefined {
  const { tokens, cost_usd, time } = spent;
  return budgetUse(limit, spent.of_budget ?? { tokens, usd: cost_usd ?? 0, time }, spent.unpriced > 0, running);
}

export const dayUse = ({ limit, spent }: DaySpending) => budgetUse(limit, spent, !!spent.unpriced || !!spent.unpriced_runs);

// The cost of the runs that ended in these events.
export function costOfEnded(events: readonly BoardEvent[]): string {
  const ended = events.filter(({ kind }) => kind === 'run.ended');
  const usd = ended.reduce((sum, { data }) => sum + Number(data?.cost_usd ?? 0), 0);
  return costWords(usd, ended.some(({ data }) => data?.unpriced));
}

export function usageOfRuns({ usage, unpriced = 0 }: WorkerUsage): string {
  const amount = usage.input + usage.output;
  return [costWords(usage.cost_usd, unpriced > 0 || (!usage.cost_usd && amount > 0)), amount ? tokens(amount) : ''].filter(Boolean).join(' · ');
}

// The end of the day of a budget.
export const dayEnd = (zone: string | undefined) => `midnight ${zone ? `in ${zone.split('/').at(-1)!.replaceAll('_', ' ')}` : 'UTC'}`;
