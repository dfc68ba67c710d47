// Repeatable chance: the same seed gives the same numbers (mulberry32).
export class Chance {
  constructor(seed) {
    this.seed = seed >>> 0;
    this.state = this.seed;
  }

  // In [0, 1).
  number() {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  // From 0 to `n` - 1.
  below(n) {
    return Math.floor(this.number() * n);
  }

  one(items) {
    return items[this.below(items.length)];
  }
}
