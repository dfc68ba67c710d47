// Limits of runs, starts on a busy machine, and the next account at a usage limit.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ended, installAgent, installProfile, moveTo, newTask, openShop, readTask, runsOf } from './support/agents.mjs';
import { openPlace } from './support/place.mjs';
import { processesNaming } from './support/processes.mjs';
import { asWorker, makeRepository } from './support/repository.mjs';
import { startServer } from './support/server.mjs';
import { until } from './support/until.mjs';

const kMiB = 1024 * 1024;
const kLongSleep = 60 + process.pid / 1e6; // s; found among the processes by this number
const node = (script) => `cat > /dev/null; exec "${process.execPath}" -e '${script}'`;

// A task of a worker whose agent is that script and whose runs have these limits, run once.
async function runWith(t, script, limits) {
  const place = openPlace(t);
  const server = await startServer(place);
  await openShop(server, { dev: script });
  await server.http.told('PATCH', '/workers/dev', { limits });
  const task = await newTask(server, 'Try it', { assignee: 'dev', max_attempts: 1 });
  await moveTo(server, task, 'todo');
  return { place, server, task, run: await ended(server, task) };
}

test('a run that takes more memory than it may ends with its peak, and nothing of it is left', async (t) => {
  const { place, server, task, run } = await runWith(t, node('const kept = []; setInterval(() => kept.push(Buffer.alloc(64 << 20, 1)), 20)'), { memory: '300MiB' });
  assert.equal(run.outcome, 'failed');
  assert.match(run.reason, /^used [0-9.]+ [MG]iB of memory, more than the 300 MiB that it may/);
  assert.ok(run.peak_memory > 300 * kMiB, String(run.peak_memory));
  assert.match(run.cpu_time, /s$/);
  assert.equal((await readTask(server, task)).block_reason, run.reason);
  assert.match(await server.andon('runs', String(task.id)), /MiB|GiB/);
  await until('nobody is left but the server', () => processesNaming(place.root).every((pid) => pid === server.pid));
});

test('a run that allocates faster than it can be watched is judged by what the kernel saw', async (t) => {
  const { run } = await runWith(t, node('Buffer.alloc(1 << 30, 1); console.log("made it")'), { memory: '200MiB' });
  assert.equal(run.outcome, 'failed');
  assert.match(run.reason, /more than the 200 MiB that it may/);
});

test('a run is held to its processes and its disk', async (t) => {
  const many = await runWith(t, 'cat > /dev/null; for i in 1 2 3 4 5 6 7 8 9 10 11 12; do sleep 60 & done; wait', { processes: 8 });
  assert.match(many.run.reason, /^used \d+ processes at once, more than the 8 that it may/);
  const full = await runWith(t, 'cat > /dev/null; for i in 1 2 3 4 5 6 7 8; do head -c 4000000 /dev/zero > part$i; sleep 0.3; done; sleep 60', { disk: '10MiB' });
  assert.match(full.run.reason, /^used [0-9.]+ MiB of disk, more than the 10 MiB that it may/);
});

// A task on a board whose set-up is that command, with a limit of memory, and the supervising process in that set-up.
async function inSetUp(t, command) {
  const place = openPlace(t);
  const server = await startServer(place);
  const repository = makeRepository(place);
  await server.http.post('/boards', { name: 'shop', repo: repository.directory, worktree: true, limits: { memory: '200MiB' }, setup: [['sh', '-c', command]] });
  installAgent(server.data, 'dev', 'cat > /dev/null; echo "made it"');
  await server.http.post('/workers', { name: 'dev', agent: 'dev' });
  const task = await newTask(server, 'Try it', { assignee: 'dev', max_attempts: 1 });
  await moveTo(server, task, 'todo');
  return { place, server, task };
}

test('the commands of a set-up are held to the limits of their run', async (t) => {
  const { server, task } = await inSetUp(t, `"${process.execPath}" -e 'const kept = []; setInterval(() => kept.push(Buffer.alloc(32 << 20, 1)), 20)'`);
  const run = await ended(server, task);
  assert.deepEqual([run.outcome, run.reason.startsWith('used ')], ['failed', true], run.reason);
});

test('a run that is ended in its set-up because the machine has no memory waits and is tried again', async (t) => {
  const { place, server, task } = await inSetUp(t, `exec sleep ${kLongSleep}`);
  await until('the set-up has begun', () => processesNaming(`sleep\0${kLongSleep}`).length > 0);
  const run = (await runsOf(server, task))[0];
  process.kill(run.pid, 'SIGUSR2');
  const over = await ended(server, task);
  assert.match(over.reason, /^the machine had no memory left/);
  const now = await readTask(server, task);
  assert.deepEqual([now.stage, now.attempt, now.approved], ['ready', 0, true]);
  await server.http.post(`/tasks/${task.id}/archive`);
  await until('nobody is left but the server', () => processesNaming(place.root).every((pid) => pid === server.pid));
});

test('a run within its limits tells what it used', async (t) => {
  const { server, run } = await runWith(t, node('const kept = Buffer.alloc(100 << 20, 1); const end = Date.now() + 1500; while (Date.now() < end); console.log("made it", kept.length)'), { memory: '2GiB', processes: 50 });
  assert.equal(run.outcome, 'succeeded');
  assert.ok(run.peak_memory > 100 * kMiB && run.peak_memory < 1024 * kMiB, String(run.peak_memory));
  const card = (await server.http.get('/boards/shop/snapshot')).tasks.find((one) => one.id === run.task);
  assert.equal(card.spent.peak_memory, run.peak_memory);
});

test('limits, agents and quiet hours come from people, and wrong ones are refused by name', async (t) => {
  const server = await startServer(openPlace(t));
  await openShop(server, { dev: 'cat > /dev/null; andon workers edit dev --limits "{}" > edited 2>&1; cat edited; andon accounts resume dev >> edited 2>&1; cat edited' });
  const refused = async (body) => (await server.http.ask('PATCH', '/workers/dev', body)).body;
  assert.equal((await refused({ limits: { memory: '1KiB' } })).field, 'limits/memory');
  assert.equal((await refused({ limits: { memory: 'much' } })).code, 'INVALID_INPUT');
  assert.equal((await refused({ limits: { cpu_weight: 20_000 } })).field, 'limits/cpu_weight');
  assert.equal((await refused({ quiet: { from: '25:00', to: '07:00' } })).field, 'quiet/from');
  assert.match((await refused({ agents: ['dev', 'nobody'] })).error, /nobody/);
  const task = await newTask(server, 'Take more', { assignee: 'dev', body: 'limits: {"memory": "64GiB"}\nplan: none\nagents: [codex]' });
  await moveTo(server, task, 'todo');
  assert.match((await ended(server, task)).result, /does not have the rights/);
});

test('at a usage limit the next attempt goes on with the next account and the work so far', async (t) => {
  const place = openPlace(t);
  const server = await startServer(place);
  const repository = makeRepository(place);
  await server.http.post('/boards', { name: 'shop', repo: repository.directory, worktree: true });
  installAgent(server.data, 'first', `${asWorker}\ncat > /dev/null\nandon note "half of it is done"\necho half > half.txt\ngit add .\ngit commit -qm half\nexit 7`);
  installProfile(server.data, 'first@work', [`${server.data}/scripts/first`], { exit: { 0: 'ok', 7: 'limit' } });
  installAgent(server.data, 'second', `${asWorker}\ncat > prompt.txt\ncp "$ANDON_RUN_DIR/earlier-work.diff" diff.txt\ntest -f half.txt && git add . && git commit -qm whole && andon done --result "made it"`);
  await server.http.post('/workers', { name: 'dev', agents: ['first@work', 'second'] });
  const task = await newTask(server, 'Write it', { assignee: 'dev', body: 'The brief of it.' });
  await moveTo(server, task, 'todo');
  const runs = await until('the second run ends', async () => {
    const all = await runsOf(server, task);
    return all.length === 2 && all.every((run) => run.state === 'ended') && all;
  });
  assert.deepEqual(runs.map((run) => [run.agent, run.outcome, run.attempt]), [['first@work', 'rate_limited', 1], ['second', 'succeeded', 1]]);
  const at = (name) => repository.sh(`git --git-dir ${server.data}/repositories/*/repo/.git show ${runs[1].head}:${name}`);
  assert.match(at('prompt.txt'), /The brief of it\.[\s\S]*half of it is done/);
  assert.match(at('diff.txt'), /\+half/);
  const worker = await server.http.get('/workers/dev');
  assert.equal(worker.uses, 'second');
  assert.match(await server.andon('accounts', 'list'), /first@work/);
});

test('a server that is killed between accounts starts nothing on the one that rests', async (t) => {
  const place = openPlace(t);
  let server = await startServer(place);
  await openShop(server, {});
  for (const id of ['one', 'two']) installAgent(server.data, id, `cat > /dev/null; echo ${id} >> ${place.path('started')}; ${id === 'one' ? 'exit 7' : 'sleep 1; echo "made it"'}`);
  installProfile(server.data, 'one', [`${server.data}/scripts/one`], { exit: { 0: 'ok', 7: 'limit' } });
  await server.http.post('/workers', { name: 'dev', agents: ['one', 'two'] });
  const tasks = [];
  for (let i = 0; i < 3; ++i) tasks.push(await newTask(server, `Task number ${i}`, { assignee: 'dev' }));
  for (const task of tasks) await moveTo(server, task, 'todo');
  // Each server ends a few events further on, so that the kills meet different steps.
  for (let round = 1; round <= 6; ++round) {
    const before = (await server.http.events()).length;
    await until('the history grows', async () => (await server.http.events()).length >= before + round % 3, 3_000).catch(() => {});
    await server.end('SIGKILL');
    server = await startServer(place);
  }
  await until('every task is done', async () => (await Promise.all(tasks.map((task) => readTask(server, task)))).every((task) => task.stage === 'done'));
  const started = readFileSync(place.path('started'), 'utf8').trim().split('\n');
  assert.ok(started.filter((id) => id === 'one').length <= 2, started.join(' '));
  for (const task of tasks) assert.equal((await runsOf(server, task)).filter((run) => run.outcome === 'succeeded').length, 1);
});
