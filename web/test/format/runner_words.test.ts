import { expect, test } from 'vitest';
import { isRunnerGone, runnerFacts, runnerOrders, runnerProblems, runnerState } from '../../src/format/runner_words.ts';
import type { Runner } from '../../src/model/wire.ts';

const kNow = Date.parse('2026-11-20T10:00:12Z');
const aRunner = (over: Partial<Runner> = {}): Runner => ({ name: 'build', state: 'active', incarnation: 1, alive: true, running: 0, ...over }) as Runner;

test('the state of a runner gives way to its absence', () => {
  expect(runnerState(aRunner({ state: 'paused' }))).toBe('paused');
  expect(runnerState(aRunner({ alive: false }))).toBe('gone');
  expect(runnerState(aRunner({ alive: false, incarnation: 0 }))).toBe('never seen');
  expect(runnerState(aRunner({ alive: false, state: 'revoked' }))).toBe('revoked');
  expect(isRunnerGone(aRunner({ alive: false, incarnation: 0 }))).toBe(false);
});

test('only known facts of a runner are told', () => {
  const status = { seen: '2026-11-20T10:00:00Z', load: 0.42 } as Runner['status'];
  expect(runnerFacts(aRunner({ running: 1, slots: 4, host: 'box', version: '1.2', status }), kNow)).toEqual(['1 of 4 slots', 'box', '1.2', 'load 0.42', 'seen 12s ago']);
  expect(runnerFacts(aRunner(), kNow)).toEqual(['0 runs']);
  expect(runnerFacts(aRunner({ alive: false, status }), kNow)).toEqual(['0 runs', 'seen 12s ago']);
});

test('the problems of a runner are one line each', () => {
  const runner = aRunner({ agents: [{ id: 'claude', problem: 'not signed in' }, { id: 'codex' }], unusable: [{ board: 'shop', problem: 'no clone' }] } as Partial<Runner>);
  expect(runnerProblems(runner)).toEqual(['Cannot start claude: not signed in', 'Cannot work in the repository of shop: no clone']);
});

test('a runner takes the orders of its state', () => {
  expect(runnerOrders(aRunner())).toEqual(['pause', 'drain', 'revoke']);
  expect(runnerOrders(aRunner({ state: 'draining' }))).toEqual(['resume', 'revoke']);
  expect(runnerOrders(aRunner({ state: 'revoked' }))).toEqual([]);
  expect(runnerOrders(aRunner({ own: true }))).toEqual([]);
});
