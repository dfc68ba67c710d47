// The sections of the settings; the first is shown when the address names none.
export const kSections = ['board', 'workers', 'automations', 'access', 'agents', 'storage', 'look'] as const;
export type Section = (typeof kSections)[number];

// What the address says: which board, its wall or its settings, which open task, which worker's cards, and whether
// the work on the task is reviewed, or the log of one of its runs is read, in full width.
export interface Route {
  board?: string;
  settings?: Section;
  // What is open in the section: the name of a worker or an automation; an empty one is being added.
  item?: string;
  task?: string;
  worker?: string;
  wall?: boolean;
  // All that waits for the person, on all boards.
  attention?: boolean;
  // An address that leads nowhere.
  unknown?: string;
  review?: boolean;
  run?: number;
  // The run whose log stands beside it.
  beside?: number;
}

const kViews = new Set(['b', 't']);

export function parseRoute(pathname: string, search: string): Route {
  const parts = pathname.split('/').slice(1).map(decodeURIComponent);
  const [view, name, part, reviewed, read] = parts;
  const query = new URLSearchParams(search);
  const route: Route = {};
  if (view === 'attention' && parts.length === 1) return { attention: true };
  if (view && view !== 'settings' && !(kViews.has(view) && name)) return { unknown: pathname };
  if (view === 'b' && name) route.board = name;
  const task = view === 't' ? name : query.get('t');
  if (task) route.task = task;
  if (view === 'b' && part === 'review' && reviewed) Object.assign(route, { task: reviewed, review: true });
  if (view === 't' && part === 'review') route.review = true;
  if (part === 'runs') Object.assign(route, view === 't' ? logPlace(name, reviewed, query) : logPlace(reviewed, read, query));
  const worker = query.get('worker');
  if (worker) route.worker = worker;
  if (query.has('wall')) route.wall = true;
  const place = view === 'settings' ? parts : route.board ? parts.slice(2) : [];
  if (place[0] === 'settings') Object.assign(route, settingsPlace(place.slice(1)));
  return route;
}

function logPlace(task: string | undefined, run: string | undefined, query: URLSearchParams): Pick<Route, 'task' | 'run' | 'beside'> {
  if (!task || !Number(run)) return task ? { task } : {};
  const beside = Number(query.get('beside'));
  return beside ? { task, run: Number(run), beside } : { task, run: Number(run) };
}

function settingsPlace([name, item]: readonly string[]): Pick<Route, 'settings' | 'item'> {
  const settings = kSections.find((section) => section === name) ?? kSections[0];
  return item === undefined ? { settings } : { settings, item };
}

function formatSettings({ settings, item }: Route): string {
  const section = settings === kSections[0] && item === undefined ? '' : `/${settings}`;
  return `/settings${section}${item === undefined ? '' : `/${encodeURIComponent(item)}`}`;
}

export function formatRoute(route: Route): string {
  if (route.attention) return '/attention';
  const query = new URLSearchParams();
  if (route.worker) query.set('worker', route.worker);
  const review = route.task && route.review;
  const log = route.task && route.run !== undefined;
  if (route.board && route.task && !review && !log) query.set('t', route.task);
  if (log && route.beside) query.set('beside', String(route.beside));
  if (route.board && route.wall) query.set('wall', '1');
  const board = route.board ? `/b/${encodeURIComponent(route.board)}` : '';
  if (route.settings) return `${board}${formatSettings(route)}`;
  const path = board || (route.task ? `/t/${encodeURIComponent(route.task)}` : '/');
  if (review) return `${path}/review${route.board ? `/${encodeURIComponent(route.task!)}` : ''}`;
  const place = log ? `${path}/runs${route.board ? `/${encodeURIComponent(route.task!)}` : ''}/${route.run}` : path;
  return query.size ? `${place}?${query}` : place;
}

// The one-time code of a sign-in link, which never reaches a server log because it stands behind '#'.
export function signInCode(hash: string): string | undefined {
  return new URLSearchParams(hash.replace(/^#/, '')).get('code') ?? undefined;
}
