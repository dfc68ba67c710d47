// Where a sheet at the lower edge of the screen comes to rest when a finger lets it go.

// A flick counts as if it had gone on for so long.
const kAhead = 150;

// The nearest of `stops` (heights in px, at least one), or 'closed' when nothing at all is nearer. `speed` is in px/ms, upwards.
export function restOf(height: number, speed: number, stops: readonly number[]): number | 'closed' {
  const meant = height + speed * kAhead;
  const nearest = stops.reduce((best, stop) => (Math.abs(stop - meant) < Math.abs(best - meant) ? stop : best));
  return meant < Math.min(...stops) / 2 ? 'closed' : nearest;
}

// The speed of a finger, from its last few places.
export class Speed {
  #past: { at: number; y: number }[] = [];

  add(at: number, y: number): void {
    this.#past.push({ at, y });
    while (this.#past.length > 1 && at - this.#past[0]!.at > 100) this.#past.shift();
  }

  // In px/ms, upwards. A finger that rests before it lets go has none.
  get(now: number): number {
    const [first] = this.#past;
    const last = this.#past.at(-1);
    if (!first || !last || last.at === first.at || now - last.at > 100) return 0;
    return (first.y - last.y) / (last.at - first.at);
  }
}
