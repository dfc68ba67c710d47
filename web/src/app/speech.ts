import type { Cell, CellMaker } from '../model/cell.ts';

// Texts of the two live regions. A sentence said twice gets a trailing space, or it would not be heard again.
export class Speech {
  readonly polite: Cell<string>;
  readonly assertive: Cell<string>;

  constructor(make: CellMaker) {
    this.polite = make('');
    this.assertive = make('');
  }

  say(text: string): void {
    speak(this.polite, text);
  }

  interrupt(text: string): void {
    speak(this.assertive, text);
  }
}

function speak(region: Cell<string>, text: string): void {
  region.set(region.get() === text ? `${text} ` : text);
}
