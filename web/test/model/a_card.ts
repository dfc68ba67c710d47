import type { Board, Card, Snapshot } from '../../src/model/wire.ts';

const kCard: Card = {
  id: 1, rev: 1, title: 'Fix the cart', status: 'todo', stage: 'ready', priority: 'medium', class: 'standard', rank: 'm',
  attempt: 0, max_attempts: 3, open_deps: 0, deps: 0, notes: 0,
  entered: '2026-11-21T08:00:00.000Z', created: '2026-11-21T08:00:00.000Z', updated: '2026-11-21T08:00:00.000Z',
};

export const aCard = (id: number, over: Partial<Card> = {}): Card => ({ ...kCard, id, ...over });

export const kBoard: Board = {
  id: 1, name: 'shop', title: 'Shop', rev: 1,
  columns: [
    { name: 'backlog', title: 'Backlog', stage: 'backlog', count: 0 },
    { name: 'todo', title: 'To Do', stage: 'ready', count: 0 },
    { name: 'in_progress', title: 'In Progress', stage: 'active', wip_limit: 2, count: 0 },
    { name: 'blocked', title: 'Blocked', stage: 'blocked', count: 0 },
    { name: 'done', title: 'Done', stage: 'done', count: 0 },
  ],
  priorities: ['low', 'medium', 'high', 'critical'],
  classes: [{ name: 'expedite' }, { name: 'fixed-date' }, { name: 'standard' }, { name: 'intangible' }],
};

export const aSnapshot = (...tasks: Card[]): Snapshot => ({
  v: 1, epoch: 'k3f9', seq: 100, server_time: '2026-11-21T08:00:00.000Z', build: 'b1',
  board: kBoard, workers: [], dispatch: { paused: false }, tasks,
});
