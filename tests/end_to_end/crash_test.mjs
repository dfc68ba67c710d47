import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { ended, newTask, openShop, readTask, runsOf, startRun, waitFor } from './support/agents.mjs';
import { openPlace } from './support/place.mjs';
import { isAlive, killAll, parentOf } from './support/processes.mjs';
import { startServer } from './support/server.mjs';
import { until } from './support/until.mjs';

const kWorkers = ['ann', 'ben', 'eve'];

// Says in the ledger who runs, waits for a sign, and reports.
const recorded = (ledger, go) => `cat > /dev/null
echo "$ANDON_TASK $ANDON_RUN $$" >> ${ledger}
echo "started"
${waitFor(go)}
andon done --result "after the crash" > /dev/null
echo "finished"`;

const readLedger = (ledger) => (existsSync(ledger) ? readFileSync(ledger, 'utf8').trim().split('\n').map((line) => line.split(' ').map(Number)) : []);

async function threeRunning(place, server, ledger, go) {
  await openShop(server, Object.fromEntries(kWorkers.map((name) => [name, recorded(ledger, go)])));
  const tasks = [];
  for (const name of kWorkers) tasks.push(await newTask(server, `Work of ${name}`, { assignee: name }));
  const runs = [];
  for (const task of tasks) runs.push(await startRun(server, task));
  await until('three agents wrote in the ledger', () => readLedger(ledger).length === 3);
  return { tasks, runs };
}

test('agents outlive a crash of the server and finish under the next one', async (t) => {
  const place = openPlace(t);
  const ledger = place.path('ledger');
  const before = await startServer(place);
  const { tasks, runs } = await threeRunning(place, before, ledger, place.path('go'));
  const noted = await before.http.post(`/tasks/${tasks[0].id}/note`, { text: 'acknowledged' });
  const history = await before.http.events();
  assert.deepEqual(await before.end('SIGKILL'), { code: null, signal: 'SIGKILL' });
  for (const [, , pid] of readLedger(ledger)) assert.ok(isAlive(pid), 'an agent does not die with the server');

  const after = await startServer(place);
  assert.deepEqual((await after.http.events()).slice(0, history.length), history, 'nothing acknowledged is missing');
  assert.ok((await readTask(after, tasks[0])).rev >= noted.rev);
  await until('three runs are adopted', async () => {
    const adopted = (await after.http.events()).filter((event) => event.kind === 'run.adopted').map((event) => event.run);
    return runs.every((run) => adopted.includes(run.id));
  });
  writeFileSync(place.path('go'), '');
  for (const [index, task] of tasks.entries()) {
    const run = await ended(after, task);
    assert.deepEqual([run.id, run.outcome], [runs[index].id, 'succeeded']);
    assert.equal((await readTask(after, task)).result, 'after the crash');
    assert.equal((await after.andon('logs', String(task.id))).replace(/^Reported\. .*\n/m, ''), 'started\nfinished\n');
  }
  assert.equal(readLedger(ledger).length, 3, 'no agent ran twice');
});

test('an agent that died while no server ran ends lost and its task returns', async (t) => {
  const place = openPlace(t);
  const ledger = place.path('ledger');
  const before = await startServer(place);
  const { tasks, runs } = await threeRunning(place, before, ledger, place.path('go'));
  await before.http.ask('PUT', '/dispatch', { paused: true });
  await before.end('SIGKILL');
  const [, , victim] = readLedger(ledger).find(([task]) => task === tasks[1].id);
  const supervisor = parentOf(victim);
  assert.notEqual(supervisor, 1, 'an agent has a supervisor of its own');
  killAll([supervisor, victim]);

  const after = await startServer(place);
  const lost = await ended(after, tasks[1]);
  assert.deepEqual([lost.id, lost.outcome], [runs[1].id, 'lost']);
  const returned = await readTask(after, tasks[1]);
  assert.equal(returned.stage, 'ready');
  assert.equal(returned.claimed_by, undefined);

  writeFileSync(place.path('go'), '');
  for (const index of [0, 2]) {
    const run = await ended(after, tasks[index]);
    assert.deepEqual([run.id, run.outcome], [runs[index].id, 'succeeded']);
    assert.equal((await runsOf(after, tasks[index])).length, 1);
  }
  assert.deepEqual(readLedger(ledger).map(([, run]) => run).sort(), runs.map((run) => run.id).sort(), 'no agent ran twice');
});
