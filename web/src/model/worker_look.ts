import type { Worker, WorkerState } from './wire.ts';

export const kHues = ['azure', 'green', 'violet', 'rose', 'amber', 'teal', 'magenta', 'orange', 'indigo', 'lime', 'cyan', 'slate'] as const;
export type Hue = (typeof kHues)[number];

export interface WorkerLook {
  title: string;
  // The end of the title that tells it apart from a title that begins alike; empty where none does.
  tail: string;
  hue: Hue;
  pattern: 'solid' | 'dashed' | 'dotted';
}

// Workers of one role share a hue and differ by pattern; a worker without a colour takes the next free seat.
export function workerLooks(workers: readonly Worker[]): ReadonlyMap<string, WorkerLook> {
  const looks = new Map<string, WorkerLook>();
  const byRole = new Map<string, Hue>();
  const seats = new Map<string, number>();
  const taken = new Set(workers.map((worker) => worker.colour));
  const titles = workers.map((worker) => worker.title ?? worker.name);
  const free = kHues.filter((hue) => !taken.has(hue));
  for (const worker of workers) {
    const role = worker.role ?? worker.name;
    const hue = hueOf(worker.colour ?? undefined) ?? byRole.get(role) ?? free.shift() ?? 'slate';
    if (!byRole.has(role)) byRole.set(role, hue);
    const seat = seats.get(`${role} ${hue}`) ?? 0;
    seats.set(`${role} ${hue}`, seat + 1);
    const title = worker.title ?? worker.name;
    looks.set(worker.name, { title, tail: tailOf(title, titles), hue, pattern: seat === 0 ? 'solid' : seat === 1 ? 'dashed' : 'dotted' });
  }
  return looks;
}

// Titles that begin alike in so many letters look alike once they are cut.
const kAlike = 5;
const kLongestTail = 8;

function tailOf(title: string, titles: readonly string[]): string {
  const alike = titles.some((other) => other !== title && other.slice(0, kAlike).toLowerCase() === title.slice(0, kAlike).toLowerCase());
  const tail = alike ? (/(?<=\S)[\s-]+\S+$/.exec(title)?.[0] ?? '') : '';
  return tail.length <= kLongestTail ? tail : '';
}

function hueOf(colour: string | undefined): Hue | undefined {
  return kHues.find((hue) => hue === colour);
}

export const kStateWords: Record<WorkerState, string> = {
  idle: 'Idle',
  working: 'Working',
  silent: 'Silent',
  stale: 'Stale',
  paused: 'Paused',
  limited: 'Limited',
  offline: 'Offline',
};

// An agent that lives and does not get on.
export function isWarning(state: WorkerState): boolean {
  return state === 'silent' || state === 'stale';
}

export function isActive(state: WorkerState): boolean {
  return state === 'working' || state === 'silent' || state === 'stale';
}

// A paused worker takes no new task; it may still work on one.
export function isPaused(worker: Worker): boolean {
  return worker.paused ?? worker.state === 'paused';
}

export function stateWords(worker: Worker): string {
  const words = kStateWords[worker.state];
  return isPaused(worker) && worker.state !== 'paused' ? `${words}, then paused` : words;
}

// Why it stands still, where its light has a reason or an end.
export function whyStill(worker: Worker, moment: (at: string) => string): string {
  if (isPaused(worker)) return worker.paused_because ?? '';
  if (worker.state === 'limited' && worker.limited_until)
    return `${worker.overloaded ? 'the service of its model is at capacity; again at' : 'usage limit until'} ${moment(worker.limited_until)}`;
  return '';
}
