// What the address says: which board or its wall, which open task, which worker's cards, and whether the work on the task is reviewed in full width.
export interface Route {
  board?: string;
  task?: string;
  worker?: string;
  wall?: boolean;
  // An address that leads nowhere.
  unknown?: string;
  review?: boolean;
}

const kViews = new Set(['b', 't']);

export function parseRoute(pathname: string, search: string): Route {
  const [view, name, part, reviewed] = pathname.split('/').filter(Boolean).map(decodeURIComponent);
  const query = new URLSearchParams(search);
  const route: Route = {};
  if (view !== undefined && !(kViews.has(view) && name)) return { unknown: pathname };
  if (view === 'b' && name) route.board = name;
  const task = view === 't' ? name : query.get('t');
  if (task) route.task = task;
  if (view === 'b' && part === 'review' && reviewed) Object.assign(route, { task: reviewed, review: true });
  if (view === 't' && part === 'review') route.review = true;
  const worker = query.get('worker');
  if (worker) route.worker = worker;
  if (query.has('wall')) route.wall = true;
  return route;
}

export function formatRoute(route: Route): string {
  const query = new URLSearchParams();
  if (route.worker) query.set('worker', route.worker);
  const review = route.task && route.review;
  if (route.board && route.task && !review) query.set('t', route.task);
  if (route.board && route.wall) query.set('wall', '1');
  const path = route.board ? `/b/${encodeURIComponent(route.board)}` : route.task ? `/t/${encodeURIComponent(route.task)}` : '/';
  if (review) return route.board ? `${path}/review/${encodeURIComponent(route.task!)}` : `${path}/review`;
  return query.size ? `${path}?${query}` : path;
}

// The one-time code of a sign-in link, which never reaches a server log because it stands behind '#'.
export function signInCode(hash: string): string | undefined {
  return new URLSearchParams(hash.replace(/^#/, '')).get('code') ?? undefined;
}
