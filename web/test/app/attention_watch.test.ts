import { describe, expect, test } from 'vitest';
import { AttentionWatch } from '../../src/app/attention_watch.ts';
import type { AttentionPage } from '../../src/model/attention_list.ts';
import type { Cell } from '../../src/model/cell.ts';

const plain = <T>(value: T): Cell<T> => ({ get: () => value, set: (next) => void (value = next) });
const settled = () => new Promise((done) => setTimeout(done));

function watched() {
  let now = 0;
  let timers: { at: number; run: () => void }[] = [];
  let page: AttentionPage | undefined = { items: [{ kind: 'review', id: 1, board: 'other' }], counts: { review: 1 } };
  const state = { asked: 0, idle: false };
  const watch = new AttentionWatch(plain, {
    ask: async () => (state.asked++, page),
    now: () => now,
    after: (ms, run) => timers.push({ at: now + ms, run }),
    isIdle: () => state.idle,
  });
  const pass = async (ms: number) => {
    now += ms;
    const due = timers.filter(({ at }) => at <= now);
    timers = timers.filter(({ at }) => at > now);
    for (const { run } of due) run();
    await settled();
  };
  return { watch, state, pass, fails: () => (page = undefined) };
}

describe('What waits on all boards', () => {
  test('is asked for once in 15 seconds while things change', async () => {
    const { watch, state, pass } = watched();
    watch.start();
    await settled();
    watch.changed();
    watch.changed();
    await pass(14_999);
    expect(state.asked).toBe(1);
    await pass(1);
    expect(state.asked).toBe(2);
  });

  test('is asked for each minute, for boards that no page shows', async () => {
    const { watch, state, pass } = watched();
    watch.start();
    await settled();
    await pass(60_000);
    await pass(0);
    expect(state.asked).toBe(2);
  });

  test('is not asked for by a page that nobody sees, until it is shown', async () => {
    const { watch, state, pass } = watched();
    watch.start();
    await settled();
    state.idle = true;
    watch.changed();
    await pass(15_000);
    expect(state.asked).toBe(1);
    watch.shown();
    await settled();
    expect(state.asked).toBe(2);
  });

  test('stays as it was when the server does not answer', async () => {
    const { watch, fails } = watched();
    await watch.look();
    fails();
    await watch.look();
    expect(watch.page.get()?.items).toHaveLength(1);
  });

  test('loses what the person has dealt with', async () => {
    const { watch } = watched();
    await watch.look();
    watch.settle({ kind: 'review', id: 1, board: 'other' });
    expect(watch.page.get()).toMatchObject({ items: [], counts: { review: 0 } });
  });
});
