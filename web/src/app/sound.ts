import type { Happening } from '../model/board_model.ts';
import type { Cell, CellMaker } from '../model/cell.ts';
import type { Stage, StoppedLine } from '../model/wire.ts';
import type { CueKind, CueRequest } from '../sound/cues.ts';
import { readChoice, type SoundChoice } from '../sound/sound_choice.ts';
import type { SoundEngine } from '../sound/sound_engine.ts';
import type { TellHub } from '../sync/connect_stream.ts';
import { remember, remembered } from './remembered.ts';

// Waiting: sound is on, and the browser allows it after the next click or key.
export type SoundState = 'off' | 'waiting' | 'on';

const kGestures = ['pointerdown', 'pointerup', 'keydown'] as const;

// The sounds of this page: what the person chose, and whether the page can play.
export class Sound {
  readonly choice: Cell<SoundChoice>;
  readonly state: Cell<SoundState>;
  readonly #tell: TellHub;
  #loading: Promise<SoundEngine | undefined> | undefined;
  #engine: SoundEngine | undefined;

  constructor(make: CellMaker, tell: TellHub) {
    this.choice = make(readChoice(remembered('sound')));
    this.state = make<SoundState>('off');
    this.#tell = tell;
    // Chosen in another tab.
    addEventListener('storage', (event) => event.key === 'andon.sound' && this.#adopt(readChoice(event.newValue)));
    document.addEventListener('visibilitychange', () => this.report());
    for (const gesture of kGestures) addEventListener(gesture, () => void this.#unlock(), { capture: true, passive: true });
    this.#adopt(this.choice.get());
  }

  change(part: Partial<SoundChoice>): void {
    const choice = { ...this.choice.get(), ...part };
    remember('sound', JSON.stringify(choice));
    this.#adopt(choice);
  }

  async preview(kind: CueKind): Promise<void> {
    const engine = await this.#load();
    if (await engine?.preview(kind)) this.#opened();
  }

  happened(happenings: readonly Happening[]): void {
    if (this.#isOn && this.#engine) this.#request(this.#engine.requestsOf(happenings));
  }

  moved(task: number, stage: Stage, mutation: string): void {
    const request = this.#isOn && this.#engine?.requestOfMove(task, stage, mutation);
    if (request) this.#request([request]);
  }

  lineStopped(line: StoppedLine): void {
    if (this.#isOn && this.#engine) this.#request([this.#engine.requestOfStop(line)]);
  }

  // This page is the one that plays.
  hear(cues: readonly CueRequest[], sent: number): void {
    this.#tell({ type: 'played', sent });
    this.#engine?.hear(cues);
  }

  // The hub forgets a page that left or did not answer in time.
  report(): void {
    this.#tell({ type: 'player', ready: this.state.get() === 'on', visible: !document.hidden });
  }

  get #isOn(): boolean {
    return this.choice.get().mode !== 'off';
  }

  #request(cues: readonly CueRequest[]): void {
    if (cues.length) this.#tell({ type: 'cues', cues });
  }

  #adopt(choice: SoundChoice): void {
    this.choice.set(choice);
    this.#engine?.setVolume(choice.volume);
    if (!this.#isOn) this.#enter('off');
    else if (this.state.get() === 'off') void this.#turnOn();
  }

  async #turnOn(): Promise<void> {
    this.#enter('waiting');
    await this.#load();
    await this.#unlock();
  }

  // Without a gesture the browser would refuse, and complain in its console.
  async #unlock(): Promise<void> {
    if (this.state.get() !== 'waiting' || !this.#engine || navigator.userActivation?.hasBeenActive === false) return;
    if (await this.#engine.unlock()) this.#opened();
  }

  #opened(): void {
    if (this.#isOn) this.#enter('on');
  }

  #enter(state: SoundState): void {
    if (this.state.get() === state) return;
    this.state.set(state);
    this.report();
  }

  // A page that is older than the server may miss this part; it then stays silent until it is loaded again.
  #load(): Promise<SoundEngine | undefined> {
    this.#loading ??= import('../sound/sound_engine.ts').then(
      ({ SoundEngine }) => (this.#engine = new SoundEngine(() => this.choice.get())),
      () => void (this.#loading = undefined),
    );
    return this.#loading;
  }
}
