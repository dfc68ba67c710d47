import type { Run } from '../model/wire.ts';
import { duration } from './time.ts';

export const runLength = (run: Run, now: number) => duration((run.ended ? Date.parse(run.ended) : now) - Date.parse(run.started));

export const outcomeWord = (run: Run) => (run.ended ? (run.outcome ?? 'ended') : run.state).replace(/_/g, ' ');

function tokens(amount: number): string {
  if (amount < 1000) return `${amount}`;
  return amount < 1_000_000 ? `${Math.round(amount / 1000)}k` : `${(amount / 1_000_000).toFixed(1)}M`;
}

// What a run used, as far as its agent said so; empty when it said nothing.
export function usageWords({ usage }: Run): string {
  if (!usage || !(usage.input || usage.output)) return '';
  return `${tokens(usage.input + usage.output)} tokens${typeof usage.cost_usd !== 'number' ? '' : ` · $${usage.cost_usd.toFixed(2)}`}`;
}
