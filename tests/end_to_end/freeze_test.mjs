import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { ended, newTask, openShop, startRun } from './support/agents.mjs';
import { openPlace } from './support/place.mjs';
import { startServer } from './support/server.mjs';
import { until } from './support/until.mjs';

// A child in a session of its own counts too.
const counting = (pids, go) => `cat > /dev/null
setsid sh -c 'echo $$ >> ${pids}; while :; do sleep 600 & wait; done' &
echo $$ >> ${pids}
while [ ! -e ${go} ]; do sleep 0.05; done
echo counted`;

// A shell that waits for a child between vfork and exec shows the state D, and stands still as well.
const standsStill = (pid) => ['T', 'D'].includes(stateOf(pid));
const stateOf = (pid) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1][0];

test('freeze stops every process of an agent where it is, and thaw lets it finish', async (t) => {
  const place = openPlace(t);
  const server = await startServer(place);
  const pids = place.path('pids');
  const go = place.path('go');
  await openShop(server, { counter: counting(pids, go) });
  const task = await newTask(server, 'Count', { assignee: 'counter' });
  await startRun(server, task);
  const family = await until('the agent and its child run', () => {
    const lines = existsSync(pids) ? readFileSync(pids, 'utf8').trim().split('\n').map(Number) : [];
    return lines.length === 2 && lines;
  });

  assert.equal(await server.andon('freeze', '--worker', 'counter'), 'The agents of these stand still: worker counter\n');
  await until('all stand still', () => family.every(standsStill));
  assert.equal((await server.http.get('/workers/counter')).state, 'paused');
  const second = await newTask(server, 'Later', { assignee: 'counter', status: 'todo' });
  assert.match(await server.andon('why', String(second.id)), /frozen/);

  await server.andon('thaw');
  await until('all go on', () => family.every((pid) => stateOf(pid) !== 'T'));
  writeFileSync(go, '');
  assert.equal((await ended(server, task)).outcome, 'succeeded');
});
