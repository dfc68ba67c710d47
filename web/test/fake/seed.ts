import type { Board, Worker } from '../../src/model/wire.ts';
import { createTask } from './rules.ts';
import { Simulation } from './simulation.ts';
import type { Store } from './store.ts';

const kColumns: Board['columns'] = [
  { name: 'backlog', title: 'Backlog', stage: 'backlog', count: 0 },
  { name: 'todo', title: 'To Do', stage: 'ready', count: 0 },
  { name: 'in_progress', title: 'In Progress', stage: 'active', wip_limit: 4, count: 0 },
  { name: 'blocked', title: 'Blocked', stage: 'blocked', count: 0 },
  { name: 'done', title: 'Done', stage: 'done', count: 0 },
];

export function addBoard(store: Store, name: string, title: string): Board {
  const board: Board = {
    id: store.boards.length + 1, name, title, rev: 1, columns: kColumns.map((column) => ({ ...column })),
    priorities: ['low', 'medium', 'high', 'critical'],
    classes: [{ name: 'expedite', wip_limit: 1, bypass_column_wip: true }, { name: 'fixed-date' }, { name: 'standard' }, { name: 'intangible' }],
  };
  store.boards.push(board);
  return board;
}

const kWorkers: Partial<Worker>[] = [
  { name: 'developer', title: 'Developer', role: 'coder', colour: 'azure' },
  { name: 'developer-2', title: 'Developer 2', role: 'coder', colour: 'azure' },
  { name: 'tester', title: 'Web Tester', role: 'qa', colour: 'green' },
  { name: 'frontend', title: 'Frontend', role: 'frontend', colour: 'violet' },
  { name: 'security', title: 'Security', role: 'security', colour: 'rose' },
  { name: 'media', title: 'Media', role: 'media', colour: 'amber', state: 'paused' },
  { name: 'writer', title: 'Writer', role: 'writer', colour: 'teal' },
];

const kBrief = `The cart is emptied when the session is renewed.

## What to do
1. Reproduce it with \`tests/cart.ts\`
2. Keep the cart **apart** from the session
   - its own expiry
   - its own key

> Customers lose carts of 40 items. See [the report](https://example.com/report).

\`\`\`ts
const cart = carts.of(customer) ?? new Cart();
\`\`\`

| Case | Today | Wanted |
| --- | --- | --- |
| renewed | empty | kept |
| signed out | kept | empty |

<b onclick="alert(1)">Raw HTML</b> stays text.`;

type Row = [column: string, title: string, more?: Record<string, unknown>];

const kRows: Row[] = [
  ['backlog', 'Fix the cart session bug', { assignee: 'developer', priority: 'high', tags: ['api', 'cart'], body: kBrief }],
  ['backlog', 'Search forgets its filters when the page is reloaded', { tags: ['search'], role: 'frontend' }],
  ['backlog', 'Collect the wording of all error messages in one place', { priority: 'low', assignee: 'writer', tags: ['docs'] }],
  ['backlog', 'Rate limit for password resets', { assignee: 'security', priority: 'critical' }],
  ['backlog', 'Try AVIF for product photos', { class: 'intangible', assignee: 'media', tags: ['images', 'performance', 'experiment'] }],
  ['todo', 'Migrate the retry policy for outbound webhooks', { assignee: 'developer', class: 'expedite', priority: 'critical', tags: ['webhooks'] }],
  ['todo', 'Write the terms for the spring sale', { assignee: 'writer', class: 'fixed-date', due: '2099-03-01', tags: ['legal'] }],
  ['todo', 'Keyboard order of the checkout form is wrong in the address step', { assignee: 'frontend', priority: 'high', tags: ['a11y'], body: 'Tab jumps from the street to the card number.' }],
  ['todo', 'Take new photos of the spring collection', { assignee: 'media', tags: ['images'] }],
  ['todo', 'Check the invoice totals against the ledger', { assignee: 'tester', depends: [1], tags: ['billing'] }],
  ['todo', 'Split the order table by year', { assignee: 'developer-2', priority: 'high', estimate: '4h' }],
  ['in_progress', 'Cache product pages at the edge', { assignee: 'developer', priority: 'high', tags: ['performance'], body: kBrief }],
  ['in_progress', 'Dark theme for the shop', { assignee: 'frontend', tags: ['design'] }],
  ['in_progress', 'Walk through the checkout on three phones and note what breaks', { assignee: 'tester', tags: ['qa'], parent: 11 }],
  ['blocked', 'Switch to the new payment provider', { assignee: 'developer-2', priority: 'critical', blocked: true, block_reason: 'Waiting for the contract: which account is billed?', tags: ['billing'] }],
  ['blocked', 'Renew the code signing certificate', { assignee: 'security', blocked: true, block_reason: 'Only Ann may order it' }],
  ['done', 'Sitemap with all languages', { assignee: 'writer', tags: ['seo'] }],
  ['done', 'Product photos load lazily', { assignee: 'frontend' }],
  ['done', 'Two-factor sign-in for staff', { assignee: 'security', priority: 'high' }],
  ['done', 'Export orders as CSV', { assignee: 'developer' }],
  ['done', 'Regression run of release 41', { assignee: 'tester', parent: 20 }],
];

export function seed(store: Store, simulation: Simulation, extra: number): void {
  addBoard(store, 'shop', 'Online Shop');
  addBoard(store, 'blog', 'Company Blog');
  for (const worker of kWorkers) store.workers.push({ agent: 'generic', state: 'idle', queued: 0, ...worker } as Worker);
  const hour = 3_600_000;
  kRows.forEach(([status, title, { depends, ...more } = {} as Record<string, unknown>], index) => {
    const task = createTask(store, { board: 'shop', title, ...more, status, class: 'expedite', depends_on: (depends as number[]) ?? [] }, 'user:ann');
    task.class = (more.class as string | undefined) ?? 'standard';
    task.entered = new Date(Date.now() - (index * index * 0.7 + 0.2) * hour).toISOString();
  });
  for (let index = 0; index < extra; index += 1) {
    createTask(store, { board: 'shop', title: `Task of the long list, number ${index + 1}`, status: index % 2 ? 'backlog' : 'done' }, 'user:ann');
  }
  createTask(store, { board: 'blog', title: 'Write about the move to the new office', assignee: 'writer' }, 'user:ann');
  for (const task of store.inColumn('shop', 'in_progress')) simulation.begin(task);
}
