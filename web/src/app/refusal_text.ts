import type { Refusal } from '../sync/api.ts';

// The task that stands in the way, when the refusal names one.
export function conflictingTask(refusal: Refusal): number | undefined {
  const { task } = refusal.details;
  return typeof task === 'number' ? task : undefined;
}

export function sentence(text: string): string {
  const capital = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(capital) ? capital : `${capital}.`;
}
