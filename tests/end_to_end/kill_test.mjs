import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ended, moveTo, newTask, openShop, readTask, runsOf, startRun } from './support/agents.mjs';
import { openPlace } from './support/place.mjs';
import { isAlive } from './support/processes.mjs';
import { startServer } from './support/server.mjs';
import { until } from './support/until.mjs';

// Deaf to TERM, with a child and a grandchild in a session of its own that are deaf too.
const stubborn = (pids) => `cat > /dev/null
trap '' TERM INT HUP
setsid sh -c 'trap "" TERM INT HUP; sleep 600 & echo $! >> ${pids}; echo $$ >> ${pids}; while :; do wait; done' &
echo $$ >> ${pids}
while :; do wait; done`;

test('kill leaves no process and puts the task back in the backlog', async (t) => {
  const place = openPlace(t);
  const server = await startServer(place);
  const pids = place.path('pids');
  await openShop(server, { stubborn: stubborn(pids) });
  const task = await newTask(server, 'Endless', { assignee: 'stubborn' });
  const run = await startRun(server, task);
  const family = await until('the agent and its descendants run', () => {
    const lines = existsSync(pids) ? readFileSync(pids, 'utf8').trim().split('\n').map(Number) : [];
    return lines.length === 3 && lines;
  });
  assert.ok(family.every(isAlive));
  assert.ok(isAlive(run.pid));

  const answer = await server.http.ask('POST', `/tasks/${task.id}/kill`, {});
  assert.equal(answer.status, 202);
  assert.equal(answer.body.id, task.id);

  const killed = await ended(server, task);
  assert.equal(killed.outcome, 'killed');
  assert.deepEqual(family.filter(isAlive), [], 'who is said to be killed is gone');
  await until('the supervising process, which reported it, has ended', () => !isAlive(run.pid));
  const back = await readTask(server, task);
  assert.equal(back.stage, 'backlog');
  assert.equal(back.claimed_by, undefined);
  const worker = await server.http.get('/workers/stubborn');
  assert.equal(worker.state, 'idle');
  assert.equal(worker.task, undefined);
  assert.ok((await server.http.events()).some((event) => event.kind === 'task.killed' && event.task === task.id));
});

test('a worker is free for the next task after a kill', async (t) => {
  const place = openPlace(t);
  const server = await startServer(place);
  await openShop(server, { sleeper: 'cat > /dev/null; [ "$ANDON_TASK" = 1 ] && sleep 600; echo done' });
  const first = await newTask(server, 'Endless', { assignee: 'sleeper' });
  const second = await newTask(server, 'Short', { assignee: 'sleeper' });
  assert.equal(first.id, 1);
  await startRun(server, first);
  await moveTo(server, second, 'todo');
  assert.match(await server.andon('kill', String(first.id)), /#1/);
  assert.equal((await ended(server, second)).outcome, 'succeeded');
  assert.equal((await readTask(server, first)).stage, 'backlog');
  assert.equal((await runsOf(server, first)).length, 1, 'what was killed does not start again');
});

test('killing what does not run is refused', async (t) => {
  const server = await startServer(openPlace(t));
  await openShop(server, {});
  const task = await newTask(server, 'Quiet');
  const answer = await server.http.ask('POST', `/tasks/${task.id}/kill`, {});
  assert.equal(answer.status, 409);
  assert.equal((await readTask(server, task)).rev, task.rev);
});
