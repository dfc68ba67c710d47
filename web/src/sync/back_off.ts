const kFirst = 1500;
const kLongest = 30_000;

// Waiting times between attempts in ms: doubling, with a quarter of chance so that pages do not knock in step.
export class BackOff {
  #next = kFirst;
  readonly #chance: () => number;

  constructor(chance: () => number) {
    this.#chance = chance;
  }

  wait(): number {
    const wait = this.#next * (1 + (this.#chance() - 0.5) / 2);
    this.#next = Math.min(this.#next * 2, kLongest);
    return Math.round(wait);
  }

  reset(): void {
    this.#next = kFirst;
  }
}
