// What may be spent; what is absent or 0 has no limit.
export interface Allowance {
  tokens?: number;
  usd?: number;
  // As in "1h30m".
  time?: string;
}

export interface Budget {
  run?: Allowance;
  task?: Allowance;
  day?: Allowance;
  tz?: string;
}

// An amount that was spent.
export interface Spending {
  tokens: number;
  usd: number;
  time: string;
  // Of the tokens: those without a price.
  unpriced?: number;
  runs?: number;
  unpriced_runs?: number;
}

// What all runs of a task spent together.
export interface TaskSpending {
  tokens: number;
  // Null where no run told a price.
  cost_usd: number | null;
  time: string;
  runs: number;
  // Of the runs: those without a price.
  unpriced: number;
  // What counts against the budget of the task, where it is not everything.
  of_budget?: Allowance;
}

// What a board or a worker spent today, and its budget of the day.
export interface DaySpending {
  board?: string;
  worker?: string;
  day: string;
  limit: Allowance;
  spent: Spending;
  // The limit that is reached.
  reached?: string;
}

// Duration as the server writes it, in ms.
export function milliseconds(text: string | undefined): number {
  const units: Record<string, number> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 };
  let sum = 0;
  for (const [, amount, unit] of (text ?? '').matchAll(/([\d.]+)(ms|[dhms])/g)) sum += Number(amount) * units[unit!]!;
  return sum;
}

export const hasLimit = (limit: Allowance | undefined): limit is Allowance => !!limit && (!!limit.tokens || !!limit.usd || milliseconds(limit.time) > 0);

// What a worker used on a board over some days.
export interface WorkerUsage {
  name: string;
  usage: { input: number; output: number; cost_usd: number | null };
  // Runs without a price.
  unpriced?: number;
}
