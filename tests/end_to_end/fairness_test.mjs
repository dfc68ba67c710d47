import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HttpClient } from './support/http_client.mjs';
import { openPlace } from './support/place.mjs';
import { startServer } from './support/server.mjs';
import { until } from './support/until.mjs';

// One program that asks without end delays nobody else: others read, are let in and keep their claims.

const kTasks = 4_000;
const kFlood = 150;

async function serverWithTasks(t) {
  const server = await startServer(openPlace(t), { flags: ['--no-runner'] });
  await server.http.post('/boards', { name: 'wide', template: 'flow' });
  for (let first = 0; first < kTasks; first += 1000) {
    const tasks = Array.from({ length: 1000 }, (_, n) => ({
      board: 'wide', title: `Task ${first + n}`, status: 'todo', body: `The cart of customer ${first + n} loses its session. `.repeat(40),
    }));
    await server.http.post('/tasks', tasks);
  }
  return server;
}

async function person(server, name) {
  return new HttpClient(server.url, /andon_t_\w+/.exec(await server.andon('token', 'create', name))[0]);
}

test('AFloodOfSearchesDelaysNobody: brief reads and renewals of others are answered first', async (t) => {
  const server = await serverWithTasks(t);
  const [greedy, other] = [await person(server, 'greedy'), await person(server, 'other')];
  const { id, epoch } = await other.post('/pick', { by: 'other', boards: ['wide'] });

  const answered = [];
  const note = (what) => (answer) => answered.push({ what, status: answer.status, headers: answer.headers });
  const flood = Array.from({ length: kFlood }, (_, n) =>
    greedy.ask('GET', `/tasks?q=session%20${n}&limit=500&sort=updated`).then(note('flood')));
  const rest = [];
  for (let n = 0; n < 10; ++n) {
    rest.push(other.ask('GET', '/boards').then(note('boards')));
    rest.push(other.ask('POST', `/tasks/${id}/heartbeat`, { epoch }).then(note('renewal')));
  }
  await Promise.all(rest);
  await Promise.all(flood);

  for (const { what, status } of answered) if (what !== 'flood') assert.equal(status, 200, what);
  const statuses = answered.filter(({ what }) => what === 'flood').map(({ status }) => status);
  assert.ok(statuses.includes(200) && statuses.includes(429), String([...new Set(statuses)]));
  assert.ok(statuses.every((status) => [200, 429, 503].includes(status)), String([...new Set(statuses)]));
  const first = answered.find(({ status }) => status === 429);
  assert.equal(first.headers.get('retry-after'), '1');
});

test('ARevokedTokenIsOutAtOnce: also while long reads are under way', async (t) => {
  const server = await serverWithTasks(t);
  const [greedy, other] = [await person(server, 'greedy'), await person(server, 'other')];
  const flood = Array.from({ length: 8 }, () => greedy.ask('GET', '/tasks?q=customer&limit=500'));
  assert.equal((await other.ask('GET', '/boards')).status, 200);
  const { items } = await server.http.get('/tokens');
  await server.http.told('DELETE', `/tokens/${items.find(({ name }) => name === 'other').id}`);
  assert.equal((await other.ask('GET', '/boards')).status, 401);
  await Promise.all(flood);
});

test('ADeepChainDoesNotEndTheServer: parents that complete themselves do so however deep they are nested', async (t) => {
  const server = await startServer(openPlace(t), { flags: ['--no-runner'] });
  await server.http.post('/boards', { name: 'deep', template: 'classic' });
  let parent;
  const tasks = [];
  for (let n = 0; n <= 100; ++n) {
    const task = await server.http.post('/tasks', { board: 'deep', title: `Level ${n}`, status: 'todo', autocomplete: true, ...(parent && { parent }) });
    tasks.push((parent = task.id));
  }
  const refused = await server.http.ask('POST', '/tasks', { board: 'deep', title: 'One more', parent });
  assert.deepEqual([refused.status, refused.body.code, refused.body.field], [422, 'INVALID_INPUT', 'parent']);
  await server.http.post(`/tasks/${parent}/move`, { status: 'done' });
  await until('the first of them is done', async () => (await server.http.get(`/tasks/${tasks[0]}`)).stage === 'done');
  assert.equal(server.exit, undefined);
});
