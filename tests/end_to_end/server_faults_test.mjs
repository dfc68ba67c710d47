import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { lastingAddress } from './support/address.mjs';
import { ended, installAgent } from './support/agents.mjs';
import { Faults, kFaults } from './support/faults.mjs';
import { openPlace } from './support/place.mjs';
import { andon, told } from './support/program.mjs';
import { startServer } from './support/server.mjs';
import { until } from './support/until.mjs';

// Every n-th call of an act gets a fault; 1 for the long run.
const kStride = Number(process.env.ANDON_FAULT_STRIDE ?? 9);
const kMostCalls = 400;
const kFatal = 70; // how a server ends whose disk failed

const named = (tasks, title) => tasks.filter((task) => task.title === title).length;

// What is asked of a server for a board, and whether its tasks show that it happened once.
const kActs = [
  { name: 'create', ask: ({ board }, n) => ['POST', '/tasks', { board, title: `New ${n}`, body: 'x'.repeat(3000) }], did: (tasks, n) => named(tasks, `New ${n}`) },
  { name: 'rename', ask: ({ first }, n) => ['PATCH', `/tasks/${first}`, { title: `Title ${n}` }], did: (tasks, n) => named(tasks, `Title ${n}`) },
  {
    name: 'move', ask: ({ second }, n) => ['POST', `/tasks/${second}/move`, { status: n % 2 ? 'backlog' : 'todo' }],
    did: (tasks, n, { second }) => Number(tasks.find(({ id }) => id === second).status === (n % 2 ? 'backlog' : 'todo')),
    prepare: async (served, n) => served.server.http.post(`/tasks/${served.second}/move`, { status: n % 2 ? 'todo' : 'backlog' }),
  },
  {
    name: 'claim', ask: ({ third }, n) => ['POST', `/tasks/${third}/claim`, { by: `ann${n}` }],
    did: (tasks, n, { third }) => Number(tasks.find(({ id }) => id === third).claimed_by === `ann${n}`),
    prepare: async (served) => {
      const { claimed_by } = await served.server.http.get(`/tasks/${served.third}`);
      if (claimed_by) await served.server.http.post(`/tasks/${served.third}/release`, {});
    },
  },
  {
    name: 'several', ask: ({ board }, n) => ['POST', '/tasks', ['a', 'b', 'c'].map((name) => ({ board, title: `${name} ${n}` }))],
    did: (tasks, n) => ['a', 'b', 'c'].reduce((sum, name) => sum + named(tasks, `${name} ${n}`), 0) / 3,
  },
];
const kAcross = {
  name: 'across', ask: (served, n) => ['POST', '/tasks', ['shop', 'yard'].map((board) => ({ board, title: `Both ${n}` }))],
  did: (tasks, n) => named(tasks, `Both ${n}`) / 2,
};

// A process that the dead server was about to start may hold its lock for a moment.
function startAgain(place, options) {
  return until('a server starts', () => startServer(place, options).catch((error) => {
    if (!/is in use/.test(error.message)) throw error;
  }));
}

class ServedBoards {
  // A server with a board of its own, or with two directories that are attached.
  static async open(t, isAttached) {
    const served = new ServedBoards();
    served.place = openPlace(t);
    served.isAttached = isAttached;
    served.faults = new Faults(served.place);
    served.board = 'shop';
    if (isAttached) for (const name of ['shop', 'yard']) await told(served.place, ['init', '--name', name, '--dir', served.place.path(`${name}-files`), '--json']);
    await served.start();
    if (isAttached) for (const name of ['shop', 'yard']) await served.server.andon('boards', 'attach', served.place.path(`${name}-files`));
    else await served.server.http.post('/boards', { name: 'shop' });
    for (const name of ['first', 'second', 'third'])
      served[name] = (await served.server.http.post('/tasks', { board: 'shop', title: name, status: 'todo' })).id;
    return served;
  }
  async start() {
    this.faults.rest();
    this.server = await startAgain(this.place, { env: this.faults.env, flags: ['--no-runner'] });
  }
  async tasks() {
    const tasks = [];
    for (const board of this.isAttached ? ['shop', 'yard'] : ['shop'])
      for (let page = { next: '' }; page.next !== undefined; tasks.push(...page.items))
        page = await this.server.http.get(`/tasks?board=${board}&limit=500&cursor=${encodeURIComponent(page.next)}`);
    return tasks.map(({ id, key, title, status, claimed_by }) => ({ id, key, title, status, claimed_by })).sort((a, b) => a.id - b.id);
  }
  // A fault may also come when the answer is given, and end the server at any moment.
  async tasksAfter(fault, what) {
    if (!this.server.exit) try {
      return await this.tasks();
    } catch {
      await until('the server has ended', () => this.server.exit);
    }
    const { exit, log } = this.server;
    assert.ok(exit.signal === 'SIGKILL' ? fault.fault === -1 : exit.code === kFatal, `${what}: the server ended with ${JSON.stringify(exit)} ${log}`);
    await this.start();
    return this.tasks();
  }
  // The titles that the files tell.
  titlesOfFiles() {
    const titles = [];
    for (const name of ['shop', 'yard'])
      for (const file of readdirSync(this.place.path(`${name}-files`, 'tasks')))
        titles.push(/^title: (.*)$/m.exec(readFileSync(this.place.path(`${name}-files`, 'tasks', file), 'utf8'))[1]);
    return titles.sort();
  }
}

// Asks with the fault in the k-th call, and again with the same key; false when the act had fewer calls.
async function tryCall(served, act, fault, k, n) {
  await act.prepare?.(served, n);
  const before = await served.tasks();
  const [method, path, body] = act.ask(served, n);
  const headers = { 'Idempotency-Key': `key-${act.name}-${n}` };
  served.faults.arm(k, fault);
  const answer = await served.server.http.ask(method, path, body, headers).catch((error) => ({ error: String(error) }));
  const happened = served.faults.happened;
  const what = `${act.name}, ${fault.name} in call ${k}: ${answer.status ?? answer.error} ${JSON.stringify(answer.body)?.slice(0, 300)}`;
  served.faults.rest();
  const isDead = answer.error || answer.body?.details?.result === 'unknown';
  if (isDead) await until('the server has ended', () => served.server.exit);
  const after = await served.tasksAfter(fault, what);
  const did = act.did(after, n, served);
  assert.ok(did === 0 || did === 1, `${what}: half done, ${did}`);
  if (did === 0) assert.deepEqual(after, before, `${what}: something else happened`);
  const isUnknown = Boolean(isDead);
  if (answer.status < 300) assert.equal(did, 1, `${what}: it did not happen`);
  else if (!isUnknown) assert.equal(did, 0, `${what}: it happened`);
  if (served.isAttached) assert.deepEqual(served.titlesOfFiles(), after.map(({ title }) => title).sort(), `${what}: the files tell something else`);

  const again = await served.server.http.ask(method, path, body, headers);
  assert.ok(again.status < 300, `${what}: again ${again.status} ${JSON.stringify(again.body)}`);
  const last = await served.tasks();
  assert.equal(act.did(last, n, served), 1, `${what}: asked twice with one key, it is there ${act.did(last, n, served)} times`);
  if (did === 1) assert.deepEqual(last, after, `${what}: the second time something happened`);
  if (served.isAttached) assert.deepEqual(served.titlesOfFiles(), last.map(({ title }) => title).sort(), `${what}: the files tell something else in the end`);
  return happened;
}

async function checkNothingIsWrong(served) {
  const doctor = await andon(served.place, ['doctor', '--dir', served.place.path('data')]);
  assert.doesNotMatch(doctor.out, /^fault/m);
  if (!served.isAttached) return;
  for (const name of ['shop', 'yard']) {
    assert.deepEqual(readdirSync(served.place.path(`${name}-files`, '.andon', 'new')), [], 'new files were left behind');
    const files = await andon(served.place, ['doctor', '--dir', served.place.path(`${name}-files`)]);
    assert.doesNotMatch(files.out, /^(fault|repair)/m, files.out);
  }
}

for (const isAttached of [true, false])
  for (const fault of kFaults)
    test(`a server tells the truth of ${isAttached ? 'attached boards' : 'its own board'} whatever call fails, and keys have one effect: ${fault.name}`, async (t) => {
      const served = await ServedBoards.open(t, isAttached);
      const only = process.env.ANDON_FAULT_ACT;
      const stride = isAttached ? kStride : 1; // a commit of SQLite is a few calls
      let tries = 0, happened = 0;
      for (const act of [...kActs, ...(isAttached ? [kAcross] : [])].filter(({ name }) => !only || name === only))
        for (let k = stride === 1 ? 0 : tries % stride, goesOn = true; goesOn; k += stride) {
          assert.ok(k < kMostCalls, `${act.name} goes on for ever`);
          goesOn = await tryCall(served, act, fault, k, ++tries);
          happened += goesOn ? 1 : 0;
        }
      assert.ok(happened > 0, 'no call had the fault');
      await checkNothingIsWrong(served);
      t.diagnostic(`${tries} calls`);
    });

test('a dispatch that a crash interrupts leaves no claim without a run on an attached board', async (t) => {
  const place = openPlace(t);
  const faults = new Faults(place, place.path('shop-files'));
  await told(place, ['init', '--name', 'shop', '--dir', place.path('shop-files'), '--json']);
  const listen = await lastingAddress(); // agents look for the server where it was
  const start = () => startAgain(place, { env: faults.env, listen });
  let server = await start();
  await server.andon('boards', 'attach', place.path('shop-files'));
  const worker = { name: 'ann', agent: 'ann' };
  installAgent(server.data, 'ann', 'cat > /dev/null; andon done --result "made" > /dev/null');
  await server.http.post('/workers', worker);
  let tries = 0, happened = 0;
  for (let k = kStride === 1 ? 0 : 3, goesOn = true; goesOn && tries < 60; k += kStride) {
    const task = await server.http.post('/tasks', { board: 'shop', title: `Work ${++tries}`, assignee: 'ann' });
    faults.arm(k, { fault: -1 });
    await server.http.ask('POST', `/tasks/${task.id}/move`, { status: 'todo' }).catch(() => {});
    const done = async () => (await server.http.get(`/tasks/${task.id}`)).stage;
    await until('it is done or the server is dead', async () => server.exit || ['done', 'review'].includes(await done().catch(() => '')));
    goesOn = faults.happened;
    happened += goesOn ? 1 : 0;
    faults.rest();
    if (server.exit) {
      server = await start();
      if ((await done()) === 'backlog') await server.http.post(`/tasks/${task.id}/move`, { status: 'todo' });
    }
    // Its agent may have ended with the server; then the task waits to be tried again.
    await until(`the task is done or free after a crash before call ${k}`, async () => {
      const { stage, claimed_by } = await server.http.get(`/tasks/${task.id}`);
      return ['done', 'review'].includes(stage) || !claimed_by;
    });
  }
  const last = await server.http.post('/tasks', { board: 'shop', title: 'Last', assignee: 'ann', status: 'todo', priority: 'critical' });
  assert.equal((await ended(server, last)).outcome, 'succeeded', 'the worker was not blocked');
  assert.ok(happened > 0, 'no call had the fault');
  t.diagnostic(`${tries} calls`);
});
