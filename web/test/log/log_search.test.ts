import { describe, expect, test } from 'vitest';
import { LogSearch } from '../../src/log/log_search.ts';

class Lines {
  dropped = 0;
  readonly #all: string[];

  constructor(...all: string[] | [string[]]) {
    this.#all = all.flat();
  }

  get total() {
    return this.#all.length;
  }

  textOf = (number: number) => this.#all[number]!;
  add = (text: string) => this.#all.push(text);
}

function searched(lines: Lines, words: string): LogSearch {
  const search = new LogSearch(lines);
  search.begin(words);
  search.step(() => false);
  return search;
}

describe('Search in a log', () => {
  test('finds small and capital letters, and takes every sign as it is', () => {
    expect(searched(new Lines('An ERROR', 'fine', 'error: x'), 'Error').count).toBe(2);
    expect(searched(new Lines('a[0].b*', 'a0b'), 'a[0].b*').count).toBe(1);
    expect(searched(new Lines('GRÜN', 'grün'), 'grün').count).toBe(2);
  });

  test('goes around from where the reader is', () => {
    const search = searched(new Lines('x', 'hit', 'x', 'hit', 'hit'), 'hit');
    expect(search.place).toBe(0);
    expect(search.go(1, 2)).toBe(3);
    expect(search.place).toBe(2);
    expect([search.go(1, 0), search.go(1, 0), search.go(-1, 0)]).toEqual([4, 1, 4]);
  });

  test('works in slices and goes on with lines that come later', () => {
    const lines = new Lines(...Array.from({ length: 1000 }, (_, at) => `line ${at}`));
    const search = new LogSearch(lines);
    search.begin('line');
    search.step(() => true);
    expect(search.isDone).toBe(false);
    expect(search.count).toBeLessThan(1000);
    while (!search.isDone) search.step(() => true);
    expect(search.count).toBe(1000);
    lines.add('line 1000');
    expect(search.isDone).toBe(false);
    search.step(() => false);
    expect(search.count).toBe(1001);
  });

  test('forgets hits in lines that are dropped', () => {
    const lines = new Lines('hit', 'hit', 'x', 'hit');
    const search = searched(lines, 'hit');
    search.go(1, 0);
    lines.dropped = 2;
    search.step(() => false);
    expect([search.count, search.current]).toEqual([1, undefined]);
  });

  test('marks the words across colours', () => {
    const search = searched(new Lines('not ok 3'), 'ok 3');
    expect(search.marked([{ text: 'not ok', classes: 'fg-1' }, { text: ' 3 4', classes: '' }])).toEqual([
      { text: 'not ', classes: 'fg-1', isHit: false }, { text: 'ok', classes: 'fg-1', isHit: true },
      { text: ' 3', classes: '', isHit: true }, { text: ' 4', classes: '', isHit: false },
    ]);
  });

  test('looks through 200,000 lines in slices of a few milliseconds', () => {
    const lines = new Lines(Array.from({ length: 200_000 }, (_, at) => `${at} src/cart/session.ts renews the cart before it expires, ${at % 5000 ? 'ok' : 'FAILED'}`));
    const search = new LogSearch(lines);
    search.begin('failed');
    let longest = 0;
    while (!search.isDone) {
      const begun = performance.now();
      search.step(() => performance.now() - begun > 6);
      longest = Math.max(longest, performance.now() - begun);
    }
    expect(search.count).toBe(40);
    console.log(`200,000 lines searched; the longest slice took ${longest.toFixed(1)} ms`);
  });
});
