import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { loadPart, type PartWorld } from '../../src/app/page_part.ts';

// A network that fails `failures` times, and a clock that each wait moves at once.
class World implements PartWorld {
  readonly waits: number[] = [];
  restyled = 0;
  isOther = false;
  reach = () => Promise.resolve(this.isOther);

  restyle = () => Promise.resolve(void this.restyled++);
  isReplaced = () => this.reach();
  after = (ms: number, action: () => void) => {
    this.waits.push(ms);
    queueMicrotask(action);
  };
}

function failing(failures: number): () => Promise<string> {
  let asked = 0;
  return () => (asked++ < failures ? Promise.reject(new Error('cut')) : Promise.resolve('part'));
}

const wanted = () => new AbortController().signal;

describe('A part of the page', () => {
  test('is loaded once when it comes', async () => {
    const world = new World();
    expect(await loadPart(failing(0), world, wanted())).toBe('part');
    expect([world.waits, world.restyled]).toEqual([[], 0]);
  });

  test('is loaded again after longer and longer waits, with its style sheets', async () => {
    const world = new World();
    world.reach = () => Promise.reject(new Error('away'));
    expect(await loadPart(failing(9), world, wanted())).toBe('part');
    expect(world.restyled).toBe(9);
    expect(world.waits).toHaveLength(9);
    expect(world.waits[0]).toBeLessThan(2000);
    expect(Math.max(...world.waits)).toBeLessThan(40_000);
  });

  test('is loaded again when its style sheets fail a second time', async () => {
    const world = new World();
    const restyle = failing(1);
    world.restyle = () => restyle().then(() => undefined);
    expect(await loadPart(failing(1), world, wanted())).toBe('part');
    expect(world.waits).toHaveLength(2);
  });

  test('is given up when the server has another page', async () => {
    const world = new World();
    world.isOther = true;
    expect(await loadPart(failing(Infinity), world, wanted())).toBeUndefined();
    expect(world.waits).toEqual([]);
  });

  test('is given up when nobody wants it any more', async () => {
    const world = new World();
    const over = new AbortController();
    world.after = (_ms, action) => {
      over.abort();
      action();
    };
    expect(await loadPart(failing(Infinity), world, over.signal)).toBeUndefined();
  });

  test('is loaded by Part.svelte wherever one is shown', () => {
    const files = readdirSync('src/ui', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.svelte'));
    const others = files.filter((file) => /\{#await\s+(import|loading)/.test(readFileSync(`src/ui/${file}`, 'utf8')));
    expect(others).toEqual([]);
  });
});
