import type { Cell, CellMaker } from '../model/cell.ts';

export interface Toast {
  id: number;
  text: string;
  tone: 'plain' | 'danger';
  action?: { label: string; run: () => void };
  // Of one kind only the newest stays.
  kind?: string;
}

const kMost = 4;

export class Toasts {
  readonly shown: Cell<readonly Toast[]>;
  #next = 1;

  constructor(make: CellMaker) {
    this.shown = make<readonly Toast[]>([]);
  }

  show(text: string, tone: Toast['tone'] = 'plain', action?: Toast['action'], kind?: string): void {
    const others = this.shown.get().filter((toast) => toast.text !== text && (!kind || toast.kind !== kind));
    this.shown.set([...others, { id: this.#next++, text, tone, action, kind }].slice(-kMost));
  }

  dismissKind(kind: string): void {
    this.shown.set(this.shown.get().filter((toast) => toast.kind !== kind));
  }

  dismiss(id: number): void {
    this.shown.set(this.shown.get().filter((toast) => toast.id !== id));
  }
}
