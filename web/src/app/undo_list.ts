// What a person did last and can take back, as long as nobody has changed the task since.
export interface Deed {
  // "Moved #12 to Done", without a full stop.
  text: string;
  task: number;
  // The revision of the task right after the deed; another one means that somebody changed it since.
  rev: number;
  back(rev: number): Promise<unknown>;
}

const kMost = 50;

export class UndoList {
  #deeds: Deed[] = [];

  add(deed: Deed): void {
    this.#deeds = [...this.#deeds, deed].slice(-kMost);
  }

  get last(): Deed | undefined {
    return this.#deeds.at(-1);
  }

  // What cannot be taken back any more, such as accepted work that has landed.
  forget(task: number): void {
    this.#deeds = this.#deeds.filter((deed) => deed.task !== task);
  }

  // Whether it was still there: a deed is taken back once.
  take(deed: Deed): boolean {
    const others = this.#deeds.filter((one) => one !== deed);
    const wasThere = others.length < this.#deeds.length;
    this.#deeds = others;
    return wasThere;
  }
}
