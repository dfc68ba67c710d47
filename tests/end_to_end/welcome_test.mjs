import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { FastTime } from './support/fast_time.mjs';
import { openPlace } from './support/place.mjs';
import { startServer } from './support/server.mjs';
import { until } from './support/until.mjs';

const kFewestTasks = 12;
const kLongest = 240_000; // ms, for each part of the board
const kAtOnce = 3;
const kSoon = 10_000; // ms of the server
const kRate = 4; // a failed task waits half a minute for its next attempt

// The most runs between their start and their end at one moment of the history.
function mostAtOnce(events) {
  const live = new Set();
  let most = 0;
  for (const event of events) {
    if (event.kind === 'run.started') live.add(event.run);
    if (event.kind === 'run.ended') live.delete(event.run);
    most = Math.max(most, live.size);
  }
  return most;
}

// What the README lets a newcomer do next: a task for one of the workers, and one that is killed at work.
async function tryTasksOfOnesOwn(server) {
  const ask = (title, assignee) => server.http.post('/tasks', { board: 'welcome', title, assignee, status: 'todo' });
  const kept = await ask('Write a poem about tea', 'writer');
  const killed = await ask('Add a pause command', 'developer');
  await until('the developer says what it does', async () => {
    const { run } = await server.http.get(`/tasks/${killed.id}`);
    return run && (await server.http.get(`/runs/${run}/output`)).items.some((line) => line.text.includes('Looking at its tests'));
  });
  await server.http.post(`/tasks/${killed.id}/kill`);
  await until('the killed task is back', async () => (await server.http.get(`/tasks/${killed.id}`)).stage === 'backlog');
  const waiting = await until('the other waits for a verdict', async () => {
    const task = await server.http.get(`/tasks/${kept.id}`);
    return task.stage === 'review' && task;
  });
  assert.match(waiting.result, new RegExp(`Plan task ${kept.id}`));
}

// Opens the printed link, as the browser of the person does.
async function arrive(server) {
  const code = await until('the link is printed', () => /#code=(\S+)/.exec(server.printed)?.[1]);
  const answer = await fetch(`${server.url}/api/v1/session`, {
    method: 'POST', headers: { 'Content-Type': 'application/json', Origin: server.url }, body: JSON.stringify({ code }),
  });
  assert.equal(answer.status, 200);
}

// Workers that think for so many seconds; a person watches them for longer.
function openHurried(t, seconds) {
  const place = openPlace(t);
  mkdirSync(place.path('data', 'welcome'), { recursive: true, mode: 0o700 });
  writeFileSync(place.path('data', 'welcome', 'pause'), `${seconds}\n`);
  return place;
}

const listTasks = async (server) => (await server.http.get('/tasks?board=welcome&limit=100')).items;

test('the welcome board waits for the first browser, and then does real work', async (t) => {
  const place = openHurried(t, 0.3);
  const time = new FastTime(kRate);
  const server = await startServer(place, { flags: ['--welcome', '--print-link'], env: time.env });
  const { items: boards } = await server.http.get('/boards');
  assert.deepEqual(boards.map((board) => [board.name, board.approval, board.worktree]), [['welcome', 'trusted', true]]);
  const before = await listTasks(server);
  assert.ok(before.length >= kFewestTasks, `${before.length} tasks`);
  assert.deepEqual([...new Set(before.map((task) => task.stage))], ['backlog']);
  await arrive(server);
  const arrived = time.now;

  const asking = await until('a worker asks', async () => (await listTasks(server)).find((task) => task.question), kLongest);
  assert.equal(asking.question.choices.length, 2);
  await server.http.post(`/tasks/${asking.id}/answer`, { text: asking.question.choices[0] });

  const waiting = await until('the release waits for a verdict', async () => (await listTasks(server)).find((task) => task.stage === 'review'), kLongest);
  await server.http.post(`/tasks/${waiting.id}/accept`);
  const yours = await until('the board is handed over', async () => (await listTasks(server)).find((task) => task.title.startsWith('Now yours')), kLongest);
  assert.equal(yours.stage, 'backlog');

  const tasks = await until('every other task is done', async () => {
    const others = (await listTasks(server)).filter((task) => task.id !== yours.id);
    return others.every((task) => task.stage === 'done') && others;
  }, kLongest);
  // An agent may take its time to exit after its last word.
  const runs = await until('every run has ended', async () => {
    const { items } = await server.http.get('/runs');
    return items.every((run) => run.state === 'ended') && items;
  });
  assert.ok(tasks.some((task) => task.depends_on?.length), 'some waited for others');
  assert.ok(tasks.some((task) => task.source === 'chain'), 'a chain went on');
  assert.ok(tasks.some((task) => task.parent && task.created_by.startsWith('worker:')), 'a worker made a sub-task');
  assert.equal(new Set(tasks.map((task) => task.assignee)).size, 3);

  const events = await server.http.events();
  const begun = Date.parse(events.find((event) => event.kind === 'run.started').ts);
  assert.ok(begun - arrived < kSoon, `the first run began ${begun - arrived} ms after the browser`);
  assert.ok(mostAtOnce(events) >= kAtOnce, `${mostAtOnce(events)} runs at once`);
  // One asked instead of ending its work, and one failed its check at first.
  assert.deepEqual(runs.filter((run) => run.outcome !== 'succeeded').map((run) => run.outcome).sort(), ['blocked', 'failed']);
  const failed = runs.find((run) => run.outcome === 'failed');
  assert.deepEqual(failed.checks.map((check) => [check.name, check.passed ?? false]), [['tests', false]]);

  const repository = place.path('data', 'welcome', 'repo');
  const log = execFileSync('git', ['-C', repository, 'log', '--format=%an %s', 'main'], { encoding: 'utf8' }).trim().split('\n');
  for (const worker of ['developer', 'tester', 'writer']) assert.ok(log.some((line) => line.startsWith(`${worker} `)), `${worker} committed`);
  await tryTasksOfOnesOwn(server);
  execFileSync('git', ['-C', repository, 'checkout', '-q', '-f', 'main']);
  assert.equal(execFileSync('./tea', ['list'], { cwd: repository, encoding: 'utf8' }).trim().split('\n').length, 5);
  assert.match(execFileSync('./tea', ['brew', 'green', '0'], { cwd: repository, encoding: 'utf8' }), /\x07/, 'it rings as it was told to');
});

test('only an empty store is welcomed', async (t) => {
  const place = openPlace(t);
  const first = await startServer(place);
  await first.http.post('/boards', { name: 'mine' });
  await first.end();
  const second = await startServer(place, { flags: ['--welcome'] });
  assert.deepEqual((await second.http.get('/boards')).items.map((board) => board.name), ['mine']);
});
