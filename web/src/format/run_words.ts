import type { Run } from '../model/wire.ts';
import { costWords, tokens } from './spending_words.ts';
import { duration } from './time.ts';

export const runLength = (run: Run, now: number) => duration((run.ended ? Date.parse(run.ended) : now) - Date.parse(run.started));

export const outcomeWord = (run: Run) => (run.ended ? (run.outcome ?? 'ended') : run.state).replace(/_/g, ' ');

// What a run used, as far as its agent said so. A run that began and told no price has an unknown one when it has ended.
export function usageWords({ usage, ended, pid }: Run): string {
  const amount = usage ? usage.input + usage.output : 0;
  const isUnknown = !usage?.cost_usd && (amount > 0 || (!!ended && (!!usage || !!pid)));
  return [amount ? tokens(amount) : '', costWords(usage?.cost_usd, isUnknown)].filter(Boolean).join(' · ');
}
