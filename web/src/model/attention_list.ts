import { kCalls, type Attention, type Call } from './attention.ts';
import type { Card } from './wire.ts';

// One thing that waits for a person, as `GET /attention` tells it. Without a number it is about a budget, an account or a worker.
export interface AttentionEntry {
  kind: Call;
  board?: string;
  id?: number;
  key?: string;
  title?: string;
  status?: string;
  choices?: readonly string[];
  worker?: string;
  account?: string;
  machine?: string;
  since?: string;
  until?: string;
  text?: string;
  can?: readonly string[];
}

export interface AttentionPage {
  items: readonly AttentionEntry[];
  counts: Readonly<Record<string, number>>;
  more?: boolean;
}

// Kinds that the cards and workers of a board tell at once. The others come from the server.
const kOfCards: ReadonlySet<Call> = new Set<Call>(['waiting', 'question', 'landing', 'review', 'no_evidence', 'returned', 'failed', 'silent']);

// A kind that another version of the server has and this page does not know is left out.
const isKnown = (entry: AttentionEntry) => kCalls.includes(entry.kind);

export function entryKey({ kind, id, board, worker, account, machine }: AttentionEntry): string {
  return `${kind} ${id ?? `${board ?? ''}/${worker ?? ''}/${account ?? machine ?? ''}`}`;
}

export function entryOfCard({ call, since }: Attention, card: Card, board: string): AttentionEntry {
  const reason = call === 'failed' || call === 'returned' ? (card.block_reason ?? card.failure) : call === 'no_evidence' ? card.flag : undefined;
  return {
    kind: call, board, since,
    id: card.id, key: card.key ?? undefined, title: card.title, status: card.status,
    choices: card.question?.choices ?? [], text: card.question?.text ?? reason ?? undefined,
  };
}

// Everything that waits, the most urgent first: the board of this page as it is now, all others as the server told them last.
export function mergedEntries(own: readonly AttentionEntry[], board: string, page: AttentionPage | undefined): AttentionEntry[] {
  const others = (page?.items ?? []).filter((entry) => isKnown(entry) && (entry.board !== board || !kOfCards.has(entry.kind)));
  return [...own, ...others].sort((a, b) => kCalls.indexOf(a.kind) - kCalls.indexOf(b.kind) || ((a.since ?? '') < (b.since ?? '') ? -1 : (a.since ?? '') > (b.since ?? '') ? 1 : 0));
}

// How many entries the server left out of its answer.
export function leftOut(page: AttentionPage | undefined): number {
  if (!page) return 0;
  return Math.max(0, Object.values(page.counts).reduce((sum, n) => sum + n, 0) - page.items.length);
}

export interface AttentionGroup {
  kind: Call;
  entries: AttentionEntry[];
}

export function groupsOf(entries: readonly AttentionEntry[]): AttentionGroup[] {
  const groups: AttentionGroup[] = [];
  for (const entry of entries) {
    const last = groups.at(-1);
    if (last?.kind === entry.kind) last.entries.push(entry);
    else groups.push({ kind: entry.kind, entries: [entry] });
  }
  return groups;
}
