// No act of anybody holds the writer for long: beside each long act an agent renews its claim, and the server tells what its
// longest unit of work was. ANDON_BOUNDS_TASKS=1000000 makes the board larger, and times are asserted as well then.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { openPlace } from './support/place.mjs';
import { startServer } from './support/server.mjs';
import { until } from './support/until.mjs';

const kTasks = Number(process.env.ANDON_BOUNDS_TASKS ?? 5_000);
const kFiles = Number(process.env.ANDON_BOUNDS_FILES ?? 1_000);
const kImported = Number(process.env.ANDON_BOUNDS_IMPORTED ?? 1_000);
const kHeld = Math.min(kTasks, 300_000); // tasks whose files somebody else changes
const kIsLarge = kTasks >= 100_000; // a dose of a calm machine
const kInAnArray = kIsLarge ? 1_000 : 100;
const kMostRows = 3_000; // of one unit of work: fewer than the board has tasks
const kRenewal = 1_000; // ms
const kLong = 3_600_000; // ms
const kBetweenRenewals = 50; // ms

// What the server tells of its writer, by metric and act.
async function writer(server) {
  const response = await fetch(`${server.url}/metrics`, { headers: { Authorization: `Bearer ${server.token}` } });
  const out = {};
  for (const [, name, act, value] of (await response.text()).matchAll(/^andon_writer_(\w+?)(?:\{act="(\w+)"\})? (\S+)$/gm))
    (out[name] ??= {})[act ?? 'all'] = Number(value);
  return out;
}

async function fill(server, count, more = { board: 'shop' }) {
  for (let made = 0; made < count; made += kInAnArray) {
    const items = Array.from({ length: Math.min(kInAnArray, count - made) }, (_, i) => ({
      title: `Task ${made + i}`, status: 'todo', priority: i % 2 ? 'low' : 'high', ...more,
    }));
    await server.http.post('/tasks', items);
  }
}

// Renews a claim all the time until it is told to end; then the slowest answer is known, in ms.
class Renewer {
  slowest = 0;
  renewed = 0;

  static async open(server) {
    const task = await server.http.post('/tasks', { title: 'Held', board: 'work', status: 'todo' });
    const claimed = await server.http.post(`/tasks/${task.id}/claim`, { by: 'agent' });
    const renewer = new Renewer();
    renewer.done = renewer.run(server, claimed);
    return renewer;
  }
  async run(server, task) {
    while (!this.is_over) {
      const begun = performance.now();
      await server.http.post(`/tasks/${task.id}/heartbeat`, { epoch: task.epoch });
      this.slowest = Math.max(this.slowest, performance.now() - begun);
      this.renewed++;
      await pause(kBetweenRenewals);
    }
  }
  async end() {
    this.is_over = true;
    await this.done;
  }
}

const settled = (server) =>
  until('the board is settled', async () => {
    const board = await server.http.get('/boards/shop');
    return board.settling === undefined && board.columns.every((column) => !column.goes_to) && board;
  }, kLong);

// Picks as a client does that goes on where nothing was decided; the number of answers it took.
async function pick(server, wanted) {
  for (let asked = 1; ; asked++) {
    const { status, body } = await server.http.ask('POST', '/pick', wanted);
    if (body?.code !== 'PICK_UNFINISHED') return { asked, status, task: body };
    assert.ok(asked < 1000, 'a pick comes to an end');
  }
}

const edit = (server, change) => server.http.told('PATCH', '/boards/shop', change);

function importFile(place, count) {
  const file = place.path('tasks.json');
  const parent = { id: 'parent', title: 'Parent' };
  const parts = Array.from({ length: count }, (_, i) => ({ id: `part-${i}`, title: `Part ${i}`, parent: 'parent' }));
  writeFileSync(file, JSON.stringify([parent, ...parts]));
  return file;
}

function directory(place, count) {
  const root = place.path('files', 'kanban');
  mkdirSync(`${root}/tasks`, { recursive: true });
  for (let n = 1; n <= count; n++)
    writeFileSync(`${root}/tasks/${String(n).padStart(3, '0')}-t.md`, `---\nid: ${n}\ntitle: T\nstatus: todo\npriority: low\n---\n`);
  return root;
}

test('No act holds the writer beyond its bound while an agent renews its claim', { timeout: kLong }, async (t) => {
  const place = openPlace(t);
  const server = await startServer(place);
  await server.http.post('/boards', { name: 'work' });
  await server.http.post('/boards', { name: 'shop' });
  await fill(server, kTasks);
  const renewer = await Renewer.open(server);
  const told = [];
  const act = async (name, work) => {
    renewer.slowest = 0;
    const begun = performance.now();
    await work();
    const { longest_act_seconds: longest } = await writer(server);
    told.push({ act: name, seconds: (performance.now() - begun) / 1000, slowest_renewal_ms: renewer.slowest, longest_ms: longest.unit * 1000 });
  };

  await act('picks that find nothing', async () => {
    for (let n = 0; n < 20; n++) assert.equal((await pick(server, { by: 'ann', boards: ['shop'], tags: ['nowhere'] })).status, 204);
  });
  await act('a pick behind tasks whose files are held', async () => {
    await server.http.post('/boards', { name: 'shelf' });
    const holder = await server.http.post('/tasks', { title: 'Holds', board: 'shelf', status: 'todo', touches: ['src/pay/*'] });
    await server.http.post(`/tasks/${holder.id}/claim`, { by: 'bob' });
    await fill(server, kHeld, { board: 'shelf', touches: ['src/pay/card.c'] });
    const free = await server.http.post('/tasks', { title: 'Free', board: 'shelf', status: 'todo', priority: 'low' });
    for (const [by, status, id] of [['ann', 200, free.id], ['ann', 204], ['eve', 204]]) {
      const begun = performance.now();
      const found = await pick(server, { by, boards: ['shelf'] });
      t.diagnostic(`${by} picks behind ${kHeld} held tasks: ${found.status} after ${(performance.now() - begun).toFixed(1)} ms`);
      assert.deepEqual([found.status, found.task?.id], [status, id]);
    }
  });
  await act('reads', async () => {
    for (const path of ['/boards', '/tasks?board=shop&limit=500', '/metrics/flow?board=shop', '/tasks?q=Task+1&limit=50', '/events?limit=500'])
      await server.http.get(path);
  });
  await act('backup', () => server.andon('backup', place.path('all.andon')));
  await act('trim', () => server.andon('store', 'trim'));
  await act('add a column', async () => {
    await edit(server, { add_columns: [{ name: 'checking', stage: 'review' }] });
    await settled(server);
  });
  await act('new priorities', async () => {
    await edit(server, { priorities: ['low', 'medium', 'high', 'top'] });
    await settled(server);
  });
  await act('rename a column', async () => {
    await edit(server, { rename_columns: { todo: 'queue' } });
    const board = await settled(server);
    assert.equal(board.columns.find((column) => column.name === 'queue').count, kTasks);
  });
  await act('remove a column', async () => {
    await edit(server, { remove_columns: ['queue'], move_tasks: { queue: 'backlog' } });
    await settled(server);
  });
  await act('pause and go on', async () => {
    for (const paused of [true, false]) await server.http.told('PUT', '/dispatch', { paused });
  });
  await act('import parts of one parent', () => server.andon('import', importFile(place, kImported), '--board', 'work'));
  await act('attach a directory', async () => {
    const root = directory(place, kFiles);
    execFileSync(process.env.ANDON_PROGRAM, ['init', '--name', 'Files', '--dir', root], { cwd: place.path('files'), input: 'n\n' });
    await server.andon('boards', 'attach', root, '--name', 'files');
    await until('all files are read', async () => !(await server.http.get('/boards/files')).trouble, kLong);
  });
  await act('a pipe in place of a file of the board', async () => {
    await server.http.post('/tasks', { title: 'Published', board: 'files' });
    const own = place.path('files', 'kanban', '.andon');
    const intent = join(own, readdirSync(own).find((name) => name.startsWith('intent-')));
    rmSync(intent);
    execFileSync('mkfifo', [intent]);
    writeFileSync(place.path('files', 'kanban', 'tasks', '001-t.md'), '---\nid: 1\ntitle: Another\nstatus: todo\npriority: low\n---\n');
    await until('the board is in trouble', async () => (await server.http.get('/boards/files')).trouble, kLong);
    await server.http.post('/tasks', { title: 'Meanwhile', board: 'work' });
    rmSync(intent);
    await until('it is over', async () => !(await server.http.get('/boards/files')).trouble, kLong);
  });
  await act('detach a directory', async () => {
    await server.andon('boards', 'detach', 'files');
    await until('it is gone', async () => !(await server.http.get('/boards?archived=true')).items.some((board) => board.name === 'files'), kLong);
  });
  await renewer.end();

  const after = await writer(server);
  for (const line of told) t.diagnostic(JSON.stringify(line));
  t.diagnostic(JSON.stringify(after));
  assert.ok(renewer.renewed > told.length);
  for (const act of ['unit', 'catch_up']) assert.ok(after.largest_act_rows[act] <= kMostRows * (kIsLarge ? 3 : 1), JSON.stringify(after));
  if (!kIsLarge) return;
  for (const line of told) assert.ok(line.slowest_renewal_ms <= kRenewal, JSON.stringify(line));
  assert.ok(after.longest_act_seconds.unit <= 0.25, JSON.stringify(after));
});
