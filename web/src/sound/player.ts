import { cueOf, type CueKind } from './cues.ts';
import { makeChain, startCue, type SoundChain } from './synthesis.ts';

// An idle context keeps a thread of the browser awake.
const kIdle = 30_000;

// Owns the audio of one page. Browsers let it start only after a gesture, and complain about earlier tries.
export class Player {
  #context: AudioContext | undefined;
  #chain: SoundChain | undefined;
  #volume = 0.5;
  #resting: ReturnType<typeof setTimeout> | undefined;

  setVolume(volume: number): void {
    this.#volume = volume;
    if (this.#chain && this.#context) this.#chain.master.gain.setTargetAtTime(volume, this.#context.currentTime, 0.01);
  }

  // Called in a gesture, or when there was one; true when sounds can be heard from now on.
  async unlock(): Promise<boolean> {
    if (!this.#context) {
      this.#context = new AudioContext({ latencyHint: 'interactive' });
      this.#chain = makeChain(this.#context, this.#volume);
    }
    return this.#wake(this.#context);
  }

  async play(kind: CueKind, level: number): Promise<void> {
    const context = this.#context;
    if (!context || !this.#chain || !(await this.#wake(context))) return;
    startCue(this.#chain, cueOf(kind), context.currentTime + 0.01, level);
  }

  async #wake(context: AudioContext): Promise<boolean> {
    clearTimeout(this.#resting);
    this.#resting = setTimeout(() => void context.suspend(), kIdle);
    if (context.state !== 'running') await context.resume().catch(() => undefined);
    return context.state === 'running';
  }
}
