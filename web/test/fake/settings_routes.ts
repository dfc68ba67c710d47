import { createTask } from './rules.ts';
import type { Route } from './routes.ts';
import { WireProblem, type Store } from './store.ts';

type Values = Record<string, unknown>;

const kBoardDefaults = {
  approval: 'manual', review_by: 'person', auto_dispatch: true, land: 'auto',
  claim_timeout: '1h', stale_after: '35m', silent_after: '5m', check_timeout: '10m', setup_timeout: '10m',
};
const kWorkerDefaults = { conversation: 'fresh', capacity: 1, takes_unassigned: false, boards: ['*'], permissions: 'edit', rev: 1 };

const kDirectories: Record<string, { repository: boolean; items: string[] }> = {
  '/home/ann': { repository: false, items: ['notes', 'shop'] },
  '/home/ann/shop': { repository: true, items: ['src'] },
  '/home/ann/notes': { repository: false, items: [] },
};

export const kSettingsRoutes: Route[] = [
  ['GET', /^\/boards\/([^/]+)$/, ({ store }, _request, [name]) => [200, wholeBoard(store, name!)]],
  ['PATCH', /^\/boards\/([^/]+)$/, ({ store }, { body, match }, [name]) => {
    const board = stored(store, name!);
    checkRev(match, board.rev);
    if (body.title === 'refused') throw new WireProblem(422, 'INVALID_INPUT', 'a title must be another one', { field: 'title' });
    Object.assign(board, body, { rev: board.rev + 1 });
    store.record({ actor: 'user:ann', kind: 'board.changed' });
    store.publish(board.name, [{ op: 'board', rev: board.rev, set: body }]);
    return [200, wholeBoard(store, name!)];
  }],
  ['DELETE', /^\/boards\/([^/]+)$/, ({ store }, _request, [name]) => {
    store.boards.splice(store.boards.indexOf(stored(store, name!)), 1);
    return [200, { name, status: 'archived' }];
  }],
  ['GET', /^\/repositories$/, (_world, { query }) => {
    const path = query.get('path') || '/home/ann';
    const found = kDirectories[path];
    if (!found) throw new WireProblem(422, 'INVALID_INPUT', `the directory ${path} is not there`, { field: 'path' });
    const items = found.items.map((name) => ({ name, path: `${path}/${name}`, repository: kDirectories[`${path}/${name}`]?.repository ?? false }));
    return [200, { path, parent: path.replace(/\/[^/]+$/, ''), repository: found.repository, ...(found.repository ? { default_branch: 'main' } : {}), items, more: false }];
  }],
  ['POST', /^\/agents\/([^/]+)\/test$/, (_world, _request, [id]) => [200, { id, title: id, ready: true, program: `/usr/bin/${id}`, version: '2.1.0', signed_in: true, problems: [], notes: [] }]],
  ['GET', /^\/accounts$/, () => [200, { items: [] }]],
  ['GET', /^\/workers\/([^/]+)$/, ({ store }, _request, [name]) => [200, { ...kWorkerDefaults, ...store.worker(name!) }]],
  ['PATCH', /^\/workers\/([^/]+)$/, ({ store }, { body, match }, [name]) => {
    const worker = store.worker(name!);
    checkRev(match, (worker as { rev?: number }).rev ?? 1);
    store.setWorker(worker, { ...body, rev: ((worker as { rev?: number }).rev ?? 1) + 1 } as Values);
    return [200, { ...kWorkerDefaults, ...worker }];
  }],
  ['DELETE', /^\/workers\/([^/]+)$/, ({ store }, _request, [name]) => {
    store.workers.splice(store.workers.indexOf(store.worker(name!)), 1);
    store.record({ actor: 'user:ann', kind: 'worker.changed' });
    for (const board of store.boards) store.publish(board.name, [{ op: 'worker', id: name!, gone: true }]);
    return [200, { name, status: 'removed' }];
  }],
  ['GET', /^\/automations$/, ({ store }) => [200, { items: store.automations }]],
  ['POST', /^\/automations$/, ({ store }, { body }) => {
    const one = { id: store.automations.length + 1, fired: 0, rev: 1, next_due: '2026-12-01T07:00:00Z', ...body };
    store.automations.push(one);
    return [201, one];
  }],
  ['PATCH', /^\/automations\/(\d+)$/, ({ store }, { body }, [id]) => [200, Object.assign(automation(store, id!), body)]],
  ['DELETE', /^\/automations\/(\d+)$/, ({ store }, _request, [id]) => {
    store.automations.splice(store.automations.indexOf(automation(store, id!)), 1);
    return [200, { status: 'removed' }];
  }],
  ['POST', /^\/automations\/(\d+)\/run$/, ({ store }, _request, [id]) => {
    const one = automation(store, id!);
    return [201, createTask(store, { board: String(one.board), title: String((one.template as Values).title) }, `automation:${String(one.name)}`)];
  }],
  ['GET', /^\/tokens$/, ({ store }) => [200, { items: store.tokens }]],
  ['POST', /^\/tokens$/, ({ store }, { body }) => {
    if (!/^[0-9a-f]{64}$/.test(String(body.hash))) throw new WireProblem(422, 'INVALID_INPUT', 'no hash', { field: 'hash' });
    const token = { id: store.tokens.length + 1, kind: body.admin ? 'admin' : 'person', name: body.name, label: body.label, created: new Date().toISOString() };
    store.tokens.push(token);
    return [201, token];
  }],
  ['DELETE', /^\/tokens\/(\d+)$/, ({ store }, _request, [id]) => {
    const token = store.tokens.find((one) => one.id === Number(id));
    return [200, Object.assign(token ?? {}, { revoked: new Date().toISOString() })];
  }],
  ['GET', /^\/work$/, () => [200, { trees: [{ board: 'shop', task: 4, title: 'Fix the cart', directory: '/data/work/shop/4-fix-the-cart', state: 'kept', bytes: 5_300_000, unlanded: 1 }], bytes: 5_300_000, limit: 20 * 1024 ** 3 }]],
  ['POST', /^\/work\/clean$/, () => [200, { removed: [], kept: [], freed: 0 }]],
  ['GET', /^\/store\/retention$/, () => [200, { feed: '168h', feed_events: 1_000_000, history: '400d', run_files: '90d' }]],
  ['PATCH', /^\/store\/retention$/, (_world, { body }) => [200, { feed: '168h', feed_events: 1_000_000, history: '400d', run_files: '90d', ...body }]],
];

function stored(store: Store, name: string) {
  store.board(name);
  return store.boards.find((board) => board.name === name)!;
}

const wholeBoard = (store: Store, name: string) => ({ ...kBoardDefaults, ...store.board(name) });

function automation(store: Store, id: string): Values {
  const one = store.automations.find((known) => known.id === Number(id));
  if (!one) throw new WireProblem(404, 'AUTOMATION_NOT_FOUND', `There is no automation ${id}`);
  return one;
}

function checkRev(match: string | undefined, rev: number): void {
  if (match && match !== `"${rev}"`) throw new WireProblem(412, 'REV_MISMATCH', 'it has changed since; read it again', { field: 'If-Match' });
}
