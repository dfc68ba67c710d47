import { landingWords } from '../format/work_words.ts';
import type { Run } from '../model/wire.ts';
import type { Toast } from './toasts.ts';

export interface LandingWorld {
  runs(task: number): Promise<readonly Run[]>;
  // Whether the task is open, where it tells of its landing itself.
  isOpen(task: number): boolean;
  show(text: string, tone: Toast['tone'], task: number): void;
  // Its work was landed or came back: accepting it cannot be taken back any more.
  decided(task: number): void;
}

// Tells what became of the work that this page accepted, when the person has moved on.
export class LandingWatch {
  readonly #world: LandingWorld;
  readonly #accepted = new Map<number, string>();

  constructor(world: LandingWorld) {
    this.#world = world;
  }

  follow(task: number): void {
    this.#accepted.set(task, '');
    // It may have been landed before the answer came.
    void this.#look(task);
  }

  async changed(tasks: readonly number[]): Promise<void> {
    for (const task of tasks) if (this.#accepted.has(task)) await this.#look(task);
  }

  async #look(task: number): Promise<void> {
    const runs = await this.#world.runs(task).catch(() => undefined);
    const landing = runs?.findLast((run) => run.landing)?.landing;
    if (!landing || !this.#accepted.has(task)) return;
    const { text, tone } = landingWords(landing);
    const isTold = this.#accepted.get(task) === text;
    if (landing.state === 'waiting') {
      this.#accepted.set(task, text);
    } else {
      this.#accepted.delete(task);
      this.#world.decided(task);
    }
    const isNews = landing.state !== 'waiting' || !!landing.reason;
    if (isNews && !isTold && !this.#world.isOpen(task)) this.#world.show(text, tone === 'danger' ? 'danger' : 'plain', task);
  }
}
