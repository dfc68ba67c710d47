import { kCues, type CueKind, type CueRequest } from './cues.ts';

// Decides which of the requested cues sound, and when:
// - A person's own act sounds at once.
// - Otherwise the first cue of a kind sounds at once. A second one within a second waits for the end of that second.
//   With a third one the first stands for all of them.
// - Cues start at least a quarter of a second apart. The order of `kCues` decides which of the waiting ones is next,
//   and a cue that waited too long is dropped.
// - Of what happened without a connection, a kind sounds once.
// - Each completion within ten minutes of others is softer, down to a floor. Other kinds keep their level.
// At most one cue of each kind waits, so nothing grows in a burst.

export interface PlannedCue {
  kind: CueKind;
  // Of its usual loudness, from 0 to 1.
  level: number;
}

export interface Plan {
  play: readonly PlannedCue[];
  // When `step` has something to do again, if at all.
  next: number | undefined;
}

const kTogether = 1000;
const kApart = 250;
const kMostPerSecond = 4;
const kLongestWait = 3000;
const kLateFor = 5000;
const kRepeatsFor = 600_000;
const kSofter = 0.9;
const kSoftest = 0.4;

interface KindState {
  // When the cue that stands for the others sounded, and how many came within a second after it.
  standsFrom: number;
  followers: number;
  waitsSince: number | undefined;
  lateAt: number;
}

export class CuePolicy {
  readonly #kinds = new Map<CueKind, KindState>(
    kCues.map(({ kind }) => [kind, { standsFrom: -Infinity, followers: 0, waitsSince: undefined, lateAt: -Infinity }]),
  );
  // Start times of the last second.
  #recent: number[] = [];
  #completions: number[] = [];

  // Takes requests that the choices of the person allow.
  take(requests: readonly CueRequest[], now: number): Plan {
    this.#settle(now);
    const play: PlannedCue[] = [];
    for (const request of requests) {
      if (request.own && this.#hasRoom(now)) play.push(this.#start(request.kind, now));
      else this.#consider(request, now);
    }
    play.push(...this.#nextDue(now));
    return { play, next: this.#nextTime() };
  }

  step(now: number): Plan {
    this.#settle(now);
    return { play: this.#nextDue(now), next: this.#nextTime() };
  }

  #consider({ kind, late }: CueRequest, now: number): void {
    const state = this.#kinds.get(kind)!;
    if (late && now - state.lateAt < kLateFor) return;
    if (late) state.lateAt = now;
    if (state.waitsSince !== undefined) return;
    if (now - state.standsFrom < kTogether) state.followers += 1;
    else state.waitsSince = now;
  }

  // Ends the seconds that are over: a single follower gets its own cue. Drops what waited too long.
  #settle(now: number): void {
    for (const state of this.#kinds.values()) {
      if (state.followers && now - state.standsFrom >= kTogether) {
        if (state.followers === 1 && state.waitsSince === undefined) state.waitsSince = state.standsFrom + kTogether;
        state.followers = 0;
      }
      if (state.waitsSince !== undefined && now - state.waitsSince > kLongestWait) state.waitsSince = undefined;
    }
    this.#recent = this.#recent.filter((time) => now - time < 1000);
    this.#completions = this.#completions.filter((time) => now - time < kRepeatsFor);
  }

  #nextDue(now: number): PlannedCue[] {
    const last = this.#recent.at(-1) ?? -Infinity;
    if (now - last < kApart || !this.#hasRoom(now)) return [];
    for (const { kind } of kCues) if (this.#kinds.get(kind)!.waitsSince !== undefined) return [this.#start(kind, now)];
    return [];
  }

  #hasRoom(now: number): boolean {
    return this.#recent.filter((time) => now - time < 1000).length < kMostPerSecond;
  }

  #start(kind: CueKind, now: number): PlannedCue {
    const state = this.#kinds.get(kind)!;
    state.standsFrom = now;
    state.followers = 0;
    state.waitsSince = undefined;
    this.#recent.push(now);
    if (kind !== 'done') return { kind, level: 1 };
    const level = Math.max(kSoftest, kSofter ** this.#completions.length);
    this.#completions.push(now);
    return { kind, level };
  }

  #nextTime(): number | undefined {
    const states = [...this.#kinds.values()];
    const times = states.flatMap((state) => (state.followers ? [state.standsFrom + kTogether] : []));
    if (states.some((state) => state.waitsSince !== undefined)) times.push(this.#nextRoom());
    return times.length ? Math.min(...times) : undefined;
  }

  #nextRoom(): number {
    const apart = (this.#recent.at(-1) ?? -Infinity) + kApart;
    return this.#recent.length < kMostPerSecond ? apart : Math.max(apart, this.#recent.at(-kMostPerSecond)! + 1000);
  }
}
