export interface DrawWorld {
  isHidden(): boolean;
  nextFrame(action: () => void): void;
  after(ms: number, action: () => void): void;
  // Called right before each drawing.
  beforeDraw?(): void;
}

// ms between two drawings of what comes by the stream. Nobody can follow more, and each one takes time.
const kStep = 100;
const kBurstStep = 200;
// More cards than this that change their column between two drawings are a burst.
const kFollowed = 2;

// Times drawing: the first change in the next frame, those after it in steps, and nothing while nobody can see it.
export class DrawClock {
  readonly #world: DrawWorld;
  readonly #draw: () => void;
  #waiting = false;
  #resting = false;
  #isBurst = false;
  #ops = 0;
  #moves = 0;

  constructor(world: DrawWorld, draw: () => void) {
    this.#world = world;
    this.#draw = draw;
  }

  // A burst changes too many cards for a person to follow their movement.
  get isBurst(): boolean {
    return this.#isBurst;
  }

  // `moves` of the operations take a card to another column.
  want(ops: number, moves = 0): void {
    this.#ops += ops;
    this.#moves += moves;
    this.#plan();
  }

  // The person's own actions never wait, and a page that is shown again catches up at once.
  now(): void {
    this.#isBurst = this.#moves > kFollowed;
    this.#ops = 0;
    this.#moves = 0;
    this.#world.beforeDraw?.();
    this.#draw();
    if (this.#resting) return;
    this.#resting = true;
    this.#world.after(this.#isBurst ? kBurstStep : kStep, () => {
      this.#resting = false;
      this.#plan();
    });
  }

  #plan(): void {
    if (!this.#ops || this.#waiting || this.#resting || this.#world.isHidden()) return;
    this.#waiting = true;
    this.#world.nextFrame(() => {
      this.#waiting = false;
      if (this.#ops) this.now();
    });
  }
}
