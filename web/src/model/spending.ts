import type { Allowance, WorkerUsage as WorkerMetrics } from './wire_generated.ts';

export type { Allowance, Budget, DaySpending, Spending, TaskSpending } from './wire_generated.ts';

// The use of tokens and money by a worker on a board over some days.
export type WorkerUsage = Pick<WorkerMetrics, 'name' | 'unpriced'> & { usage: Pick<WorkerMetrics['usage'], 'input' | 'output' | 'cost_usd'> };

// Duration as the server writes it, in ms.
export function milliseconds(text: string | undefined): number {
  const units: Record<string, number> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 };
  let sum = 0;
  for (const [, amount, unit] of (text ?? '').matchAll(/([\d.]+)(ms|[dhms])/g)) sum += Number(amount) * units[unit!]!;
  return sum;
}

export const hasLimit = (limit: Allowance | undefined): limit is Allowance => !!limit && (!!limit.tokens || !!limit.usd || milliseconds(limit.time) > 0);
