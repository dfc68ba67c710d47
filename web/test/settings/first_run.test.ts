import { expect, test } from 'vitest';
import { nextStep, type FirstRunFacts } from '../../src/settings/first_run.ts';

const columns = (count: number) => [{ name: 'todo', title: 'To Do', stage: 'ready' as const, count }];
const fresh: FirstRunFacts = { board: { columns: columns(0) }, workers: [], withoutRepository: false, begun: true, started: undefined };
const repo = { columns: columns(0), repo: '/home/ann/shop' };

test.each([
  ['repository', fresh],
  ['worker', { ...fresh, withoutRepository: true }],
  ['worker', { ...fresh, board: repo }],
  ['task', { ...fresh, board: repo, workers: [{ name: 'ada' }] }],
  ['watch', { ...fresh, workers: [{ name: 'ada' }], started: 'active' as const }],
  ['done', { ...fresh, workers: [{ name: 'ada' }], started: 'done' as const }],
  ['worker', { ...fresh, board: { columns: columns(3) } }],
  [undefined, { ...fresh, board: repo, workers: [{ name: 'ada' }], begun: false }],
  [undefined, { ...fresh, board: { columns: columns(3) }, workers: [{ name: 'ada' }] }],
])('the next step is %s', (step, facts) => {
  expect(nextStep(facts)).toBe(step);
});
