import type { Runner } from '../model/wire.ts';
import { duration } from './time.ts';
import { count } from './words.ts';

export type RunnerOrder = 'pause' | 'resume' | 'drain' | 'revoke';

// The state, or the reason why it does not matter now.
export function runnerState(runner: Runner): string {
  if (runner.state === 'revoked' || runner.alive) return runner.state;
  if (runner.state === 'draining' && !runner.running) return 'drained';
  return runner.incarnation ? 'gone' : 'never seen';
}

export function isRunnerGone(runner: Runner): boolean {
  return runnerState(runner) === 'gone' || runner.state === 'revoked';
}

// The facts beside name and state, those that are known.
export function runnerFacts(runner: Runner, now: number): string[] {
  const { status } = runner;
  const runs = runner.slots ? `${runner.running} of ${count(runner.slots, 'slot')}` : count(runner.running, 'run');
  const seen = status?.seen ? `seen ${duration(now - Date.parse(status.seen))} ago` : '';
  const load = runner.alive && status?.load ? `load ${status.load.toFixed(2)}` : '';
  return [runs, runner.host ?? '', runner.version ?? '', load, seen].filter(Boolean);
}

export function runnerProblems(runner: Runner): string[] {
  const agents = (runner.agents ?? []).filter(({ problem }) => problem).map(({ id, problem }) => `Cannot start ${id}: ${problem}`);
  const boards = (runner.unusable ?? []).map(({ board, problem }) => `Cannot work in the repository of ${board}: ${problem}`);
  return [...agents, ...boards];
}

// The runner of a server takes no orders; a revoked one gets a new token on the command line.
export function runnerOrders(runner: Runner): RunnerOrder[] {
  if (runner.own || runner.state === 'revoked') return [];
  if (runner.state === 'active') return ['pause', 'drain', 'revoke'];
  return runner.state === 'paused' ? ['resume', 'drain', 'revoke'] : ['resume', 'revoke'];
}
