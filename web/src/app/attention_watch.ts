import type { Cell, CellMaker } from '../model/cell.ts';
import type { AttentionEntry, AttentionPage } from '../model/attention_list.ts';
import { entryKey } from '../model/attention_list.ts';

export interface AttentionWorld {
  ask(): Promise<AttentionPage | undefined>;
  now(): number;
  after(ms: number, run: () => void): void;
  // A page that nobody sees asks for nothing, unless it shows notifications.
  isIdle(): boolean;
}

// ms between two questions that changes cause.
const kPause = 15_000;
// Boards that no page shows have no stream; what happens there is asked for this often.
const kEvery = 60_000;

// Holds the list of entries that wait for the person on all boards, and asks the server for it again after changes.
export class AttentionWatch {
  readonly page: Cell<AttentionPage | undefined>;
  readonly #world: AttentionWorld;
  #askedAt = -Infinity;
  #isDue = false;
  #asking: Promise<void> | undefined;
  #isStarted = false;

  constructor(make: CellMaker, world: AttentionWorld) {
    this.page = make<AttentionPage | undefined>(undefined);
    this.#world = world;
  }

  start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    void this.look();
    this.#tick();
  }

  // Something has changed somewhere.
  changed(): void {
    if (!this.#isStarted || this.#isDue) return;
    this.#isDue = true;
    this.#world.after(Math.max(0, this.#askedAt + kPause - this.#world.now()), () => this.#lookIfDue());
  }

  // The page is seen again.
  shown(): void {
    if (this.#isStarted && this.#world.now() - this.#askedAt >= 1000) void this.look();
  }

  // Asks at once.
  look(): Promise<void> {
    this.#isStarted = true;
    return (this.#asking ??= this.#ask().finally(() => (this.#asking = undefined)));
  }

  // The person has dealt with it; the next answer of the server decides.
  settle(entry: AttentionEntry): void {
    const page = this.page.get();
    const key = entryKey(entry);
    if (!page?.items.some((one) => entryKey(one) === key)) return;
    const counts = { ...page.counts, [entry.kind]: Math.max(0, (page.counts[entry.kind] ?? 1) - 1) };
    this.page.set({ ...page, counts, items: page.items.filter((one) => entryKey(one) !== key) });
    this.changed();
  }

  #tick(): void {
    this.#world.after(kEvery, () => {
      this.changed();
      this.#tick();
    });
  }

  #lookIfDue(): void {
    this.#isDue = false;
    if (!this.#world.isIdle()) void this.look();
  }

  async #ask(): Promise<void> {
    this.#askedAt = this.#world.now();
    const page = await this.#world.ask();
    if (page) this.page.set(page);
  }
}
