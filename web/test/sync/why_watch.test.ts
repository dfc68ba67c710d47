import { describe, expect, test } from 'vitest';
import { plainCell } from '../../src/model/cell.ts';
import type { DispatchBlockers } from '../../src/model/wire.ts';
import { WhyWatch } from '../../src/sync/why_watch.ts';

class World {
  time = 0;
  hidden = false;
  reason = 'first';
  readonly asked: number[][] = [];
  readonly make = plainCell;
  #planned: { at: number; run: () => void }[] = [];

  now = () => this.time;
  isHidden = () => this.hidden;
  after = (ms: number, run: () => void) => void this.#planned.push({ at: this.time + ms, run });
  ask = (ids: readonly number[]): Promise<DispatchBlockers[]> => {
    this.asked.push([...ids]);
    return Promise.resolve(ids.map((id) => ({ id, running: false, hindrances: [{ code: 'x', text: this.reason }] })));
  };

  async pass(ms: number) {
    this.time += ms;
    const due = this.#planned.filter(({ at }) => at <= this.time);
    this.#planned = this.#planned.filter(({ at }) => at > this.time);
    for (const { run } of due) run();
    await Promise.resolve();
    await Promise.resolve();
  }
}

const reason = (watch: WhyWatch, id: number) => watch.cell(id).get()?.hindrances[0]?.text;

describe('WhyWatch', () => {
  test('asks once for all cards in sight', async () => {
    const world = new World();
    const watch = new WhyWatch(world);
    for (const id of [1, 2, 3]) watch.watch(id);
    await world.pass(200);
    expect(world.asked).toEqual([[1, 2, 3]]);
    expect(reason(watch, 2)).toBe('first');
  });

  test('asks again after changes, though not at the pace of the board', async () => {
    const world = new World();
    const watch = new WhyWatch(world);
    watch.watch(1);
    await world.pass(200);
    world.reason = 'second';
    for (let step = 0; step < 20; step += 1) {
      watch.changed();
      await world.pass(50);
    }
    expect(world.asked).toHaveLength(1);
    await world.pass(3000);
    expect(reason(watch, 1)).toBe('second');
  });

  test('keeps the cell of a card that goes and comes back', async () => {
    const world = new World();
    const watch = new WhyWatch(world);
    const cell = watch.cell(1);
    watch.watch(1)();
    watch.watch(1);
    await world.pass(200);
    expect(cell.get()?.id).toBe(1);
  });

  test('asks nothing in a hidden tab', async () => {
    const world = new World();
    const watch = new WhyWatch(world);
    world.hidden = true;
    watch.watch(1);
    await world.pass(200);
    expect(world.asked).toEqual([]);
  });
});
