import type { Card } from './wire.ts';

export interface Patch {
  mutation: string;
  task: number;
  set: Partial<Card>;
  // The revision in which the server carried it out; drawn until the stream has brought that revision.
  confirmed?: number;
}

// Changes that the page shows before the server has answered, oldest first.
export class PendingPatches {
  #byTask = new Map<number, Patch[]>();

  add(patch: Patch): void {
    const patches = this.#byTask.get(patch.task) ?? [];
    this.#byTask.set(patch.task, [...patches, patch]);
  }

  confirm(task: number, mutation: string, rev: number): void {
    for (const patch of this.#byTask.get(task) ?? []) if (patch.mutation === mutation) patch.confirmed = rev;
  }

  drop(task: number, mutation: string): void {
    this.#keep(task, (patch) => patch.mutation !== mutation);
  }

  // The stream has brought a revision, perhaps the echo of one of our own mutations.
  settle(task: number, rev: number, echo?: string): void {
    this.#keep(task, (patch) => patch.mutation !== echo && !(patch.confirmed !== undefined && patch.confirmed <= rev));
  }

  over(base: Card): Card {
    const patches = this.#byTask.get(base.id);
    return patches ? patches.reduce((card, patch) => ({ ...card, ...patch.set }), base) : base;
  }

  waits(task: number): boolean {
    return this.#byTask.get(task)?.some((patch) => patch.confirmed === undefined) ?? false;
  }

  // A snapshot shows what was carried out, so only unanswered patches outlive it.
  dropConfirmed(): void {
    for (const task of [...this.#byTask.keys()]) this.#keep(task, (patch) => patch.confirmed === undefined);
  }

  #keep(task: number, wanted: (patch: Patch) => boolean): void {
    const kept = this.#byTask.get(task)?.filter(wanted) ?? [];
    if (kept.length) this.#byTask.set(task, kept);
    else this.#byTask.delete(task);
  }
}
