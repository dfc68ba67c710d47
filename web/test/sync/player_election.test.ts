import { describe, expect, test } from 'vitest';
import type { CueRequest } from '../../src/sound/cues.ts';
import { StreamHub } from '../../src/sync/stream_hub.ts';
import type { FromHub } from '../../src/sync/stream_messages.ts';

// A hub without a server, whose time passes when told.
class Browser {
  #timers: { at: number; action: () => void }[] = [];
  #time = 0;
  readonly hub = new StreamHub({
    open: () => () => undefined,
    now: () => this.#time,
    chance: () => 0.5,
    after: (ms, action) => {
      const timer = { at: this.#time + ms, action };
      this.#timers.push(timer);
      return () => (this.#timers = this.#timers.filter((other) => other !== timer));
    },
  });

  pass(ms: number): void {
    this.#time += ms;
    const due = this.#timers.filter(({ at }) => at <= this.#time);
    this.#timers = this.#timers.filter(({ at }) => at > this.#time);
    for (const { action } of due) action();
  }

  page(): Page {
    return new Page(this.hub);
  }
}

class Page {
  played: string[] = [];
  isAlive = true;
  readonly #hub: StreamHub;

  constructor(hub: StreamHub) {
    this.#hub = hub;
    hub.join(this);
  }

  send(message: FromHub): void {
    if (message.type !== 'cues' || !this.isAlive) return;
    this.played.push(...message.cues.map(({ key }) => key));
    this.#hub.hear(this, { type: 'played', sent: message.sent });
  }

  can(ready: boolean, visible: boolean): this {
    this.#hub.hear(this, { type: 'player', ready, visible });
    return this;
  }

  ask(...keys: string[]): void {
    this.#hub.hear(this, { type: 'cues', cues: keys.map((key): CueRequest => ({ kind: 'done', key })) });
  }

  leave(): void {
    this.#hub.hear(this, { type: 'leave' });
  }
}

describe('The page that plays', () => {
  test('is the visible one of three, for the cues of all', () => {
    const browser = new Browser();
    const pages = [browser.page().can(true, false), browser.page().can(true, true), browser.page().can(true, false)];
    pages.forEach((page, at) => page.ask(`${at}`));
    expect(pages.map(({ played }) => played)).toEqual([[], ['0', '1', '2'], []]);
  });

  test('was unlocked by a gesture, even when it is hidden', () => {
    const browser = new Browser();
    const [seen, unlocked] = [browser.page().can(false, true), browser.page().can(true, false)];
    seen.ask('a');
    expect([seen.played, unlocked.played]).toEqual([[], ['a']]);
  });

  test('stays the same while it is as good as the others', () => {
    const browser = new Browser();
    const [first, second] = [browser.page().can(true, true), browser.page().can(true, true)];
    second.ask('a');
    first.can(true, false);
    second.ask('b');
    first.can(true, true);
    second.ask('c');
    expect([first.played, second.played]).toEqual([['a'], ['b', 'c']]);
  });

  test('gets a change once that two pages ask for', () => {
    const browser = new Browser();
    const [first, second] = [browser.page().can(true, true), browser.page().can(true, false)];
    first.ask('a', 'b');
    second.ask('b', 'a', 'c');
    expect(first.played).toEqual(['a', 'b', 'c']);
  });

  test('hands over when it leaves', () => {
    const browser = new Browser();
    const [first, second, third] = [browser.page().can(true, true), browser.page().can(true, false), browser.page().can(false, true)];
    first.leave();
    third.ask('a');
    expect([first.played, second.played, third.played]).toEqual([[], ['a'], []]);
  });

  test('loses its part when it dies without leaving, and the next one plays what it did not', () => {
    const browser = new Browser();
    const [first, second, third] = [browser.page().can(true, false), browser.page().can(true, false), browser.page().can(true, true)];
    third.isAlive = false;
    first.ask('a');
    browser.pass(999);
    expect(second.played).toEqual([]);
    browser.pass(1);
    first.ask('b');
    expect([first.played, second.played, third.played]).toEqual([[], ['a', 'b'], []]);
  });

  test('comes back when it speaks again', () => {
    const browser = new Browser();
    const [first, frozen] = [browser.page().can(true, false), browser.page().can(true, true)];
    frozen.isAlive = false;
    first.ask('a');
    browser.pass(1000);
    frozen.isAlive = true;
    frozen.can(true, true);
    first.ask('b');
    expect([first.played, frozen.played]).toEqual([['a'], ['b']]);
  });

  test('does not exist where no page can play', () => {
    const browser = new Browser();
    const pages = [browser.page().can(false, true), browser.page()];
    pages[0]!.ask('a');
    browser.pass(10_000);
    expect(pages.map(({ played }) => played)).toEqual([[], []]);
  });
});
