import type { CueRequest } from '../sound/cues.ts';
import { newMutationId } from './mutation_id.ts';
import type { ToHub } from './stream_messages.ts';

// Without a SharedWorker no hub sees all pages. The right to play is then an entry in local storage that expires, and a
// page without it sends its cues to the others by a channel. Web Locks do not exist on plain-HTTP addresses.

export interface LeaseWorld {
  read(): string | null;
  write(entry: string): void;
  post(cues: readonly CueRequest[]): void;
  now(): number;
}

export interface PageState {
  ready: boolean;
  visible: boolean;
}

const kHeldFor = 10_000;
const kRenewEvery = 4000;
const kEntry = 'andon.player';

export class PlayerLease {
  readonly #world: LeaseWorld;
  readonly #id: string;

  constructor(id: string, world: LeaseWorld) {
    this.#id = id;
    this.#world = world;
  }

  // Takes the cues of this page and returns those that it plays itself.
  own(cues: readonly CueRequest[], state: PageState): readonly CueRequest[] {
    if (this.#take(state)) return cues;
    this.#world.post(cues);
    return [];
  }

  // Takes the cues that another page sent and returns those that this page plays.
  others(cues: readonly CueRequest[], state: PageState): readonly CueRequest[] {
    return state.ready && this.#holder() === this.#id ? cues : [];
  }

  // A page that a person looks at takes the right from a hidden one.
  shown(state: PageState): void {
    if (state.ready && state.visible) this.#hold();
  }

  // A hidden page keeps its right only as long as nobody else wants it.
  renew(state: PageState): void {
    if (state.visible) this.#take(state);
  }

  release(): void {
    if (this.#holder() === this.#id) this.#world.write('');
  }

  #take({ ready }: PageState): boolean {
    const holder = this.#holder();
    if (!ready || (holder !== undefined && holder !== this.#id)) return false;
    this.#hold();
    return true;
  }

  #hold(): void {
    this.#world.write(`${this.#world.now() + kHeldFor} ${this.#id}`);
  }

  #holder(): string | undefined {
    const [until, id] = (this.#world.read() ?? '').split(' ');
    return id && Number(until) > this.#world.now() ? id : undefined;
  }
}

// Returns what of a message of this page goes on to its own hub, where `play` puts the cues of others.
export function leaseBetweenPages(play: (cues: readonly CueRequest[]) => void): (message: ToHub) => ToHub | undefined {
  const channel = new BroadcastChannel('andon.cues');
  const post = (cues: readonly CueRequest[]) => channel.postMessage(cues);
  const lease = new PlayerLease(newMutationId(), { ...storedEntry(), post, now: () => Date.now() });
  let state: PageState = { ready: false, visible: false };
  channel.onmessage = (event: MessageEvent<readonly CueRequest[]>) => {
    const cues = lease.others(event.data, state);
    if (cues.length) play(cues);
  };
  addEventListener('pagehide', () => lease.release());
  setInterval(() => lease.renew(state), kRenewEvery);
  return (message) => {
    if (message.type === 'player') {
      const isNew = message.ready !== state.ready || message.visible !== state.visible;
      state = message;
      if (isNew) lease.shown(state);
      if (!state.ready) lease.release();
    }
    if (message.type !== 'cues') return message;
    const cues = lease.own(message.cues, state);
    return cues.length ? { type: 'cues', cues } : undefined;
  };
}

// Storage may be switched off. Each page then plays for itself.
export function storedEntry(name = kEntry): Pick<LeaseWorld, 'read' | 'write'> {
  const attempt = <T>(action: () => T): T | null => {
    try {
      return action();
    } catch {
      return null;
    }
  };
  return {
    read: () => attempt(() => localStorage.getItem(name)),
    write: (entry) => void attempt(() => localStorage.setItem(name, entry)),
  };
}
