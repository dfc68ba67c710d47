import { describe, expect, test } from 'vitest';
import { Notices, type Notice } from '../../src/app/notices.ts';
import type { AttentionEntry } from '../../src/model/attention_list.ts';

const entry = (id: number, over: Partial<AttentionEntry> = {}): AttentionEntry => ({ kind: 'question', board: 'shop', id, title: `Task ${id}`, text: 'Which?', since: 'a', ...over });

function watched() {
  let now = 0;
  let timers: { at: number; run: () => void }[] = [];
  const shown: Notice[] = [];
  const notices = new Notices({ now: () => now, after: (ms, run) => timers.push({ at: now + ms, run }), show: (notice) => shown.push(notice) });
  const pass = (ms: number) => {
    now += ms;
    const due = timers.filter(({ at }) => at <= now);
    timers = timers.filter(({ at }) => at > now);
    for (const { run } of due) run();
  };
  return { notices, shown, pass };
}

describe('Notifications', () => {
  test('tell of what comes, and not of what was there', () => {
    const { notices, shown, pass } = watched();
    notices.see([entry(1)], true);
    notices.see([entry(1), entry(2)], true);
    pass(0);
    expect(shown).toEqual([{ title: '#2 Task 2', body: 'Question: Which?', tag: 'andon question 2', entry: entry(2) }]);
  });

  test('tell of a kind once in ten seconds, and of what came meanwhile together', () => {
    const { notices, shown, pass } = watched();
    notices.see([], true);
    notices.see([entry(1)], true);
    pass(0);
    notices.see([entry(1), entry(2)], true);
    pass(5000);
    notices.see([entry(1), entry(2), entry(3), entry(4, { kind: 'failed' })], true);
    pass(0);
    expect(shown.map(({ tag }) => tag)).toEqual(['andon question 1', 'andon failed 4']);
    pass(5000);
    expect(shown.at(-1)).toMatchObject({ title: '2 questions', body: '#2 Task 2\n#3 Task 3', tag: 'andon question' });
    expect(shown.at(-1)?.entry).toBeUndefined();
  });

  test('do not tell of what the person did', () => {
    const { notices, shown, pass } = watched();
    notices.see([], true);
    notices.did(1);
    notices.see([entry(1)], true);
    pass(0);
    expect(shown).toEqual([]);
  });

  test('that were off when something came do not tell of it later', () => {
    const { notices, shown, pass } = watched();
    notices.see([], false);
    notices.see([entry(1)], false);
    notices.see([entry(1)], true);
    pass(0);
    expect(shown).toEqual([]);
  });

  test('do not tell of what was missing for a while', () => {
    const { notices, shown, pass } = watched();
    notices.see([entry(1)], true);
    notices.see([], true);
    notices.see([entry(1)], true);
    pass(0);
    expect(shown).toEqual([]);
  });

  test('tell again of a task that asks again', () => {
    const { notices, shown, pass } = watched();
    notices.see([entry(1)], true);
    notices.see([entry(1, { since: 'b' })], true);
    pass(0);
    expect(shown).toHaveLength(1);
  });
});
