import { describe, expect, test } from 'vitest';
import { UndoList, type UndoEntry } from '../../src/app/undo_list.ts';

const entry = (text: string): UndoEntry => ({ text, task: 1, rev: 1, back: () => Promise.resolve() });

describe('UndoList', () => {
  test('takes back the newest first, each once', () => {
    const list = new UndoList();
    const [one, two] = [entry('one'), entry('two')];
    list.add(one);
    list.add(two);
    expect(list.last).toBe(two);
    expect(list.take(two)).toBe(true);
    expect(list.take(two)).toBe(false);
    expect(list.last).toBe(one);
  });

  test('forgets what cannot be taken back any more', () => {
    const list = new UndoList();
    list.add({ ...entry('mine'), task: 2 });
    list.add(entry('one'));
    list.forget(1);
    expect(list.last?.text).toBe('mine');
  });

  test('keeps the newest fifty', () => {
    const list = new UndoList();
    const all = Array.from({ length: 60 }, (_, at) => entry(String(at)));
    for (const one of all) list.add(one);
    expect(list.take(all[9]!)).toBe(false);
    expect(list.take(all[10]!)).toBe(true);
  });
});
