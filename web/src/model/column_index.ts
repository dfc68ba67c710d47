import { lowerBound, type Compare } from './pick_order.ts';
import type { Card } from './wire.ts';

// The ids of one column in order. Changes cost one pass and a probe each, never a sort of the whole column.
export class ColumnIndex {
  #ids: number[] = [];

  get ids(): readonly number[] {
    return this.#ids;
  }

  fill(cards: readonly Card[], compare: Compare): void {
    this.#ids = [...cards].sort(compare).map((card) => card.id);
  }

  // `touched` changed in some way; those of them that belong here now are `present`.
  update(touched: ReadonlySet<number>, present: readonly Card[], compare: Compare, cardOf: (id: number) => Card): void {
    const kept = this.#ids.filter((id) => !touched.has(id));
    for (const card of present) kept.splice(lowerBound(kept, card, compare, cardOf), 0, card.id);
    this.#ids = kept;
  }
}
