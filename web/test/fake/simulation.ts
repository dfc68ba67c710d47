import { createTask, enter } from './rules.ts';
import type { Store, StoredTask } from './store.ts';

const kSteps = [
  '\x1b[2m$ git switch -c andon/{id}\x1b[0m',
  'Reading src/cart/session.ts',
  'Reading src/cart/store.ts',
  '\x1b[36mThinking\x1b[0m: the session is renewed on every request, the cart is not',
  'Editing src/cart/session.ts',
  '\x1b[32m+ if (cart.expires < now) renew(cart);\x1b[0m',
  '\x1b[31m- renew(session);\x1b[0m',
  'Compiling 3/117',
  'Compiling 42/117',
  'Compiling 117/117',
  '\x1b[33mwarning\x1b[0m: unused variable `left` in tests/cart.ts:12',
  'Running ctest: 12 of 96',
  'Running ctest: 61 of 96',
  '\x1b[1;32m96 passed\x1b[0m, 0 failed',
  '\x1b[2m$ andon done --result "The cart now outlives its session"\x1b[0m',
];

// Plays the server's part of the work: starts runs, lets them talk, ends them.
export class Simulation {
  readonly #store: Store;
  #timer: ReturnType<typeof setInterval> | undefined;
  readonly #at = new Map<number, number>();

  constructor(store: Store) {
    this.#store = store;
  }

  start(everyMs: number): void {
    this.#timer = setInterval(() => this.step(), everyMs);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  step(): void {
    for (const task of this.#store.tasks.values()) if (task.stage === 'active' && task.run) this.#advance(task);
    if (!this.#store.paused) this.dispatch();
  }

  dispatch(): void {
    for (const worker of this.#store.workers) {
      if (worker.state !== 'idle') continue;
      const task = [...this.#store.tasks.values()].find((one) => one.stage === 'ready' && one.assignee === worker.name && !this.#store.card(one).open_deps);
      if (task) this.begin(task);
    }
  }

  begin(task: StoredTask): void {
    const store = this.#store;
    const board = store.board(task.board);
    const active = board.columns.find((column) => column.stage === 'active')!;
    if (active.wip_limit && task.stage !== 'active' && active.count >= active.wip_limit) return;
    const worker = store.worker(task.assignee!);
    const from = task.status;
    const id = store.nextRun++;
    task.attempt += 1;
    store.runs.set(id, { id, task: task.id, worker: worker.name, attempt: task.attempt, state: 'running', started: new Date().toISOString() });
    store.output.set(id, []);
    task.run = id;
    task.claimed_by = worker.name;
    enter(task, active.name, active.stage);
    store.setWorker(worker, { state: 'working', task: task.id, since: new Date().toISOString(), queued: this.#queued(worker.name) });
    store.changed(task, 'run.started', `worker:${worker.name}`, { kind: 'dispatch', by: worker.name }, { run: id, from, to: active.name });
  }

  end(task: StoredTask, outcome: string, column: string): void {
    const store = this.#store;
    const run = store.runs.get(task.run ?? 0);
    if (run) Object.assign(run, { ended: new Date().toISOString(), state: 'ended', outcome, ...(outcome === 'succeeded' ? { result: 'The cart now outlives its session', files_changed: 2, branch: `andon/${task.id}`, commits: ['4f2a91c'] } : {}) });
    const from = task.status;
    const target = store.column(task.board, column);
    delete task.claimed_by;
    enter(task, target.name, target.stage);
    store.changed(task, outcome === 'killed' ? 'task.killed' : 'task.completed', run ? `worker:${run.worker}` : 'user:ann', { kind: outcome === 'killed' ? 'killed' : 'finished' }, { from, to: column, run: run?.id });
    if (run) store.setWorker(store.worker(run.worker), { state: 'idle', task: null, since: new Date().toISOString(), queued: this.#queued(run.worker) });
  }

  #advance(task: StoredTask): void {
    const run = task.run!;
    const at = this.#at.get(run) ?? 0;
    const text = kSteps[at % kSteps.length]!.replace('{id}', String(task.id));
    this.#store.output.get(run)?.push({ at: new Date().toISOString(), stream: text.startsWith('Reading') || text.startsWith('Editing') ? 'tool' : 'text', text });
    this.#store.say(task, text.replace(/\x1b\[[\d;]*m/g, ''));
    this.#at.set(run, at + 1);
    if (at + 1 < kSteps.length * 2) return;
    const done = this.#store.board(task.board).columns.find((column) => column.stage === 'done')!;
    this.end(task, 'succeeded', done.name);
    if (task.id % 3 === 0) createTask(this.#store, { board: task.board, title: `QA Review for #${task.id}`, assignee: 'tester', status: 'todo', parent: task.id }, 'system');
  }

  #queued(worker: string): number {
    return [...this.#store.tasks.values()].filter((task) => task.stage === 'ready' && task.assignee === worker).length;
  }
}
