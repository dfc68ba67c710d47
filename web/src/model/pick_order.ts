import type { Board, Card, Stage } from './wire.ts';

export type Compare = (a: Card, b: Card) => number;

// Whose turn is next: class, then for fixed-date the earliest due, then priority, rank and id.
export function pickOrder(board: Pick<Board, 'classes' | 'priorities'>): Compare {
  const classes = positions(board.classes.map((item) => item.name));
  const priorities = positions(board.priorities);
  const classOf = (card: Card) => classes.get(card.class) ?? classes.size;
  const priorityOf = (card: Card) => priorities.get(card.priority) ?? -1;

  return (a, b) =>
    classOf(a) - classOf(b) ||
    (a.class === 'fixed-date' ? compareText(a.due ?? '9999', b.due ?? '9999') : 0) ||
    priorityOf(b) - priorityOf(a) ||
    compareText(a.rank, b.rank) ||
    a.id - b.id;
}

export const newestFirst: Compare = (a, b) => compareText(b.entered, a.entered) || b.id - a.id;

// Nothing is picked from a terminal column, so it shows what ended last.
export function columnOrder(board: Pick<Board, 'classes' | 'priorities'>, stage: Stage): Compare {
  return stage === 'done' || stage === 'archived' ? newestFirst : pickOrder(board);
}

// True when a person's own order decides between the two, and not their class, due date or priority.
export function areEquals(a: Card, b: Card): boolean {
  return a.class === b.class && a.priority === b.priority && (a.class !== 'fixed-date' || (a.due ?? '') === (b.due ?? ''));
}

// First position whose card does not come before the given one.
export function lowerBound(ids: readonly number[], card: Card, compare: Compare, cardOf: (id: number) => Card): number {
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compare(cardOf(ids[middle]!), card) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function positions(names: readonly string[]): Map<string, number> {
  return new Map(names.map((name, index) => [name, index]));
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
