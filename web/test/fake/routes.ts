import type { Stage, Worker } from '../../src/model/wire.ts';
import { createTask, enter, moveTask, type Draft } from './rules.ts';
import { addBoard } from './seed.ts';
import { kSettingsRoutes } from './settings_routes.ts';
import type { Simulation } from './simulation.ts';
import { WireProblem, type Store, type StoredTask } from './store.ts';

export interface Request {
  method: string;
  path: string;
  query: URLSearchParams;
  body: Record<string, unknown>;
  m?: string;
  match?: string;
}

interface World {
  store: Store;
  simulation: Simulation;
}

type Handler = (world: World, request: Request, parts: string[]) => [number, unknown];

const kPerson = 'user:ann';

export type Route = [method: string, path: RegExp, handler: Handler];

export const kRoutes: Route[] = [
  ...kSettingsRoutes,
  ['GET', /^\/boards$/, ({ store }) => [200, { items: store.boards.map((board) => store.board(board.name)) }]],
  ['POST', /^\/boards$/, ({ store }, { body }) => [201, Object.assign(addBoard(store, String(body.name), String(body.title ?? body.name)), body)]],
  ['GET', /^\/boards\/([^/]+)\/snapshot$/, ({ store }, { query }, [name]) => [200, snapshot(store, name!, Number(query.get('done') ?? 50))]],
  ['GET', /^\/tasks$/, ({ store }, { query }) => [200, cards(store, query)]],
  ['POST', /^\/tasks$/, ({ store }, { body, m }) => [201, createTask(store, body as Draft, kPerson, m)]],
  ['GET', /^\/tasks\/(\d+)$/, ({ store }, _request, [id]) => [200, withVerbs(store.task(Number(id)))]],
  ['GET', /^\/attention$/, ({ store }) => [200, { items: store.attention, counts: Object.fromEntries(store.attention.map(({ kind }) => [kind, store.attention.filter((one) => one.kind === kind).length])) }]],
  ['GET', /^\/why$/, (_world, { query }) => [200, { items: (query.get('tasks') ?? '').split(',').map((id) => ({ id: Number(id), running: false, hindrances: [] })) }]],
  ['PATCH', /^\/tasks\/(\d+)$/, ({ store }, request, [id]) => [200, withVerbs(change(store, store.task(Number(id)), request))]],
  ['DELETE', /^\/tasks\/(\d+)$/, ({ store }, { m }, [id]) => {
    const task = store.task(Number(id));
    Object.assign(task, { status: 'archived', stage: 'archived' });
    store.changed(task, 'task.deleted', kPerson, { kind: 'user', by: 'ann', m });
    return [200, { id: task.id, status: 'deleted', title: task.title }];
  }],
  ['GET', /^\/tasks\/(\d+)\/runs$/, ({ store }, _request, [id]) => [200, { items: store.runsOf(Number(id)), spent: store.spending(Number(id)) }]],
  ['GET', /^\/tasks\/(\d+)\/diff$/, ({ store }, { query }) => [200, diffOf(store, Number(query.get('run')))]],
  ['POST', /^\/tasks\/(\d+)\/move$/, ({ store }, { body, m, match }, [id]) => {
    const task = store.task(Number(id));
    checkRev(task, match);
    moveTask(store, task, String(body.status), body, kPerson, m);
    return [200, task];
  }],
  ['POST', /^\/tasks\/(\d+)\/copy$/, ({ store }, { m }, [id]) => {
    const { board, title, body, priority, tags } = store.task(Number(id));
    return [201, createTask(store, { board, title, body, priority, tags }, kPerson, m)];
  }],
  ['POST', /^\/tasks\/(\d+)\/(\w+)$/, (world, request, [id, verb]) => act(world, world.store.task(Number(id)), verb!, request)],
  ['GET', /^\/events$/, ({ store }, { query }) => [200, { items: store.events.filter((event) => event.task === Number(query.get('task'))).slice(-100) }]],
  ['GET', /^\/workers$/, ({ store }) => [200, { items: store.workers }]],
  ['POST', /^\/workers$/, ({ store }, { body }) => {
    const worker = { agent: 'generic', state: 'idle', queued: 0, ...body } as Worker;
    store.workers.push(worker);
    store.setWorker(worker, { ...worker });
    return [201, worker];
  }],
  ['POST', /^\/workers\/([^/]+)\/(pause|resume)$/, ({ store }, _request, [name, verb]) => {
    const worker = store.worker(name!);
    const paused = verb === 'pause';
    const isBusy = worker.state === 'working';
    store.setWorker(worker, { paused, ...(isBusy ? {} : { state: paused ? 'paused' : 'idle' }) });
    return [200, store.worker(name!)];
  }],
  ['POST', /^\/session\/phone$/, ({ store }) => phoneLink(store)],
  ['GET', /^\/telegram$/, () => [200, { configured: true, bot: 'shop_bot', last_contact: '2026-07-28T09:00:00Z' }]],
  ['GET', /^\/servers$/, () => [200, { status: 'ok', store: 'own', server: 'local' }]],
  ['GET', /^\/runners$/, () => [200, { items: [] }]],
  ['GET', /^\/agents$/, () => [200, { items: [{ id: 'generic', title: 'Generic', found: true }, { id: 'claude', title: 'Claude Code', found: true, version: '2.1.0' }] }]],
  ['GET', /^\/dispatch$/, ({ store }) => [200, { paused: store.paused, budgets: store.days }]],
  ['GET', /^\/metrics\/flow$/, () => [200, { workers: [] }]],
  ['PUT', /^\/dispatch$/, ({ store }, { body }) => {
    store.paused = body.paused === true;
    store.record({ actor: kPerson, kind: 'dispatch.changed' });
    for (const board of store.boards) store.publish(board.name, [{ op: 'dispatch', set: { paused: store.paused } }]);
    return [200, { paused: store.paused }];
  }],
];

const kVerbs: Partial<Record<Stage, readonly string[]>> = {
  backlog: ['approve', 'block', 'archive'],
  ready: ['block', 'archive'],
  active: ['kill'],
  review: ['accept', 'reject', 'block'],
  blocked: ['answer', 'unblock', 'retry', 'block', 'archive'],
  done: ['archive'],
};

function withVerbs(task: StoredTask) {
  return { ...task, can: kVerbs[task.stage] ?? [], cannot: {} };
}

function diffOf(store: Store, run: number) {
  const diff = store.diffs.get(run);
  if (!diff) throw new WireProblem(404, 'NOT_FOUND', `run ${run} left no commit in a repository`);
  return diff;
}

function snapshot(store: Store, name: string, done: number) {
  const board = store.board(name);
  const more: Record<string, { cursor: string; total: number }> = {};
  const tasks = board.columns.flatMap((column) => {
    const all = ordered(store.inColumn(name, column.name), column.stage);
    const most = column.stage === 'done' ? done : 500;
    if (all.length > most) more[column.name] = { cursor: String(most), total: all.length };
    return all.slice(0, most);
  });
  return {
    v: 1, epoch: store.epoch, seq: store.seq, server_time: new Date().toISOString(), build: 'fake', board,
    workers: store.workers, dispatch: { paused: store.paused }, tasks: tasks.map((task) => store.card(task)), more,
  };
}

function cards(store: Store, query: URLSearchParams) {
  const column = store.column(query.get('board') ?? '', query.get('status') ?? '');
  const all = ordered(store.inColumn(query.get('board') ?? '', column.name), column.stage);
  const from = Number(query.get('cursor') ?? 0);
  const end = from + Number(query.get('limit') ?? 200);
  return { items: all.slice(from, end).map((task) => store.card(task)), ...(end < all.length ? { next: String(end) } : {}) };
}

function ordered(tasks: StoredTask[], stage: string): StoredTask[] {
  return stage === 'done' ? tasks.sort((a, b) => (a.entered < b.entered ? 1 : -1)) : tasks;
}

function checkRev(task: StoredTask, match: string | undefined): void {
  if (match && match !== `"${task.rev}"`) throw new WireProblem(412, 'REV_MISMATCH', `Task #${task.id} was changed meanwhile`, { details: { current: task } });
}

function change(store: Store, task: StoredTask, { body, match, m }: Request): StoredTask {
  checkRev(task, match);
  for (const [field, value] of Object.entries(body)) {
    if (value === null || value === '') delete (task as unknown as Record<string, unknown>)[field];
    else Object.assign(task, { [field]: value });
  }
  store.changed(task, 'task.edited', kPerson, { kind: 'user', by: 'ann', m }, { data: { fields: Object.keys(body) } });
  return task;
}

function act({ store, simulation }: World, task: StoredTask, verb: string, { body, m }: Request): [number, unknown] {
  const why = { kind: 'user', by: 'ann', m };
  const to = (name: string) => enter(task, name, store.column(task.board, name).stage);
  switch (verb) {
    case 'kill':
      simulation.end(task, 'killed', 'backlog');
      return [202, task];
    case 'note':
      task.notes += 1;
      store.changed(task, 'task.noted', kPerson, why, { data: { text: body.text } });
      return [200, task];
    case 'block':
      to('blocked');
      Object.assign(task, { blocked: true, block_reason: body.reason });
      if (body.choices) task.question = { text: String(body.reason), choices: body.choices as string[], asked_by: kPerson, asked_at: new Date().toISOString() };
      store.changed(task, 'task.blocked', kPerson, why, { data: { reason: body.reason } });
      return [200, task];
    case 'answer':
      if (!task.question?.run) to('backlog');
      Object.assign(task, { question: null });
      store.changed(task, 'task.answered', kPerson, why, { data: { text: body.text } });
      return [200, task];
    case 'unblock':
    case 'approve':
    case 'retry':
      to('todo');
      store.changed(task, `task.${verb}`, kPerson, why);
      return [200, task];
    case 'accept': {
      to('done');
      const run = store.runs.get(task.run ?? 0);
      if (run?.head) run.landing = { state: 'waiting' };
      store.changed(task, 'task.accepted', kPerson, why);
      return [200, task];
    }
    case 'reject':
      to('todo');
      store.changed(task, 'task.rejected', kPerson, why, { data: { reason: body.reason } });
      return [200, task];
    case 'landing': {
      const landing = store.runs.get(task.run ?? 0)?.landing;
      if (landing?.state !== 'asked') throw new WireProblem(409, 'CONFLICT', 'nobody asks whether it lands');
      Object.assign(landing, { state: body.verdict === 'land' ? 'waiting' : 'returned', squash: body.squash, reason: body.reason });
      store.changed(task, 'task.edited', kPerson, why);
      return [200, task];
    }
    case 'archive':
      task.status = 'archived';
      task.stage = 'archived';
      store.changed(task, 'task.archived', kPerson, why);
      return [200, task];
    default:
      throw new WireProblem(404, 'NOT_FOUND', 'There is no such verb');
  }
}

// The rows are no real code: the page only draws them.
function phoneLink(store: Store): [number, unknown] {
  if (!store.phoneOrigin) throw new WireProblem(409, 'CONFLICT', 'no other device can reach this server; start it with `andon serve --lan`');
  const qr = Array.from({ length: 41 }, (_, y) => Array.from({ length: 41 }, (_, x) => ((x * y) % 3 ? '1' : '0')).join(''));
  return [201, { url: `${store.phoneOrigin}/#code=andon_c_${'a'.repeat(64)}`, expires_at: new Date(Date.now() + 15 * 60_000).toISOString(), qr }];
}
