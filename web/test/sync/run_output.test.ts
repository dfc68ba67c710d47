import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { followOutput, type OutputItem, type OutputSource, type PageSight } from '../../src/sync/run_output.ts';

class Sight implements PageSight {
  hidden = false;
  #changed = () => {};
  isHidden = () => this.hidden;
  onChange = (action: () => void) => {
    this.#changed = action;
    return () => (this.#changed = () => {});
  };

  set(hidden: boolean): void {
    this.hidden = hidden;
    this.#changed();
  }
}

// The output of one run, in pages of at most 100 lines.
class Run implements OutputSource {
  asked: (string | undefined)[] = [];
  over = false;
  problem: Error | undefined;
  readonly #items: OutputItem[] = [];

  isOver = () => this.over;
  isRefusal = (problem: unknown) => problem instanceof RangeError;

  say(...texts: string[]): void {
    this.#items.push(...texts.map((text) => ({ at: '', stream: 'text', text })));
  }

  page = (since: string | undefined) => {
    this.asked.push(since);
    if (this.problem) return Promise.reject(this.problem);
    const items = this.#items.slice(Number(since ?? 0)).slice(0, 100);
    return Promise.resolve({ items, next: String(Number(since ?? 0) + items.length) });
  };
}

describe('The output of a run', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function follow(run: Run, sight = new Sight()) {
    const lines: string[] = [];
    const told: { ended: boolean; refusal?: unknown } = { ended: false };
    const stop = followOutput(run, { items: (items) => lines.push(...items.map((one) => one.text)), end: (refusal) => void Object.assign(told, { ended: true, refusal }) }, sight);
    return { lines, told, stop };
  }

  test('is read page by page until the run is over', async () => {
    const run = new Run();
    run.say(...Array.from({ length: 250 }, (_, at) => String(at)));
    const { lines, told } = follow(run);
    await vi.advanceTimersByTimeAsync(100);
    expect(lines).toHaveLength(250);
    run.say('last');
    run.over = true;
    await vi.advanceTimersByTimeAsync(1000);
    expect(lines.at(-1)).toBe('last');
    expect(told).toEqual({ ended: true, refusal: undefined });
    const asked = run.asked.length;
    await vi.advanceTimersByTimeAsync(5000);
    expect(run.asked).toHaveLength(asked);
  });

  test('is not asked for while the page is hidden, and goes on where it stopped', async () => {
    const run = new Run();
    run.say('first');
    const sight = new Sight();
    const { lines, stop } = follow(run, sight);
    await vi.advanceTimersByTimeAsync(10);
    sight.set(true);
    run.say('second');
    await vi.advanceTimersByTimeAsync(5000);
    expect(run.asked).toEqual([undefined]);
    sight.set(false);
    await vi.advanceTimersByTimeAsync(10);
    expect(run.asked).toEqual([undefined, '1']);
    expect(lines).toEqual(['first', 'second']);
    stop();
  });

  test('comes back after the server was away, and ends with a refusal', async () => {
    const run = new Run();
    run.problem = new TypeError('no answer');
    const { told } = follow(run);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(run.asked.length).toBeGreaterThan(1);
    run.problem = new RangeError('gone');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(told).toEqual({ ended: true, refusal: run.problem });
  });
});
