import { areEquals, lowerBound, type Compare } from './pick_order.ts';
import type { Card } from './wire.ts';

export interface DropSlot {
  index: number;
  before?: number;
  after?: number;
  // The order of the column, and not the pointer, decided the place.
  bent: boolean;
}

// Where a card lands that is dropped at `wanted` among `ids` (which do not hold the card itself).
// People order equals; class and priority stand above that, so the slot is bent to where the card will really be.
export function dropSlot(card: Card, ids: readonly number[], wanted: number, compare: Compare, cardOf: (id: number) => Card): DropSlot {
  const equal = (id: number | undefined) => id !== undefined && areEquals(cardOf(id), card);
  const first = lowerBound(ids, { ...card, rank: '', id: 0 }, compare, cardOf);
  let end = first;
  while (end < ids.length && equal(ids[end])) end += 1;

  const index = Math.min(Math.max(wanted, first), end);
  const after = equal(ids[index - 1]) ? ids[index - 1] : undefined;
  const before = equal(ids[index]) ? ids[index] : undefined;
  return { index, before, after, bent: index !== wanted };
}

// A rank that sorts between two neighbours until the server has made the real one.
// '!' sorts below every character that ranks are made of.
export function provisionalRank(after: Card | undefined, before: Card | undefined, own: string): string {
  if (after) return `${after.rank}!`;
  if (before) return '!';
  return own;
}
