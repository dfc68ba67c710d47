import type { AttentionEntry } from '../../src/model/attention_list.ts';
import type { DaySpending, TaskSpending } from '../../src/model/spending.ts';
import type { Board, BoardEvent, Card, CardWork, Op, Run, RunDiff, Task, Why, Worker } from '../../src/model/wire.ts';

export interface StoredTask extends Task {
  entered: string;
  line?: string;
  notes: number;
  attempt: number;
  max_attempts: number;
  depends_on: number[];
}

export interface OutputItem {
  at: string;
  stream: string;
  text: string;
}

export class WireProblem extends Error {
  readonly status: number;
  readonly code: string;
  readonly more: object;

  constructor(status: number, code: string, message: string, more: object = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.more = more;
  }
}

function workOf({ diff_size: diff, checks, usage }: Run): CardWork {
  return { diff, checks: checks?.length, checks_passed: checks?.filter(({ passed }) => passed).length, cost_usd: usage?.cost_usd ?? undefined };
}

// The spending of all runs of a task together; nothing before one has used anything or ended.
function spendingOf(runs: readonly Run[]): TaskSpending | undefined {
  const counted = runs.filter(({ usage, ended }) => usage || ended);
  if (!counted.length) return undefined;
  const priced = counted.filter(({ usage }) => usage?.cost_usd);
  return {
    tokens: counted.reduce((sum, { usage }) => sum + (usage ? usage.input + usage.output : 0), 0),
    cost_usd: priced.length ? priced.reduce((sum, { usage }) => sum + usage!.cost_usd!, 0) : null,
    time: '0s', runs: counted.length, unpriced: counted.length - priced.length,
  };
}

type Listener = (board: string, ops: Op[], seq: number | undefined) => void;

// The whole state of the fake: tasks, their history, runs, and who listens to changes.
export class Store {
  readonly epoch = 'f4ke';
  seq = 1000;
  readonly boards: Board[] = [];
  readonly workers: Worker[] = [];
  readonly tasks = new Map<number, StoredTask>();
  readonly runs = new Map<number, Run>();
  // The answer to a question for the diff of a run.
  readonly diffs = new Map<number, RunDiff>();
  readonly output = new Map<number, OutputItem[]>();
  readonly events: BoardEvent[] = [];
  readonly frames: { board: string; seq: number; ops: Op[] }[] = [];
  readonly listeners = new Set<Listener>();
  readonly automations: Record<string, unknown>[] = [];
  readonly tokens: Record<string, unknown>[] = [];
  readonly days: DaySpending[] = [];
  paused = false;
  // Entries of other boards than the one that the page shows.
  attention: AttentionEntry[] = [];
  // The origin by which a phone reaches the server; none does when it is empty.
  phoneOrigin = 'http://192.168.77.5:7420';
  nextTask = 1;
  nextRun = 900;

  board(name: string): Board {
    const board = this.boards.find((one) => one.name === name);
    if (!board) throw new WireProblem(404, 'NOT_FOUND', `There is no board "${name}"`);
    return { ...board, columns: board.columns.map((column) => ({ ...column, count: this.inColumn(name, column.name).length })) };
  }

  task(id: number): StoredTask {
    const task = this.tasks.get(id);
    if (!task) throw new WireProblem(404, 'NOT_FOUND', `There is no task #${id}`);
    return task;
  }

  worker(name: string): Worker {
    const worker = this.workers.find((one) => one.name === name);
    if (!worker) throw new WireProblem(404, 'NOT_FOUND', `There is no worker "${name}"`);
    return worker;
  }

  runsOf(task: number): Run[] {
    return [...this.runs.values()].filter((run) => run.task === task);
  }

  spending(task: number): TaskSpending | undefined {
    return spendingOf(this.runsOf(task));
  }

  inColumn(board: string, column: string): StoredTask[] {
    return [...this.tasks.values()].filter((task) => task.board === board && task.status === column);
  }

  column(board: string, name: string) {
    const column = this.board(board).columns.find((one) => one.name === name);
    if (!column) throw new WireProblem(422, 'INVALID_INPUT', `The board "${board}" has no column "${name}"`, { field: 'status' });
    return column;
  }

  card(task: StoredTask): Card {
    const open = task.depends_on.filter((id) => this.tasks.get(id) && this.tasks.get(id)!.stage !== 'done').length;
    const children = [...this.tasks.values()].filter((one) => one.parent === task.id);
    const run = task.run ? this.runs.get(task.run) : undefined;
    const spent = this.spending(task.id);
    const { body, board: _board, depends_on, run: _run, result: _result, started: _started, completed: _completed, attachments, ...rest } = task;
    return {
      ...rest,
      open_deps: open,
      deps: depends_on.length,
      ...(attachments?.length ? { attachments: attachments.length } : {}),
      ...(children.length ? { children: { done: children.filter((one) => one.stage === 'done').length, total: children.length } } : {}),
      ...(run?.ended && task.stage === 'review' ? { work: workOf(run) } : {}),
      ...(spent ? { spent } : {}),
      ...(run?.landing?.state === 'returned' && task.stage !== 'done' ? { returned: true } : {}),
      ...(run && !run.ended ? { run: { id: run.id, attempt: run.attempt, started: run.started, state: run.state, worker: run.worker } } : {}),
      ...(body ? { excerpt: body.replace(/[#*`>\n]+/g, ' ').trim().slice(0, 120) } : {}),
    };
  }

  // Every optional field of a card that is absent travels as null in `set`.
  wholeSet(task: StoredTask): Partial<Card> {
    const absent = Object.fromEntries(
      ['assignee', 'role', 'tags', 'due', 'parent', 'blocked', 'block_reason', 'claimed_by', 'claim_expires', 'children', 'run', 'work', 'spent', 'returned', 'line', 'excerpt'].map((key) => [key, null]),
    );
    return { ...absent, ...this.card(task) } as Partial<Card>;
  }

  changed(task: StoredTask, kind: string, actor: string, why: Why, more: Partial<BoardEvent> = {}): void {
    task.rev += 1;
    task.updated = new Date().toISOString();
    this.record({ actor, kind, board: task.board, task: task.id, ...more });
    const op: Op = task.stage === 'archived' ? { op: 'gone', id: task.id, rev: task.rev, why } : { op: 'task', id: task.id, rev: task.rev, set: this.wholeSet(task), why };
    this.publish(task.board, [op, ...this.related(task)]);
  }

  record(event: Omit<BoardEvent, 'seq' | 'ts'>): void {
    this.seq += 1;
    this.events.push({ seq: this.seq, ts: new Date().toISOString(), ...event });
  }

  setWorker(worker: Worker, set: Partial<Worker>): void {
    Object.assign(worker, set);
    this.record({ actor: 'system', kind: 'worker.changed' });
    for (const board of this.boards) this.publish(board.name, [{ op: 'worker', id: worker.name, set }]);
  }

  publish(board: string, ops: Op[]): void {
    this.frames.push({ board, seq: this.seq, ops });
    for (const listener of this.listeners) listener(board, ops, this.seq);
  }

  say(task: StoredTask, text: string): void {
    task.line = text;
    for (const listener of this.listeners) listener(task.board, [{ op: 'line', id: task.id, text }], undefined);
  }

  // Tasks whose facts follow from this one: those that wait for it, and its parent.
  private related(task: StoredTask): Op[] {
    const others = [...this.tasks.values()].filter((one) => one.depends_on.includes(task.id) || one.id === task.parent);
    return others.map((one) => {
      one.rev += 1;
      return { op: 'task', id: one.id, rev: one.rev, set: this.wholeSet(one), why: { kind: 'dependency' } };
    });
  }
}
