import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPlace } from './support/place.mjs';
import { startServer } from './support/server.mjs';

const kRounds = 4;
const kTasks = 40;

// Sends a completion under its key; a server that is killed answers nothing.
async function complete(server, task) {
  try {
    const answer = await server.http.ask('POST', `/tasks/${task.id}/complete`, { result: 'made it' }, { 'Idempotency-Key': `done-${task.id}` });
    return answer.status;
  } catch {
    return undefined;
  }
}

test('a chain goes on exactly once though the server is killed and completions are sent again', async (t) => {
  const place = openPlace(t);
  let server = await startServer(place, { flags: ['--no-runner'] });
  await server.http.post('/boards', { name: 'shop' });
  for (let round = 1; round <= kRounds; round++) {
    const items = Array.from({ length: kTasks }, (_, n) => ({
      title: `Work ${round}.${n}`, board: 'shop', status: 'in_progress', next_tasks: [{ title: 'Check {{parent.id}}: {{parent.result}}' }],
    }));
    const parents = (await server.http.post('/tasks', items)).items;
    let answered = 0;
    const tries = parents.map(async (task) => {
      const status = await complete(server, task);
      if (status === 200 && ++answered === round * 5) server.child.kill('SIGKILL');
    });
    await Promise.all(tries);
    await server.end('SIGKILL');

    server = await startServer(place, { flags: ['--no-runner'] });
    for (const task of parents) assert.equal(await complete(server, task), 200);
    for (const task of parents) await server.http.post(`/tasks/${task.id}/complete`);
    const children = (await server.http.get('/tasks?board=shop&stage=ready&limit=500')).items;
    for (const task of parents) {
      const own = children.filter((child) => child.parent === task.id);
      assert.deepEqual(own.map((child) => child.title), [`Check ${task.id}: made it`]);
    }
  }
});
