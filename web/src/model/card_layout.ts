import type { Card } from './wire.ts';

export type Density = 'comfortable' | 'compact';

// How many rows a title needs is the one fact that depends on fonts; everything else is arithmetic.
export interface CardLayout {
  density: Density;
  isOneLine(title: string): boolean;
}

export const kCardGap = 8;

// Heights in px by density, then by [one title line, two title lines].
const kHeights = {
  comfortable: { plain: [82, 102], withState: [108, 128] },
  compact: { plain: [40, 58], withState: [40, 58] },
} as const;

export type StateRow = 'run' | 'blocked' | 'waiting' | 'excerpt' | null;

// The one row between title and facts: what matters most about the card now.
export function stateRow(card: Card): StateRow {
  if (card.stage === 'done') return null;
  if (card.run && isLive(card.run.state)) return 'run';
  if (card.blocked || (card.stage === 'blocked' && card.block_reason)) return 'blocked';
  if (card.stage === 'failed' && card.block_reason) return 'blocked';
  if (card.open_deps > 0) return 'waiting';
  if (card.excerpt) return 'excerpt';
  return null;
}

export function isLive(runState: string): boolean {
  return runState !== 'ended' && runState !== 'finished';
}

export function cardHeight(card: Card, layout: CardLayout): number {
  const kind = stateRow(card) ? 'withState' : 'plain';
  return kHeights[layout.density][kind][layout.isOneLine(card.title) ? 0 : 1];
}
