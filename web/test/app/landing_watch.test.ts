import { describe, expect, test } from 'vitest';
import { LandingWatch } from '../../src/app/landing_watch.ts';
import type { Landing, Run } from '../../src/model/wire.ts';

const later = () => new Promise((done) => setTimeout(done));

function watched(open = false) {
  const said: string[] = [];
  const decided: number[] = [];
  let landing: Landing | undefined = { state: 'waiting' };
  const watch = new LandingWatch({
    runs: async () => [{ id: 1, task: 7, landing } as Run],
    isOpen: () => open,
    show: (text, tone) => said.push(`${tone}: ${text}`),
    decided: (task) => decided.push(task),
  });
  const becomes = async (now: Landing) => {
    landing = now;
    await watch.changed([7]);
  };
  return { watch, said, decided, becomes };
}

describe('What became of accepted work', () => {
  test('is told once to a person who has moved on', async () => {
    const { watch, said, becomes } = watched();
    watch.follow(7);
    await later();
    await becomes({ state: 'waiting', reason: 'local changes' });
    await becomes({ state: 'waiting', reason: 'local changes' });
    await becomes({ state: 'landed', commit: '19e19fcd', branch: 'main' });
    await becomes({ state: 'landed', commit: '19e19fcd', branch: 'main' });
    expect(said).toEqual(['plain: Waits to be landed: local changes', 'plain: Landed as 19e19fc on main']);
  });

  test.each<Landing>([
    { state: 'landed', commit: '19e19fcd', branch: 'main' },
    { state: 'returned', reason: 'conflict', files: ['a.ts'] },
    { state: 'withdrawn' },
  ])('is the end of what can be taken back: $state', async (end) => {
    const { watch, decided, becomes } = watched();
    watch.follow(7);
    await later();
    expect(decided).toEqual([]);
    await becomes(end);
    expect(decided).toEqual([7]);
  });

  test('is told even when it came before the answer', async () => {
    const { watch, said, becomes } = watched();
    await becomes({ state: 'returned', reason: 'conflict', files: ['a.ts'] });
    expect(said).toEqual([]);
    watch.follow(7);
    await later();
    expect(said).toEqual(['danger: Conflict in 1 file: a.ts']);
  });

  test('is left to the open task, which tells it itself', async () => {
    const { watch, said, becomes } = watched(true);
    watch.follow(7);
    await becomes({ state: 'landed', commit: '19e19fcd' });
    expect(said).toEqual([]);
  });
});
