export interface DrawWorld {
  isHidden(): boolean;
  nextFrame(action: () => void): void;
  after(ms: number, action: () => void): void;
  // Called right before each drawing.
  beforeDraw?(): void;
}

// More operations than this since the last drawing are drawn in larger steps.
const kBurst = 30;
const kBurstStep = 100;

// Times drawing: at most once per frame, less often in bursts, and not at all while nobody can see it.
export class DrawClock {
  readonly #world: DrawWorld;
  readonly #draw: () => void;
  #waiting = false;
  #isBurst = false;
  #ops = 0;

  constructor(world: DrawWorld, draw: () => void) {
    this.#world = world;
    this.#draw = draw;
  }

  // A burst changes too many cards for a person to follow their movement.
  get isBurst(): boolean {
    return this.#isBurst;
  }

  want(ops: number): void {
    this.#ops += ops;
    if (this.#waiting || this.#world.isHidden()) return;
    this.#waiting = true;
    if (this.#ops > kBurst) this.#world.after(kBurstStep, () => this.#drawWaiting());
    else this.#world.nextFrame(() => this.#drawWaiting());
  }

  // The person's own actions never wait for a burst, and a page that is shown again catches up at once.
  now(): void {
    this.#isBurst = this.#ops > kBurst;
    this.#ops = 0;
    this.#world.beforeDraw?.();
    this.#draw();
  }

  #drawWaiting(): void {
    this.#waiting = false;
    if (this.#ops) this.now();
  }
}
