import type { Cell, CellMaker } from '../model/cell.ts';
import type { DispatchBlockers } from '../model/wire.ts';

// Two questions are never closer than this, however fast the board changes.
const kCalm = 3000;
const kSoon = 150;
// The server answers about so many tasks at once.
const kMost = 50;

export interface WhyWorld {
  ask(ids: readonly number[]): Promise<readonly DispatchBlockers[]>;
  make: CellMaker;
  now(): number;
  after(ms: number, run: () => void): void;
  isHidden(): boolean;
}

// Knows why the cards in sight wait. It asks for all of them at once, when one comes into sight and after changes.
export class WhyWatch {
  readonly #world: WhyWorld;
  readonly #cells = new Map<number, Cell<DispatchBlockers | undefined>>();
  readonly #watched = new Map<number, number>();
  #isDue = false;
  #askedAt = -Infinity;

  constructor(world: WhyWorld) {
    this.#world = world;
  }

  cell(id: number): Cell<DispatchBlockers | undefined> {
    const known = this.#cells.get(id);
    if (known) return known;
    const cell = this.#world.make<DispatchBlockers | undefined>(undefined);
    this.#cells.set(id, cell);
    return cell;
  }

  // Returns how to stop watching.
  watch(id: number): () => void {
    this.#watched.set(id, (this.#watched.get(id) ?? 0) + 1);
    if (this.cell(id).get() === undefined) this.#plan(kSoon);
    return () => {
      const left = (this.#watched.get(id) ?? 1) - 1;
      if (left) this.#watched.set(id, left);
      else this.#watched.delete(id);
    };
  }

  // Something changed on the board that may have been a reason.
  changed(): void {
    this.#plan(kSoon);
  }

  #plan(ms: number): void {
    if (this.#isDue) return;
    this.#isDue = true;
    const wait = Math.max(ms, this.#askedAt + kCalm - this.#world.now());
    this.#world.after(wait, () => void this.#ask());
  }

  async #ask(): Promise<void> {
    this.#isDue = false;
    const ids = [...this.#watched.keys()].slice(0, kMost);
    if (!ids.length || this.#world.isHidden()) return;
    this.#askedAt = this.#world.now();
    const answers = await this.#world.ask(ids);
    for (const answer of answers) if (this.#watched.has(answer.id)) this.cell(answer.id).set(answer);
  }
}
