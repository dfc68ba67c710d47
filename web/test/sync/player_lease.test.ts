import { describe, expect, test } from 'vitest';
import type { CueRequest } from '../../src/sound/cues.ts';
import { PlayerLease, type PageState } from '../../src/sync/player_lease.ts';

// Pages that share storage and a channel, and no hub.
class Storage {
  time = 0;
  entry: string | null = null;
  pages: Page[] = [];
}

class Page {
  played: string[] = [];
  readonly lease: PlayerLease;
  state: PageState;

  constructor(storage: Storage, id: string, state: PageState) {
    this.state = state;
    storage.pages.push(this);
    this.lease = new PlayerLease(id, {
      read: () => storage.entry,
      write: (entry) => (storage.entry = entry),
      post: (cues) => storage.pages.filter((page) => page !== this).forEach((page) => page.hear(page.lease.others(cues, page.state))),
      now: () => storage.time,
    });
    this.lease.shown(state);
  }

  hear(cues: readonly CueRequest[]): void {
    this.played.push(...cues.map(({ key }) => key));
  }

  ask(key: string): void {
    this.hear(this.lease.own([{ kind: 'done', key }], this.state));
  }
}

function pages() {
  const storage = new Storage();
  const hidden = new Page(storage, 'h', { ready: true, visible: false });
  const visible = new Page(storage, 'v', { ready: true, visible: true });
  const locked = new Page(storage, 'l', { ready: false, visible: true });
  return { storage, hidden, visible, locked, played: () => [hidden, visible, locked].map((page) => page.played.join('')) };
}

describe('PlayerLease', () => {
  test('lets the visible page play for all', () => {
    const { hidden, visible, locked, played } = pages();
    hidden.ask('a');
    visible.ask('b');
    locked.ask('c');
    expect(played()).toEqual(['', 'abc', '']);
  });

  test('passes on when its holder leaves', () => {
    const { hidden, visible, played } = pages();
    visible.lease.release();
    hidden.ask('a');
    expect(played()).toEqual(['a', '', '']);
  });

  test('passes on when its holder died ten seconds ago', () => {
    const { storage, hidden, played } = pages();
    storage.pages = [hidden];
    storage.time = 9999;
    hidden.ask('a');
    storage.time = 10_000;
    hidden.ask('b');
    expect(played()).toEqual(['b', '', '']);
  });

  test('is kept by a visible page that is silent', () => {
    const { storage, hidden, visible, played } = pages();
    for (storage.time = 0; storage.time < 60_000; storage.time += 4000) visible.lease.renew(visible.state);
    hidden.ask('a');
    expect(played()).toEqual(['', 'a', '']);
  });
});
