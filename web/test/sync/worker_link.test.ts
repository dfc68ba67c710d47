import { describe, expect, test } from 'vitest';
import type { FromHub, ToHub } from '../../src/sync/stream_messages.ts';
import { connectWorker } from '../../src/sync/worker_link.ts';

const kWatch: ToHub = { type: 'watch', board: 'shop', epoch: 'e', seq: 4 };
const kPlayer: ToHub = { type: 'player', ready: true, visible: true };
const kLive: FromHub = { type: 'link', state: 'live' };

interface Started {
  told: ToHub[];
  answers(message: FromHub): void;
  fails(): void;
}

// Workers that answer or fail when a test says so, and time that passes when it says so.
function openLink() {
  const workers: Started[] = [];
  const heard: FromHub[] = [];
  let planned: (() => void)[] = [];
  const world = {
    now: () => 1000,
    chance: () => 0.5,
    after: (_: number, action: () => void) => {
      planned.push(action);
      return () => (planned = planned.filter((one) => one !== action));
    },
  };
  const tell = connectWorker((answers, fails) => {
    const told: ToHub[] = [];
    workers.push({ told, answers, fails });
    return (message) => told.push(message);
  }, world, (message) => heard.push(message));
  const timePasses = () => planned.splice(0).forEach((action) => action());
  return { workers, heard, tell, timePasses };
}

describe('The worker of the stream', () => {
  test('hears and tells once it runs', () => {
    const { workers, heard, tell } = openLink();
    tell(kWatch);
    workers[0]!.answers(kLive);
    expect(workers[0]!.told).toEqual([kWatch]);
    expect(heard).toEqual([kLive]);
  });

  test('gets the secret first, each time it is started', () => {
    const { workers, tell, timePasses } = openLink();
    tell({ type: 'secret', secret: 'one' });
    tell(kWatch);
    tell({ type: 'secret', secret: 'two' });
    workers[0]!.fails();
    timePasses();
    expect(workers[1]!.told).toEqual([{ type: 'secret', secret: 'two' }, kWatch]);
  });

  test('is started again until its script has come, and told what the page wants', () => {
    const { workers, heard, tell, timePasses } = openLink();
    tell({ ...kWatch, seq: 1 } as ToHub);
    tell(kPlayer);
    workers[0]!.fails();
    expect(heard).toEqual([{ type: 'link', state: 'waiting', retryAt: 2500 }]);
    tell(kWatch);
    expect(workers).toHaveLength(1);
    timePasses();
    workers[1]!.fails();
    expect(heard[1]).toEqual({ type: 'link', state: 'waiting', retryAt: 4000 });
    timePasses();
    expect(workers[2]!.told).toEqual([kWatch, kPlayer]);
    workers[2]!.answers(kLive);
    expect(heard.at(-1)).toEqual(kLive);
  });

  test('is started at once when somebody asks for it', () => {
    const { workers, tell, timePasses } = openLink();
    workers[0]!.fails();
    tell({ type: 'retry' });
    expect(workers).toHaveLength(2);
    timePasses();
    expect(workers).toHaveLength(2);
  });

  test('is left alone once it has answered, and when the page is left', () => {
    const { workers, heard, timePasses } = openLink();
    workers[0]!.answers(kLive);
    workers[0]!.fails();
    timePasses();
    expect([workers.length, heard.length]).toEqual([1, 1]);

    const other = openLink();
    other.workers[0]!.fails();
    other.tell({ type: 'leave' });
    other.timePasses();
    expect(other.workers).toHaveLength(1);
  });
});
