import type { Cell } from '../model/cell.ts';
import { reactive } from './reactive.svelte.ts';

// ms for which a card stays lit at least.
const kLit = 600;

export interface LitWorld {
  now(): number;
  after(ms: number, run: () => void): void;
}

// The cards that changed in a burst. They are lit without movement and go out together, so that few drawings do for all.
export class LitCards {
  readonly #world: LitWorld;
  readonly #cells = new Map<number, Cell<boolean>>();
  readonly #since = new Map<number, number>();
  #isDue = false;

  constructor(world: LitWorld) {
    this.#world = world;
  }

  has(id: number): boolean {
    let cell = this.#cells.get(id);
    if (!cell) this.#cells.set(id, (cell = reactive(false)));
    return cell.get();
  }

  light(id: number): void {
    this.#since.set(id, this.#world.now());
    this.#cells.get(id)?.set(true);
    this.#plan();
  }

  #plan(): void {
    if (this.#isDue || !this.#since.size) return;
    this.#isDue = true;
    this.#world.after(kLit, () => {
      this.#isDue = false;
      this.#putOut(this.#world.now() - kLit);
      this.#plan();
    });
  }

  #putOut(before: number): void {
    for (const [id, since] of this.#since) {
      if (since > before) continue;
      this.#since.delete(id);
      this.#cells.get(id)?.set(false);
    }
  }
}
