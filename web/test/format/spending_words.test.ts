import { describe, expect, test } from 'vitest';
import { budgetUse, budgetWords, costOfEnded, costWords, dayEnd, doneCost, money, shortCost, spendingWords, taskBudgetUse, taskSpendingWords } from '../../src/format/spending_words.ts';
import { usageWords } from '../../src/format/run_words.ts';
import { milliseconds, type TaskSpending } from '../../src/model/spending.ts';
import type { BoardEvent, Run } from '../../src/model/wire.ts';

const aSpending = (over: Partial<TaskSpending> = {}): TaskSpending => ({ tokens: 48_000, cost_usd: 1.2, time: '12m', runs: 2, unpriced: 0, ...over });

describe('The words of a cost', () => {
  test('never show an unknown price as nothing', () => {
    expect(costWords(1.2, false)).toBe('$1.20');
    expect(costWords(1.2, true)).toBe('$1.20 + unknown');
    expect(costWords(null, true)).toBe('cost unknown');
    expect(costWords(0, true)).toBe('cost unknown');
    expect(costWords(null, false)).toBe('');
    expect(money(0.004)).toBe('<$0.01');
  });

  test('tell tokens on a card where no price is known', () => {
    expect(shortCost(aSpending())).toBe('$1.20');
    expect(shortCost(aSpending({ unpriced: 1 }))).toBe('$1.20 + ?');
    expect(shortCost(aSpending({ cost_usd: null, unpriced: 2 }))).toBe('48k tokens');
    expect(shortCost(aSpending({ cost_usd: null, tokens: 0, unpriced: 2 }))).toBe('cost ?');
    expect(doneCost(aSpending({ unpriced: 1 }))).toBe('$1.20 + ?');
    expect(doneCost(aSpending({ cost_usd: null, tokens: 0, unpriced: 2 }))).toBe('');
  });

  test('tell everything of a task', () => {
    expect(taskSpendingWords(aSpending({ unpriced: 1 }))).toBe('$1.20 + unknown · 48k tokens · 2 runs');
    expect(taskSpendingWords(aSpending({ cost_usd: null, tokens: 1, runs: 1, unpriced: 1 }))).toBe('cost unknown · 1 token · 1 run');
    expect(spendingWords({ usd: 0, tokens: 500, time: '', unpriced: 500 })).toBe('cost unknown · 500 tokens');
  });

  test('of a run are unknown when it has ended without a price', () => {
    const run = { id: 1, task: 1, worker: 'dev', attempt: 1, state: 'running', started: '' } as Run;
    expect(usageWords(run)).toBe('');
    expect(usageWords({ ...run, pid: 7 })).toBe('');
    expect(usageWords({ ...run, pid: 7, ended: '2026-11-21T08:00:00Z' })).toBe('cost unknown');
    expect(usageWords({ ...run, ended: '2026-11-21T08:00:00Z' })).toBe('');
    expect(usageWords({ ...run, usage: { input: 1000, output: 0, cost_usd: null } })).toBe('1k tokens · cost unknown');
    expect(usageWords({ ...run, usage: { input: 1000, output: 0, cost_usd: 0.5 } })).toBe('1k tokens · $0.50');
  });

  test('add up the runs that ended while a person was away', () => {
    const ended = (data: Record<string, string>): BoardEvent => ({ seq: 1, ts: '', actor: 'system', kind: 'run.ended', data });
    expect(costOfEnded([])).toBe('');
    expect(costOfEnded([ended({ cost_usd: '1.200000' }), ended({ cost_usd: '2.000000' })])).toBe('$3.20');
    expect(costOfEnded([ended({ cost_usd: '1.2' }), ended({ unpriced: 'true' })])).toBe('$1.20 + unknown');
    expect(costOfEnded([ended({ unpriced: 'true' })])).toBe('cost unknown');
    expect(costOfEnded([ended({})])).toBe('');
  });
});

describe('A budget', () => {
  test('is told by the limit that is nearest to its end', () => {
    expect(budgetUse(undefined, { usd: 1 })).toBeUndefined();
    expect(budgetUse({ usd: 0 }, { usd: 1 })).toBeUndefined();
    expect(budgetUse({ usd: 2, tokens: 1000 }, { usd: 1.7, tokens: 100 })).toMatchObject({ tone: 'near', text: '$1.70 of $2.00', left: '$0.30 left' });
    expect(budgetUse({ usd: 2, tokens: 1000 }, { usd: 0.1, tokens: 1500 })).toEqual({ share: 1, tone: 'reached', text: '2k tokens of 1k tokens', left: 'nothing left' });
    expect(budgetUse({ usd: 2 }, { usd: 0 }, true)).toMatchObject({ text: 'cost unknown of $2.00', left: 'at most $2.00 left' });
    expect(budgetUse({ usd: 2 }, { usd: 0.5 }, true)).toMatchObject({ text: '$0.50 + unknown of $2.00' });
    expect(budgetUse({ time: '1h' }, { time: '20m' }, false, 10 * 60_000)).toMatchObject({ share: 0.5, tone: 'plain' });
  });

  test('of a task counts since it was last spent', () => {
    expect(taskBudgetUse({ usd: 1 }, aSpending())?.tone).toBe('reached');
    expect(taskBudgetUse({ usd: 1 }, aSpending({ of_budget: { usd: 0.2 } }))?.tone).toBe('plain');
  });

  test('is told in words too', () => {
    expect(budgetWords(budgetUse({ usd: 1 }, { usd: 0.9 })!)).toBe('Budget nearly spent: $0.90 of $1.00');
    expect(dayEnd('Europe/Berlin')).toBe('midnight in Berlin');
    expect(dayEnd(undefined)).toBe('midnight UTC');
    expect(milliseconds('1h 30m')).toBe(90 * 60_000);
    expect(milliseconds('1m2.5s')).toBe(62_500);
  });
});
