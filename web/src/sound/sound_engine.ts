import type { Happening } from '../model/board_model.ts';
import type { Stage, StoppedLine } from '../model/wire.ts';
import { CuePolicy, type Plan } from './cue_policy.ts';
import { cueOfStage, keyOf, requestsOf } from './cue_reading.ts';
import type { CueKind, CueRequest } from './cues.ts';
import { Player } from './player.ts';
import { allows, minuteOf, type SoundChoice } from './sound_choice.ts';

// What makes sound in a page. It is loaded only when sound is on.
export class SoundEngine {
  readonly #policy = new CuePolicy();
  readonly #player = new Player();
  readonly #choice: () => SoundChoice;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(choice: () => SoundChoice) {
    this.#choice = choice;
    this.#player.setVolume(choice().volume);
  }

  requestsOf = (happenings: readonly Happening[]): CueRequest[] => requestsOf(happenings);

  // A card that a person of this page just dropped somewhere.
  requestOfMove(task: number, stage: Stage, mutation: string): CueRequest | undefined {
    const kind = cueOfStage(stage);
    return kind && { kind, key: keyOf(task, mutation), own: true };
  }

  requestOfStop = (line: StoppedLine): CueRequest => ({ kind: 'stopped', key: `line:${line.since}`, needsPerson: true });

  setVolume(volume: number): void {
    this.#player.setVolume(volume);
  }

  unlock = (): Promise<boolean> => this.#player.unlock();

  hear(requests: readonly CueRequest[]): void {
    const minute = minuteOf(new Date());
    const allowed = requests.filter((request) => allows(this.#choice(), request, minute));
    if (allowed.length) this.#follow(this.#policy.take(allowed, performance.now()));
  }

  // Plays at once, whatever was chosen.
  async preview(kind: CueKind): Promise<boolean> {
    if (!(await this.#player.unlock())) return false;
    await this.#player.play(kind, 1);
    return true;
  }

  #follow({ play, next }: Plan): void {
    for (const { kind, level } of play) void this.#player.play(kind, level);
    clearTimeout(this.#timer);
    if (next !== undefined) this.#timer = setTimeout(() => this.#follow(this.#policy.step(performance.now())), Math.max(0, next - performance.now()));
  }
}
