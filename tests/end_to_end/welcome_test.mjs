import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { openPlace } from './support/place.mjs';
import { startServer } from './support/server.mjs';
import { until } from './support/until.mjs';

const kFewestTasks = 12;
const kLongest = 90_000; // ms, for the whole board
const kAtOnce = 3;

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
  const done = await until('the other is done', async () => {
    const task = await server.http.get(`/tasks/${kept.id}`);
    return task.stage === 'done' && task;
  }, 60_000);
  assert.match(done.result, new RegExp(`Plan task ${kept.id}`));
}

test('the welcome board finishes real work by itself', async (t) => {
  const place = openPlace(t);
  const server = await startServer(place, { flags: ['--welcome'] });
  const { items: boards } = await server.http.get('/boards');
  assert.deepEqual(boards.map((board) => [board.name, board.approval]), [['welcome', 'trusted']]);

  const tasks = await until('every task is done', async () => {
    const { items } = await server.http.get('/tasks?board=welcome&limit=100');
    return items.length > 0 && items.every((task) => task.stage === 'done') && items;
  }, kLongest);
  // An agent may take its time to exit after its last word.
  const runs = await until('every run has ended', async () => {
    const { items } = await server.http.get('/runs');
    return items.every((run) => run.state === 'ended') && items;
  });
  assert.ok(tasks.length >= kFewestTasks, `${tasks.length} tasks`);
  assert.ok(tasks.some((task) => task.depends_on?.length), 'some waited for others');
  assert.ok(tasks.some((task) => task.source === 'chain'), 'a chain went on');
  assert.ok(tasks.some((task) => task.parent && task.created_by.startsWith('worker:')), 'a worker made a sub-task');
  assert.equal(new Set(tasks.map((task) => task.assignee)).size, 3);

  const events = await server.http.events();
  assert.ok(mostAtOnce(events) >= kAtOnce, `${mostAtOnce(events)} runs at once`);
  assert.deepEqual(runs.filter((run) => run.outcome !== 'succeeded'), []);

  const log = execFileSync('git', ['-C', place.path('data', 'welcome', 'repo'), 'log', '--format=%an %s'], { encoding: 'utf8' }).trim().split('\n');
  assert.ok(log.length >= kFewestTasks, `${log.length} commits`);
  for (const worker of ['developer', 'tester', 'writer']) assert.ok(log.some((line) => line.startsWith(`${worker} `)), `${worker} committed`);
  await tryTasksOfOnesOwn(server);
  assert.match(execFileSync('./tea', ['list'], { cwd: place.path('data', 'welcome', 'repo'), encoding: 'utf8' }), /green/);
});

test('only an empty store is welcomed', async (t) => {
  const place = openPlace(t);
  const first = await startServer(place);
  await first.http.post('/boards', { name: 'mine' });
  await first.end();
  const second = await startServer(place, { flags: ['--welcome'] });
  assert.deepEqual((await second.http.get('/boards')).items.map((board) => board.name), ['mine']);
});
