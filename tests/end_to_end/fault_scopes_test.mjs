import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { installAgent, readTask, runsOf } from './support/agents.mjs';
import { openPlace } from './support/place.mjs';
import { makeRepository } from './support/repository.mjs';
import { startServer } from './support/server.mjs';
import { until } from './support/until.mjs';

const kLong = 60_000; // ms
const kTasks = 12;
const kWork = 'cat > /dev/null; echo "$ANDON_TASK" > "made-$ANDON_TASK.txt"; git add .; git commit -qm made; andon done --result made';

async function openBoard(server, repository, policies) {
  await server.http.post('/boards', { name: 'shop', repo: repository.directory, worktree: true, ...policies });
  installAgent(server.data, 'dev', kWork);
  for (const name of ['ann', 'ben', 'cem']) await server.http.post('/workers', { name, agent: 'dev', takes_unassigned: true });
  const tasks = [];
  for (let n = 0; n < kTasks; ++n) tasks.push(await server.http.post('/tasks', { board: 'shop', title: `Make ${n}`, status: 'todo' }));
  return tasks;
}

const attention = async (server) => (await server.http.get('/attention')).items;
const patch = (server, body) => server.http.told('PATCH', '/boards/shop', body);

async function allFinished(server, tasks) {
  await until('all tasks are finished', async () => (await Promise.all(tasks.map((task) => readTask(server, task)))).every(({ stage }) => stage === 'review' || stage === 'done'), kLong);
}

async function nothingCounted(server, tasks) {
  for (const task of tasks) {
    const shown = await readTask(server, task);
    assert.equal(shown.attempt ?? 0, 0, `task ${task.id} has no attempt`);
    assert.equal(shown.blocked ?? false, false);
    assert.ok(['ready', 'claimed', 'active'].includes(shown.stage), `task ${task.id} is in ${shown.stage}`);
  }
}

test('a set-up that a certificate stops is one question, and the tasks go on when it is mended', async (t) => {
  const place = openPlace(t);
  const repository = makeRepository(place);
  const server = await startServer(place);
  const mended = place.path('mended');
  const tasks = await openBoard(server, repository, {
    setup: [['sh', '-c', `[ -e ${mended} ] || { echo "npm error self-signed certificate in certificate chain" >&2; exit 1; }`]],
  });
  const [asked] = await until('a person is asked', async () => ((await attention(server)).length > 0 ? attention(server) : undefined), kLong);
  assert.equal(asked.kind, 'fault');
  assert.equal(asked.board, 'shop');
  assert.match(asked.text, /self-signed certificate/);
  assert.match(asked.text, /"env" of the board/);
  assert.deepEqual(asked.can, ['retry_fault']);
  await until('no run is left', async () => (await server.http.get('/runs?live=true')).items.length === 0, kLong);
  assert.equal((await attention(server)).length, 1);
  await nothingCounted(server, tasks);
  const metrics = await (await fetch(`${server.url}/metrics`, { headers: { Authorization: `Bearer ${server.token}` } })).text();
  assert.match(metrics, /andon_faults\{scope="board"\} 1/);

  writeFileSync(mended, '');
  await server.http.post('/faults/board/shop/retry', {});
  await allFinished(server, tasks);
  assert.ok(!(await attention(server)).some(({ kind }) => kind === 'fault'));
  for (const task of tasks) assert.equal((await readTask(server, task)).attempt, 1);
});

test('a check that fails on the default branch too is the question of the board', async (t) => {
  const place = openPlace(t);
  const repository = makeRepository(place);
  const server = await startServer(place);
  const mended = place.path('mended');
  const tasks = await openBoard(server, repository, { checks: { test: ['sh', '-c', `[ -e ${mended} ] || { echo "1 of 3 tests failed"; exit 1; }`] } });
  await until('a person is asked', async () => (await attention(server)).some(({ kind }) => kind === 'fault'), kLong);
  await until('no run is left', async () => (await server.http.get('/runs?live=true')).items.length === 0, kLong);
  const [asked, ...others] = await attention(server);
  assert.deepEqual(others, []);
  assert.match(asked.text, /check "test" fails on main too/);
  await nothingCounted(server, tasks);
  assert.ok(!existsSync(`${server.data}/runs/1/base`), 'the tree of the trial is gone');

  writeFileSync(mended, '');
  await server.http.post('/faults/board/shop/retry', {});
  await allFinished(server, tasks);
});

test('a check that fails only with the work is the fault of the task', async (t) => {
  const place = openPlace(t);
  const repository = makeRepository(place);
  const server = await startServer(place);
  const [task] = await openBoard(server, repository, { checks: { test: ['sh', '-c', '! ls made-*.txt'] } });
  await until('an attempt failed', async () => (await readTask(server, task)).attempt > 0 && (await runsOf(server, task)).some(({ outcome }) => outcome === 'failed'), kLong);
  assert.ok(!(await attention(server)).some(({ kind }) => kind === 'fault'));
});

test('a flaky check costs no attempt', async (t) => {
  const place = openPlace(t);
  const repository = makeRepository(place);
  const server = await startServer(place);
  const count = `${place.path('count')}-$(basename "$PWD")`;
  // Every second call in a tree fails.
  const tasks = await openBoard(server, repository, { checks: { test: ['sh', '-c', `echo x >> ${count}; [ $(( $(wc -l < ${count}) % 2 )) -eq 0 ]`] } });
  await allFinished(server, tasks);
  for (const task of tasks) assert.equal((await readTask(server, task)).attempt, 1);
});

test('the variables of a board reach set-up, agent and check, each with a temporary directory', async (t) => {
  const place = openPlace(t);
  const repository = makeRepository(place);
  const server = await startServer(place, { env: { SHOP_TOKEN_PLACE: 'passed on' } });
  const seen = (who) => place.path(`seen-${who}`);
  const tell = (who) => `printf '%s\\n' "$SHOP_NAME" "$SHOP_TOKEN_PLACE" "$TMPDIR" > ${seen(who)}; echo x > "$TMPDIR/of-${who}"`;
  await server.http.post('/boards', {
    name: 'shop', repo: repository.directory, worktree: true, env: ['SHOP_NAME=a shop', 'SHOP_TOKEN_PLACE', 'NOT_THERE'],
    setup: [['sh', '-c', tell('setup')]], checks: { test: ['sh', '-c', tell('check')] },
  });
  installAgent(server.data, 'dev', `${tell('agent')}; ${kWork}`);
  await server.http.post('/workers', { name: 'dev', agent: 'dev', takes_unassigned: true });
  const task = await server.http.post('/tasks', { board: 'shop', title: 'Make it', status: 'todo' });
  await allFinished(server, [task]);
  for (const who of ['setup', 'agent', 'check']) {
    const [name, passed, directory] = readFileSync(seen(who), 'utf8').split('\n');
    assert.equal(name, 'a shop', who);
    assert.equal(passed, 'passed on', who);
    assert.ok(directory.startsWith(server.data), `${who} has ${directory}`);
  }
  for (const env of [['ANDON_URL=x'], ['TMPDIR=/x'], ['A B=c'], ['=x'], ['A=1', 'A=2']]) {
    const { status, body } = await server.http.ask('PATCH', '/boards/shop', { env });
    assert.equal(status, 422, JSON.stringify(env));
    assert.match(JSON.stringify(body), /"env/);
  }
  rmSync(seen('agent'));
});
