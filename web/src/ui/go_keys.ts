export type GoPlace = 'board' | 'attention';

const kPlaces: Record<string, GoPlace> = { b: 'board', a: 'attention' };

// ms within which the second key must follow.
const kWithin = 1500;

// Reads G and then a letter. Letters that a person types are none of its business.
export class GoKeys {
  #since = -Infinity;

  press(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'target'>, now: number): GoPlace | undefined {
    const isTyping = (event.target as Element | null)?.closest?.('input, textarea, select, dialog');
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping) return void (this.#since = -Infinity);
    const place = now - this.#since <= kWithin ? kPlaces[event.key] : undefined;
    this.#since = event.key === 'g' ? now : -Infinity;
    return place;
  }
}
