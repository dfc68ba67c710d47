import { describe, expect, test } from 'vitest';
import { CuePolicy, type Plan } from '../../src/sound/cue_policy.ts';
import { kCues, type CueKind, type CueRequest } from '../../src/sound/cues.ts';

// A clock that goes where it is told and calls the policy back when it asked for it.
class Listener {
  now = 0;
  heard: { at: number; kind: CueKind; level: number }[] = [];
  readonly #policy = new CuePolicy();
  #next: number | undefined;

  take(...requests: CueRequest[]): this {
    this.#follow(this.#policy.take(requests, this.now));
    return this;
  }

  until(time: number): this {
    while (this.#next !== undefined && this.#next <= time) {
      this.now = this.#next;
      this.#follow(this.#policy.step(this.now));
    }
    this.now = time;
    return this;
  }

  get kinds() {
    return this.heard.map(({ kind }) => kind);
  }

  get times() {
    return this.heard.map(({ at }) => at);
  }

  #follow({ play, next }: Plan): void {
    for (const cue of play) this.heard.push({ at: this.now, ...cue });
    if (next !== undefined && next <= this.now) throw new Error('The policy asks for a time that is over.');
    this.#next = next;
  }
}

let keys = 0;
const a = (kind: CueKind, over: Partial<CueRequest> = {}): CueRequest => ({ kind, key: String((keys += 1)), ...over });
const mostInOneSecond = (times: number[]) => Math.max(...times.map((from) => times.filter((time) => time >= from && time - from < 1000).length));

describe('CuePolicy', () => {
  test('plays a single cue at once', () => {
    expect(new Listener().take(a('todo')).heard).toEqual([{ at: 0, kind: 'todo', level: 1 }]);
  });

  test('plays two of one kind, the second at the end of the second', () => {
    expect(new Listener().take(a('todo')).until(300).take(a('todo')).until(5000).times).toEqual([0, 1000]);
  });

  test('plays three of one kind within a second as one', () => {
    expect(new Listener().take(a('todo'), a('todo'), a('todo')).until(5000).times).toEqual([0]);
    expect(new Listener().take(a('todo')).until(300).take(a('todo')).until(600).take(a('todo')).until(5000).times).toEqual([0]);
  });

  test('plays first what a person must know', () => {
    const all = new Listener().take(...[...kCues].reverse().map(({ kind }) => a(kind))).until(10_000);
    expect(all.kinds).toEqual(['question', 'failed', 'stopped', 'blocked', 'done', 'in_progress', 'todo', 'backlog']);
    expect(all.times).toEqual([0, 250, 500, 750, 1000, 1250, 1500, 1750]);
  });

  test('plays each of a person\'s own acts at once, at most four in a second', () => {
    const own = new Listener();
    for (const time of [0, 100, 200, 300, 400]) own.until(time).take(a('todo', { own: true }));
    expect(own.times).toEqual([0, 100, 200, 300]);
  });

  test('plays one of each kind of what happened without a connection', () => {
    const late = new Listener();
    for (const time of [0, 400, 1500, 2900]) late.until(time).take(a('done', { late: true }), a('question', { late: true }));
    expect(late.until(10_000).kinds).toEqual(['question', 'done']);
  });

  test('makes repeated completions softer and never silent', () => {
    const busy = new Listener();
    for (let count = 0; count < 30; count += 1) busy.until(count * 20_000).take(a('done'));
    const levels = busy.heard.map(({ level }) => level);
    expect(levels[0]).toBe(1);
    expect(levels[1]).toBeCloseTo(0.9);
    expect(levels.every((level, at) => at === 0 || level <= levels[at - 1]!)).toBe(true);
    expect(levels[9]).toBeCloseTo(0.4);
    expect(levels[29]).toBe(0.4);
    expect(busy.until(busy.now + 600_001).take(a('done')).heard.at(-1)?.level).toBe(1);
  });

  test('keeps to four a second through 10,000 happenings and then is silent', () => {
    const burst = new Listener();
    for (let count = 0; count < 10_000; count += 1) {
      burst.until(count).take(a(kCues[(count * 7) % kCues.length]!.kind, { own: count % 50 === 0, late: count % 3 === 0 }));
    }
    burst.until(30_000);
    expect(burst.heard.length).toBeGreaterThan(20);
    expect(mostInOneSecond(burst.times)).toBeLessThanOrEqual(4);
    expect(burst.times.at(-1)).toBeLessThan(13_500);
  });

  test('takes 10,000 happenings of one moment as one of each kind', () => {
    const burst = new Listener().take(...Array.from({ length: 10_000 }, (_, count) => a(kCues[count % kCues.length]!.kind))).until(60_000);
    expect(burst.kinds.toSorted()).toEqual(kCues.map(({ kind }) => kind).toSorted());
    expect(mostInOneSecond(burst.times)).toBeLessThanOrEqual(4);
  });
});
