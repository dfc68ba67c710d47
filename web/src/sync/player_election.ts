import type { CueRequest } from '../sound/cues.ts';
import type { FromHub } from './stream_messages.ts';

export interface PlayerPort {
  send(message: FromHub): void;
}

interface Candidate {
  port: PlayerPort;
  // Its sound is on and a gesture has unlocked it.
  ready: boolean;
  visible: boolean;
}

type After = (ms: number, action: () => void) => () => void;

// A page that does not confirm its cues within this time is gone or frozen.
const kPatience = 1000;
const kMostKeys = 4000;
const kMostUnconfirmed = 200;

// Chooses the one page that plays, and hands it the cues of all pages, each change once.
// States of a page: reported and not ready → ready → the player. A player that leaves, is not ready any more or does not
// confirm is replaced by another ready page, which also gets what was not confirmed.
export class PlayerElection {
  readonly #after: After;
  readonly #candidates = new Map<PlayerPort, Candidate>();
  readonly #keys = new Set<string>();
  #player: Candidate | undefined;
  #unconfirmed: CueRequest[] = [];
  #sent = 0;
  #stopWaiting: (() => void) | undefined;

  constructor(after: After) {
    this.#after = after;
  }

  report(port: PlayerPort, state: { ready: boolean; visible: boolean }): void {
    // The newest report is the last of the map, and the last one is preferred.
    this.#candidates.delete(port);
    this.#candidates.set(port, { port, ...state });
    if (this.#player?.port === port) this.#player = this.#candidates.get(port);
    this.#elect();
  }

  leave(port: PlayerPort): void {
    this.#candidates.delete(port);
    this.#elect();
  }

  take(cues: readonly CueRequest[]): void {
    const fresh = cues.filter(({ key }) => this.#remember(key));
    if (fresh.length && this.#player) this.#send(fresh);
  }

  confirm(port: PlayerPort, sent: number): void {
    if (port !== this.#player?.port || sent !== this.#sent) return;
    this.#unconfirmed = [];
    this.#stopWaiting?.();
    this.#stopWaiting = undefined;
  }

  #send(cues: readonly CueRequest[]): void {
    this.#unconfirmed = [...this.#unconfirmed, ...cues].slice(-kMostUnconfirmed);
    this.#sent += 1;
    this.#player!.port.send({ type: 'cues', cues, sent: this.#sent });
    this.#stopWaiting ??= this.#after(kPatience, () => this.#giveUp());
  }

  #giveUp(): void {
    this.#stopWaiting = undefined;
    if (this.#player) this.leave(this.#player.port);
  }

  // A visible page is better than a hidden one. A player is replaced only by a better page.
  #elect(): void {
    const ready = [...this.#candidates.values()].filter((one) => one.ready);
    const best = ready.findLast((one) => one.visible) ?? ready.at(-1);
    const before = this.#player;
    const stays = before && ready.includes(before) && (before.visible || !best?.visible);
    this.#player = stays ? before : best;
    if (this.#player !== before) this.#handOver();
  }

  #handOver(): void {
    const cues = this.#unconfirmed;
    this.#unconfirmed = [];
    this.#stopWaiting?.();
    this.#stopWaiting = undefined;
    if (cues.length && this.#player) this.#send(cues);
  }

  #remember(key: string): boolean {
    if (this.#keys.has(key)) return false;
    this.#keys.add(key);
    if (this.#keys.size > kMostKeys) this.#keys.delete(this.#keys.values().next().value!);
    return true;
  }
}
