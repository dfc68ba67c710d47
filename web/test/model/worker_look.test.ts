import { expect, test } from 'vitest';
import { whyStill, workerLooks } from '../../src/model/worker_look.ts';
import type { Worker } from '../../src/model/wire.ts';

const aWorker = (name: string, over: Partial<Worker> = {}): Worker => ({ name, agent: 'generic', state: 'idle', ...over });

test('workers of one role share a hue and differ by pattern', () => {
  const looks = workerLooks([aWorker('a', { role: 'coder', colour: 'green' }), aWorker('b', { role: 'coder' }), aWorker('c', { role: 'coder' })]);
  expect([...looks.values()].map(({ hue, pattern }) => `${hue} ${pattern}`)).toEqual(['green solid', 'green dashed', 'green dotted']);
});

test('a worker without a colour takes the next free one', () => {
  const looks = workerLooks([aWorker('a'), aWorker('b', { colour: 'azure' }), aWorker('c', { colour: 'no such colour' })]);
  expect([...looks.values()].map((look) => look.hue)).toEqual(['green', 'azure', 'violet']);
});

test('a worker that stands still says why', () => {
  const at = (time: string) => time.slice(11, 16);
  expect(whyStill(aWorker('a', { state: 'paused', paused_because: 'no program' }), at)).toBe('no program');
  expect(whyStill(aWorker('a', { state: 'limited', limited_until: '2026-01-01T03:10:00Z' }), at)).toBe('usage limit until 03:10');
  expect(whyStill(aWorker('a', { state: 'limited', limited_until: '2026-01-01T03:10:00Z', overloaded: true }), at)).toBe(
    'the service of its model is at capacity; again at 03:10',
  );
  expect(whyStill(aWorker('a', { state: 'working', paused_because: 'long ago' }), at)).toBe('');
});

test('titles that begin alike keep the end that tells them apart', () => {
  const looks = workerLooks(['Frontend', 'Frontend 2', 'Web Tester', 'Web Tester two', 'Security'].map((title) => aWorker(title, { title })));
  expect([...looks.values()].map(({ tail }) => tail)).toEqual(['', ' 2', ' Tester', ' two', '']);
});
