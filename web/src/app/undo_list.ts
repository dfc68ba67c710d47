// One change that a person made and can take back, as long as nobody has changed the task since.
export interface UndoEntry {
  // "Moved #12 to Done", without a full stop.
  text: string;
  task: number;
  // The revision of the task right after the change; another one means that somebody changed it since.
  rev: number;
  back(rev: number): Promise<unknown>;
}

const kMost = 50;

export class UndoList {
  #entries: UndoEntry[] = [];

  add(entry: UndoEntry): void {
    this.#entries = [...this.#entries, entry].slice(-kMost);
  }

  get last(): UndoEntry | undefined {
    return this.#entries.at(-1);
  }

  // What cannot be taken back any more, such as accepted work that has landed.
  forget(task: number): void {
    this.#entries = this.#entries.filter((entry) => entry.task !== task);
  }

  // Whether it was still there: an entry is taken back once.
  take(entry: UndoEntry): boolean {
    const others = this.#entries.filter((one) => one !== entry);
    const wasThere = others.length < this.#entries.length;
    this.#entries = others;
    return wasThere;
  }
}
