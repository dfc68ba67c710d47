import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { ended, installProfile, moveTo, newTask, openShop, readTask, runsOf, startRun, waitFor } from './support/agents.mjs';
import { HttpClient } from './support/http_client.mjs';
import { openPlace } from './support/place.mjs';
import { told } from './support/program.mjs';
import { startServer } from './support/server.mjs';
import { until } from './support/until.mjs';

const kTalkingAgent = `cat > /dev/null
echo "on it"
andon note "half way" > /dev/null
andon heartbeat > /dev/null
andon done --result "it works" > /dev/null
echo "finished"`;

// What an agent wrote itself: what it hears of its report may come before or after.
const ownWords = (log) => log.replace(/^Reported\. .*\n/m, '');

test('an agent that reports through andon does its task in a process of its own', async (t) => {
  const server = await startServer(openPlace(t));
  await openShop(server, { developer: kTalkingAgent });
  const task = await newTask(server, 'Fix the cart', { assignee: 'developer' });
  await moveTo(server, task, 'todo');
  const run = await ended(server, task);

  assert.equal(run.outcome, 'succeeded');
  assert.deepEqual(run.exit, { code: 0 });
  assert.notEqual(run.pid, server.pid);
  const done = await readTask(server, task);
  assert.equal(done.stage, 'done');
  assert.equal(done.result, 'it works');
  assert.equal(done.claimed_by, undefined);

  const { items } = await server.http.get(`/runs/${run.id}/output`);
  assert.deepEqual(items.filter((line) => line.stream === 'stdout').map((line) => line.text), ['on it', 'finished']);
  assert.equal(ownWords(await server.andon('logs', String(task.id))), 'on it\nfinished\n');
  const far = ['--server', server.url, '--token', server.http.token];
  assert.equal(ownWords(await told(server.place, [...far, 'logs', String(task.id)])), 'on it\nfinished\n');

  const kinds = (await server.http.events()).filter((event) => event.task === task.id).map((event) => `${event.actor} ${event.kind}`);
  assert.equal(kinds.filter((line) => line === 'runner:local run.started').length, 1, 'a run is started once');
  assert.ok(kinds.includes('worker:developer task.noted'));
  assert.ok(kinds.includes('worker:developer task.completed'));
});

test('the log tells what becomes of a run, and of requests as far as it is asked to', async (t) => {
  const server = await startServer(openPlace(t), { flags: ['--log-level', 'debug'] });
  await openShop(server, { clumsy: 'cat > /dev/null; echo "no compiler here" >&2; exit 3' });
  const task = await newTask(server, 'Compile it', { assignee: 'clumsy' });
  await moveTo(server, task, 'todo');
  await ended(server, task);
  const of = `run 1 of task #${task.id} \\(board shop, worker clumsy\\)`;
  await until('the end is logged', () => new RegExp(`info ${of}: ended, failed: exit code 3`).test(server.log));
  assert.match(server.log, new RegExp(`info ${of}: started, attempt 1, process [0-9]+`));
  assert.equal((await server.http.ask('GET', '/tasks?q=secret')).status, 200);
  await until('the request is logged', () => /debug GET \/api\/v1\/tasks answered 200 after [0-9]+ ms \(request \S+\)/.test(server.log));
  assert.doesNotMatch(server.log, /secret/);
});

test('an agent that only prints is done by what it printed', async (t) => {
  const server = await startServer(openPlace(t));
  await openShop(server, { printer: 'cat; echo "made 3 files"' });
  const task = await newTask(server, 'Make three files', { assignee: 'printer', body: 'One, two and three.' });
  await moveTo(server, task, 'todo');
  const run = await ended(server, task);

  assert.equal(run.outcome, 'succeeded');
  assert.match(run.result, /made 3 files$/);
  assert.equal((await readTask(server, task)).stage, 'done');
  const printed = await server.andon('logs', String(task.id));
  assert.match(printed, /One, two and three\./, 'the brief came on standard input');
});

test('an agent that leaves nothing behind is no success', async (t) => {
  const server = await startServer(openPlace(t));
  await openShop(server, { silent: 'cat > /dev/null' });
  const task = await newTask(server, 'Say something', { assignee: 'silent' });
  await moveTo(server, task, 'todo');
  assert.equal((await ended(server, task)).outcome, 'incomplete');
  assert.equal((await runsOf(server, task)).length, 1);
});

test('a failed run comes back later, with its reason', async (t) => {
  const server = await startServer(openPlace(t));
  await openShop(server, { clumsy: 'cat > /dev/null; echo "no compiler here" >&2; exit 3' });
  const task = await newTask(server, 'Compile it', { assignee: 'clumsy' });
  await moveTo(server, task, 'todo');
  const run = await ended(server, task);

  assert.equal(run.outcome, 'failed');
  assert.deepEqual(run.exit, { code: 3 });
  const waiting = await readTask(server, task);
  assert.equal(waiting.stage, 'ready');
  assert.equal(waiting.attempt, 1);
  const pause = Date.parse(waiting.not_before) - Date.parse(run.ended);
  assert.ok(pause >= 23_000 && pause <= 37_000, `the first pause is 30 s give or take a fifth, not ${pause} ms`);
});

test('an agent that hangs in silence is stopped when its board calls it stale', async (t) => {
  const server = await startServer(openPlace(t));
  await openShop(server, { hangs: 'cat > /dev/null; exec sleep 600' });
  await server.andon('boards', 'edit', 'shop', '--stale-after', '2s');
  const task = await newTask(server, 'Wait for ever', { assignee: 'hangs' });
  await moveTo(server, task, 'todo');
  const run = await ended(server, task);
  assert.equal(run.outcome, 'timed_out');
  assert.match(run.reason, /made no progress for too long/);
  const waiting = await readTask(server, task);
  assert.deepEqual([waiting.stage, waiting.attempt], ['ready', 1]);
  assert.ok(waiting.not_before);
});

test('a missing program stops its worker and nobody else', async (t) => {
  const server = await startServer(openPlace(t));
  await openShop(server, { developer: kTalkingAgent });
  installProfile(server.data, 'ghost', ['/no/such/program']);
  await server.http.post('/workers', { name: 'ghost', agent: 'ghost' });
  const lost = await newTask(server, 'Nobody can', { assignee: 'ghost' });
  const other = await newTask(server, 'Somebody can', { assignee: 'developer' });
  await moveTo(server, lost, 'todo');
  await moveTo(server, other, 'todo');

  const ghost = await until('the worker is paused', async () => {
    const worker = await server.http.get('/workers/ghost');
    return worker.paused && worker;
  });
  assert.match(JSON.stringify(ghost), /\/no\/such\/program/, 'the worker says what is missing');
  assert.equal((await ended(server, other)).outcome, 'succeeded');
  assert.equal((await readTask(server, lost)).stage, 'ready');
});

test('an agent that removed its own directory can still report', async (t) => {
  const server = await startServer(openPlace(t));
  await openShop(server, { mover: 'cat > /dev/null; mkdir gone; cd gone; rmdir ../gone; andon done --result "all moved out"' });
  const task = await newTask(server, 'Move out', { assignee: 'mover' });
  await moveTo(server, task, 'todo');
  const run = await ended(server, task);
  assert.deepEqual([run.outcome, run.result], ['succeeded', 'all moved out']);
});

test('a role document is read from its folder and from nowhere else', async (t) => {
  const server = await startServer(openPlace(t));
  await openShop(server, { echo: 'cat; andon done --result told > /dev/null' });
  mkdirSync(`${server.data}/roles`);
  writeFileSync(`${server.data}/roles/good.md`, 'You paint cranes.');
  symlinkSync('../token', `${server.data}/roles/link.md`);
  const secret = readFileSync(`${server.data}/token`, 'utf8').trim();

  for (const file of ['../token', 'roles/../../token', `${server.data}/token`, 'roles/link.md']) {
    await server.http.told('PATCH', '/workers/echo', { prompt_file: file });
    const task = await newTask(server, `With ${file.split('/').at(-1)}`, { assignee: 'echo' });
    await moveTo(server, task, 'todo');
    await until(`the worker that names ${file} is paused`, async () => (await server.http.get('/workers/echo')).paused);
    for (const run of await runsOf(server, task))
      assert.ok(!JSON.stringify(await server.http.get(`/runs/${run.id}/output`)).includes(secret));
    await server.http.post(`/tasks/${task.id}/archive`, {});
    await server.http.post('/workers/echo/resume', {});
  }
  await server.http.told('PATCH', '/workers/echo', { prompt_file: 'roles/good.md' });
  const task = await newTask(server, 'With a role', { assignee: 'echo' });
  await moveTo(server, task, 'todo');
  const run = await ended(server, task);
  assert.match(JSON.stringify(await server.http.get(`/runs/${run.id}/output`)), /You paint cranes/);
});

test('a worker has one task at a time', async (t) => {
  const place = openPlace(t);
  const server = await startServer(place);
  await openShop(server, { developer: `cat > /dev/null; ${waitFor(place.path('go'))}; echo done` });
  const first = await newTask(server, 'First', { assignee: 'developer' });
  const second = await newTask(server, 'Second', { assignee: 'developer' });
  await startRun(server, first);

  await moveTo(server, second, 'todo');
  for (const [verb, body] of [['move', { status: 'in_progress' }], ['claim', { by: 'developer' }]]) {
    const refused = await server.http.ask('POST', `/tasks/${second.id}/${verb}`, body);
    assert.equal(refused.status, 409, verb);
    assert.equal(refused.body.code, 'WORKER_BUSY', verb);
    assert.match(refused.body.error, new RegExp(`worker "developer" already has task #${first.id}`, 'i'));
    assert.equal(refused.body.details.worker, 'developer');
    assert.equal(refused.body.details.task, first.id);
  }
  assert.equal((await readTask(server, second)).stage, 'ready');

  writeFileSync(place.path('go'), '');
  await ended(server, first);
  assert.equal((await ended(server, second)).outcome, 'succeeded', 'the next task starts when the worker is free');
});

test('an agent gets what it needs and no secret of the server', async (t) => {
  const place = openPlace(t);
  const server = await startServer(place, { env: { DATABASE_PASSWORD: 'hunter2', ANDON_TOKEN: 'of-somebody-else', AWS_SECRET_ACCESS_KEY: 'x' } });
  await openShop(server, { developer: `cat > /dev/null; env > ${place.path('seen')}; command -v andon; echo ok` });
  const task = await newTask(server, 'Look around', { assignee: 'developer' });
  await moveTo(server, task, 'todo');
  const run = await ended(server, task);

  const seen = Object.fromEntries(readFileSync(place.path('seen'), 'utf8').trim().split('\n').map((line) => line.split(/=(.*)/s).slice(0, 2)));
  const { ANDON_TOKEN: token, ...rest } = seen;
  assert.deepEqual(
    Object.fromEntries(Object.entries(rest).filter(([name]) => name.startsWith('ANDON_') && name !== 'ANDON_RUN_DIR')),
    {
      ANDON_URL: server.url, ANDON_TASK: String(task.id), ANDON_RUN: String(run.id), ANDON_EPOCH: String(run.epoch),
      ANDON_WORKER: 'developer', ANDON_BOARD: 'shop', ANDON_SOCKET: `${server.data}/andon.sock`,
    },
  );
  assert.ok(token && token !== server.token && token !== 'of-somebody-else');
  for (const name of ['DATABASE_PASSWORD', 'AWS_SECRET_ACCESS_KEY']) assert.equal(seen[name], undefined, name);
  assert.ok(!readFileSync(place.path('seen'), 'utf8').includes(server.token));
  const { items } = await server.http.get(`/runs/${run.id}/output`);
  assert.match(items[0].text, /\/andon$/, 'andon is on its PATH');
});

test('the token of a run is good for its own task, as long as it runs', async (t) => {
  const place = openPlace(t);
  const server = await startServer(place);
  const go = place.path('go');
  const tell = `echo "$ANDON_TOKEN" > ${place.path('t')}; mv ${place.path('t')} ${place.path('token')}`;
  await openShop(server, { developer: `cat > /dev/null; ${tell}; ${waitFor(go)}; echo ok` });
  await server.http.post('/boards', { name: 'secret' });
  const hidden = await server.http.post('/tasks', { board: 'secret', title: 'Not for you' });
  const other = await newTask(server, 'Somebody else\'s');
  const task = await newTask(server, 'Mine', { assignee: 'developer' });
  const { id: run } = await startRun(server, task);
  await until('the agent has told its token', () => existsSync(place.path('token')));
  const agent = new HttpClient(server.url, readFileSync(place.path('token'), 'utf8').trim());
  const seq = (await server.http.events()).at(-1).seq;

  const refused = async (status, code, method, path, body) => {
    const answer = await agent.ask(method, path, body);
    assert.deepEqual([answer.status, answer.body?.code], [status, code], `${method} ${path} ${JSON.stringify(body)}`);
  };
  assert.equal((await agent.ask('GET', `/tasks/${task.id}`)).status, 200);
  await refused(403, 'FORBIDDEN', 'POST', `/tasks/${other.id}/approve`, {});
  await refused(403, 'APPROVAL_REQUIRED', 'POST', `/tasks/${other.id}/move`, { status: 'todo' });
  await refused(403, 'APPROVAL_REQUIRED', 'POST', '/tasks', { board: 'shop', title: 'Mine too', status: 'todo' });
  await refused(403, 'FORBIDDEN', 'POST', `/tasks/${task.id}/complete`, { force: true });
  await refused(404, 'TASK_NOT_FOUND', 'GET', `/tasks/${hidden.id}`);
  await refused(404, 'BOARD_NOT_FOUND', 'GET', '/boards/secret');
  await refused(404, 'BOARD_NOT_FOUND', 'GET', '/tasks?board=secret');
  await refused(404, 'BOARD_NOT_FOUND', 'GET', '/events?boards=secret&since=0');
  await refused(404, 'BOARD_NOT_FOUND', 'POST', '/tasks', { board: 'secret', title: 'A gift' });
  assert.deepEqual((await agent.get('/search?q=Not')).items, []);
  assert.ok((await agent.events()).every((event) => event.board !== 'secret'));
  await refused(403, 'FORBIDDEN', 'POST', '/workers', { name: 'mole', agent: 'developer' });
  await refused(403, 'FORBIDDEN', 'POST', `/tasks/${task.id}/kill`, {});
  await refused(403, 'FORBIDDEN', 'POST', `/runs/${run}/usage`, { usage: { input: -1 } });
  await refused(403, 'FORBIDDEN', 'POST', `/runs/${run}/finish`, { result: 'done', checks: [{ name: 'unit', passed: true }] });
  assert.deepEqual((await agent.get('/boards')).items.map((board) => board.name), ['shop']);
  assert.equal((await server.http.events()).at(-1).seq, seq, 'no refusal left a trace');

  writeFileSync(go, '');
  await ended(server, task);
  for (const [verb, body] of [['note', { text: 'still here' }], ['complete', {}], ['heartbeat', { epoch: 1 }]])
    await refused(409, 'STALE_CLAIM', 'POST', `/tasks/${task.id}/${verb}`, body);
  await refused(409, 'STALE_CLAIM', 'POST', `/runs/${run}/usage`, { input: 1 });
  await refused(401, 'UNAUTHENTICATED', 'GET', '/boards');
});
