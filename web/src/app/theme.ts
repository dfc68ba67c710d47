import type { Cell, CellMaker } from '../model/cell.ts';
import { remember } from './remembered.ts';

export type Theme = 'dark' | 'light';

// The choice of the person, else of the system; theme_boot.js has set it before the first paint.
export class ThemeChoice {
  readonly now: Cell<Theme>;

  constructor(make: CellMaker) {
    this.now = make<Theme>(document.documentElement.dataset.theme === 'light' ? 'light' : 'dark');
  }

  toggle(): void {
    const next: Theme = this.now.get() === 'dark' ? 'light' : 'dark';
    this.now.set(next);
    document.documentElement.dataset.theme = next;
    remember('theme', next);
  }
}
