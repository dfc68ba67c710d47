import type { Call } from '../model/attention.ts';
import type { AttentionEntry } from '../model/attention_list.ts';

interface CallWords {
  // The heading of the group.
  group: string;
  // One and several, for a notification.
  one: string;
  many: string;
  tone: 'warn' | 'danger' | 'plain';
}

export const kCallWords: Record<Call, CallWords> = {
  waiting: { group: 'Agents that wait for you', one: 'agent waits', many: 'agents wait', tone: 'warn' },
  question: { group: 'Questions', one: 'question', many: 'questions', tone: 'warn' },
  landing: { group: 'Work that asks whether it lands', one: 'landing to decide', many: 'landings to decide', tone: 'warn' },
  fault: { group: 'Nothing starts', one: 'fault stops work', many: 'faults stop work', tone: 'danger' },
  review: { group: 'To review', one: 'review', many: 'reviews', tone: 'warn' },
  no_evidence: { group: 'To review, no evidence', one: 'review without evidence', many: 'reviews without evidence', tone: 'warn' },
  returned: { group: 'Came back from landing', one: 'task came back', many: 'tasks came back', tone: 'danger' },
  failed: { group: 'Failed', one: 'task failed', many: 'tasks failed', tone: 'danger' },
  silent: { group: 'Silent agents', one: 'silent agent', many: 'silent agents', tone: 'danger' },
  approval: { group: 'To approve', one: 'task to approve', many: 'tasks to approve', tone: 'plain' },
  budget: { group: 'Budgets reached', one: 'budget reached', many: 'budgets reached', tone: 'plain' },
  limit: { group: 'Accounts and workers at rest', one: 'account or worker rests', many: 'accounts or workers rest', tone: 'plain' },
};

// The task, or the budget, account or worker that the entry is about.
export function entryTitle(entry: AttentionEntry): string {
  if (entry.title !== undefined) return entry.title;
  if (entry.account) return `Account ${entry.account}`;
  if (entry.machine) return `Machine ${entry.machine}`;
  if (entry.worker) return `Worker ${entry.worker}`;
  return entry.board ? `Board ${entry.board}` : '';
}

export function entryName(entry: AttentionEntry): string {
  return entry.id === undefined ? entryTitle(entry) : (entry.key ?? `#${entry.id}`);
}

export function countWords(kind: Call, n: number): string {
  return `${n} ${n === 1 ? kCallWords[kind].one : kCallWords[kind].many}`;
}
