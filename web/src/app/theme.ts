import type { Cell, CellMaker } from '../model/cell.ts';
import { remember, remembered } from './remembered.ts';

export type Theme = 'dark' | 'light';

// The choice of the person, else of the system; boot.js has set it before the first paint.
export class ThemeChoice {
  readonly now: Cell<Theme>;

  constructor(make: CellMaker) {
    this.now = make<Theme>(document.documentElement.dataset.theme === 'light' ? 'light' : 'dark');
    paintFrame();
    const light = window.matchMedia('(prefers-color-scheme: light)');
    light.addEventListener('change', () => {
      if (remembered('theme') === null) this.#show(light.matches ? 'light' : 'dark');
    });
    // Chosen in another tab.
    addEventListener('storage', (event) => {
      if (event.key === 'andon.theme' && (event.newValue === 'light' || event.newValue === 'dark')) this.#show(event.newValue);
    });
  }

  toggle(): void {
    const next: Theme = this.now.get() === 'dark' ? 'light' : 'dark';
    this.#show(next);
    remember('theme', next);
  }

  #show(theme: Theme): void {
    this.now.set(theme);
    document.documentElement.dataset.theme = theme;
    paintFrame();
  }
}

// What the browser draws around the page takes the colour of the top bar, also where the theme is not that of the system.
function paintFrame(): void {
  const colour = getComputedStyle(document.documentElement).getPropertyValue('--bar').trim();
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) meta.content = colour;
}
