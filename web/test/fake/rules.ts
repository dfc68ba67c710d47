import type { Stage } from '../../src/model/wire.ts';
import { WireProblem, type Store, type StoredTask } from './store.ts';

export interface Draft {
  board: string;
  title: string;
  [field: string]: unknown;
}

export function createTask(store: Store, draft: Draft, actor: string, m?: string): StoredTask {
  if (!draft.title?.trim()) throw new WireProblem(422, 'INVALID_INPUT', 'A task needs a title', { field: 'title' });
  const board = store.board(draft.board);
  const column = store.column(board.name, (draft.status as string | undefined) ?? board.columns[0]!.name);
  const now = new Date().toISOString();
  const task: StoredTask = {
    id: store.nextTask++, rev: 0, priority: 'medium', class: 'standard', rank: rankAfter(store), attempt: 0, max_attempts: 3, notes: 0,
    depends_on: [], created: now, updated: now, entered: now, source: 'web', created_by: actor,
    ...draft, status: column.name, stage: column.stage,
  };
  checkRoom(store, task, column.name);
  store.tasks.set(task.id, task);
  store.changed(task, 'task.created', actor, { kind: 'user', by: actor, m }, { to: column.name });
  return task;
}

export function moveTask(store: Store, task: StoredTask, to: string, place: { before?: number; after?: number }, actor: string, m?: string): void {
  const column = store.column(task.board, to);
  const from = task.status;
  if (from !== to) {
    checkRoom(store, task, to);
    if (column.stage === 'active') checkWorker(store, task);
  }
  task.rank = rankBetween(store.tasks.get(place.after ?? 0)?.rank, store.tasks.get(place.before ?? 0)?.rank) ?? (from === to ? task.rank : rankAfter(store));
  enter(task, to, column.stage);
  store.changed(task, 'task.moved', actor, { kind: 'user', by: actor, m }, { from, to });
}

export function enter(task: StoredTask, status: string, stage: Stage): void {
  if (task.status !== status) task.entered = new Date().toISOString();
  task.status = status;
  task.stage = stage;
  if (stage !== 'active') delete task.line;
  if (stage !== 'blocked') {
    delete task.blocked;
    delete task.block_reason;
  }
}

function checkRoom(store: Store, task: StoredTask, name: string): void {
  const column = store.column(task.board, name);
  if (!column.wip_limit || task.class === 'expedite' || column.count < column.wip_limit) return;
  throw new WireProblem(409, 'WIP_LIMIT_EXCEEDED', `${column.title} is full (${column.count}/${column.wip_limit})`, { details: { column: name, current: task } });
}

function checkWorker(store: Store, task: StoredTask): void {
  const other = [...store.tasks.values()].find((one) => one.id !== task.id && one.stage === 'active' && one.assignee && one.assignee === task.assignee);
  if (!other) return;
  throw new WireProblem(409, 'WORKER_BUSY', `worker "${task.assignee}" already has task #${other.id} in progress`, {
    details: { worker: task.assignee, task: other.id, current: task },
  });
}

// Ranks are words over a–z; a middle always exists because no rank ends in 'a'.
function rankBetween(after: string | undefined, before: string | undefined): string | undefined {
  if (after === undefined && before === undefined) return undefined;
  const low = after ?? '';
  for (let at = 0, prefix = ''; ; at += 1) {
    const a = low.charCodeAt(at) || 97;
    const b = before && at < before.length ? before.charCodeAt(at) : 123;
    if (b - a > 1) return prefix + String.fromCharCode((a + b) >> 1);
    prefix += String.fromCharCode(a);
    if (b !== a) before = undefined;
  }
}

function rankAfter(store: Store): string {
  return `n${String(store.nextTask).padStart(6, '0').replace(/\d/g, (digit) => 'bcdefghijk'[Number(digit)]!)}`;
}
