// A row that has just appeared or moved under the pointer takes no click: the person meant the row that was there before.

export interface Place {
  left: number;
  top: number;
}

// Times are in ms.
const kSettled = 400;
const kTolerance = 6; // px
const kSameSpot = 12; // px

interface Snapshot {
  at: number;
  places: Map<object, Place>;
  pointer: Place | undefined;
}

// Remembers where rows were before each drawing of the last moment.
export class ClickGuard {
  #past: Snapshot[] = [];
  #scrolled = -Infinity;

  // Called right before the page draws a change, with the places of the rows and of the mouse.
  beforeDraw(now: number, places: Map<object, Place>, pointer?: Place): void {
    this.#past = [...this.#past.filter(({ at }) => now - at < kSettled), { at: now, places, pointer }];
  }

  // The person moves the rows; where they were says nothing any more.
  scrolled(now: number): void {
    this.#scrolled = now;
    this.#past = [];
  }

  get kept(): number {
    return this.#past.length;
  }

  // Whether a click on a row that is now at `place` is meant for it. `mouse` is where the mouse clicked; one that came
  // from elsewhere since the row moved has chosen the row where it is. A finger shows nothing before it comes down.
  allows(now: number, row: object, place: Place, mouse?: Place): boolean {
    if (now - this.#scrolled < kSettled) return true;
    const rested = (before: Place | undefined) => !mouse || isAt(before, mouse, kSameSpot);
    return this.#past.every(({ at, places, pointer }) => now - at >= kSettled || isAt(places.get(row), place) || !rested(pointer));
  }
}

function isAt(before: Place | undefined, now: Place, tolerance = kTolerance): boolean {
  return !!before && Math.abs(before.left - now.left) <= tolerance && Math.abs(before.top - now.top) <= tolerance;
}
