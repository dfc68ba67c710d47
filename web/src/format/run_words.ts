import type { Run } from '../model/wire.ts';
import { costWords, tokens } from './spending_words.ts';
import { duration } from './time.ts';

export const runLength = (run: Run, now: number) => duration((run.ended ? Date.parse(run.ended) : now) - Date.parse(run.started));

export const outcomeWord = (run: Run) => (run.ended ? (run.outcome ?? 'ended') : run.state).replace(/_/g, ' ');

// The tokens and the cost that the agent reported. A run that began and ended without a price has an unknown cost.
export function usageWords({ usage, ended, pid }: Run): string {
  const amount = usage ? usage.input + usage.output : 0;
  const isUnknown = !usage?.cost_usd && (amount > 0 || (!!ended && (!!usage || !!pid)));
  return [amount ? tokens(amount) : '', costWords(usage?.cost_usd, isUnknown)].filter(Boolean).join(' · ');
}
