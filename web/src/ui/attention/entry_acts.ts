import { entryKey, type AttentionEntry } from '../../model/attention_list.ts';
import type { Call } from '../../model/attention.ts';
import type { TaskVerb } from '../../sync/api.ts';
import type { App } from '../../app/app.ts';

export interface EntryAct {
  label: string;
  // The key on the row that does it; none where it leads elsewhere.
  key?: 'a' | 'r';
  run(app: App, entry: AttentionEntry): Promise<boolean> | void;
}

function verb(name: TaskVerb, failed: string) {
  return (app: App, entry: AttentionEntry) => app.act({ id: entry.id!, status: entry.status }, name, {}, failed);
}

const accept: EntryAct = { label: 'Accept', key: 'a', run: verb('accept', 'Not accepted') };
const review: EntryAct = { label: 'Review', run: (app, entry) => app.openReview(entry.id!, entry.board) };
const retry: EntryAct = { label: 'Retry', key: 'r', run: verb('retry', 'Not queued again') };
const resume: EntryAct = {
  label: 'Use it now',
  key: 'a',
  run: (app, { account, worker }) =>
    app.attempt('Not resumed', () => (account ? app.api.resumeAccount(account) : app.api.setWorkerPaused(worker!, false))),
};

const mended: EntryAct = {
  label: 'Try again',
  key: 'a',
  run: (app, { board, machine }) =>
    app.attempt('Not tried again', () => (machine ? app.api.retryFault('machine', machine) : app.api.retryFault('board', board!))),
};

const kActs: Record<Call, readonly EntryAct[]> = {
  waiting: [],
  question: [],
  landing: [{ ...review, label: 'Decide' }],
  fault: [mended],
  review: [accept, review],
  no_evidence: [accept, review],
  returned: [],
  failed: [retry],
  silent: [],
  approval: [{ label: 'Approve', key: 'a', run: verb('approve', 'Not approved') }],
  budget: [],
  limit: [resume],
};

export function actsOf(entry: AttentionEntry): readonly EntryAct[] {
  if (entry.kind === 'limit' && entry.worker) return [{ ...resume, label: 'Resume' }];
  return kActs[entry.kind];
}

// Whether the entry is a question that the person can answer in its row.
export function canAnswer(entry: AttentionEntry): boolean {
  return entry.kind === 'waiting' || entry.kind === 'question';
}

// Does it and takes the entry off the list where that went well.
export async function carryOut(app: App, entry: AttentionEntry, act: EntryAct): Promise<void> {
  if (await act.run(app, entry)) app.attention.settle(entry);
}

export async function answer(app: App, entry: AttentionEntry, text: string): Promise<boolean> {
  const done = await app.act({ id: entry.id!, status: entry.status }, 'answer', { text, question: entry.text }, 'Not answered');
  if (done) app.attention.settle(entry);
  return done;
}

export const draftKey = (epoch: string, entry: AttentionEntry): string => `${epoch}/attention/${entryKey(entry)}`;
