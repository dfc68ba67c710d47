import assert from 'node:assert/strict';
import { test } from 'node:test';
import { andon } from './support/program.mjs';
import { openPlace } from './support/place.mjs';
import { startServer } from './support/server.mjs';
import { until } from './support/until.mjs';

async function shop(t, flags = []) {
  const place = openPlace(t);
  const server = await startServer(place, { flags });
  await server.http.post('/boards', { name: 'shop' });
  return { place, server };
}

const tasksOf = async (server) => (await server.http.get('/tasks?board=shop')).items;
const firedIn = async (server) => (await server.http.events()).filter((event) => event.kind === 'automation.fired');

test('an automation runs by hand, one open task at a time', async (t) => {
  const { place, server } = await shop(t);
  const said = await server.andon(
    'automations', 'add', 'planner', '--board', 'shop', '--cron', '0 8 * * MON-FRI', '--tz', 'Europe/Berlin',
    '--title', 'Plan the day', '--role', 'planner', '--body', 'How it stands:\n{{metrics}}');
  assert.equal(said, 'Added automation planner\n');
  assert.match(await server.andon('automations'), /^NAME +BOARD +WHEN .*\nplanner +shop +0 8 \* \* MON-FRI Europe\/Berlin +\d{4}-/);
  const task = await server.andon('automations', 'run', 'planner', '--json');
  assert.deepEqual(
    [task.title, task.role, task.stage, task.source, task.created_by],
    ['Plan the day', 'planner', 'ready', 'automation', 'automation:planner']);
  assert.match((await server.http.get(`/tasks/${task.id}`)).body, /^How it stands:\n- Now: backlog 0, todo 0/);
  const again = await andon(place, ['--dir', server.data, 'automations', 'run', 'planner', '--json']);
  assert.equal(again.code, 1);
  assert.equal(JSON.parse(again.out).code, 'STATUS_CONFLICT');
  assert.equal((await tasksOf(server)).length, 1);
  const [fired] = await firedIn(server);
  assert.deepEqual([fired.board, fired.task, fired.data.why], ['shop', task.id, 'hand']);
  assert.match(await server.andon('log', '--action', 'automation.fired'), /automation\.fired +#1 .*Plan the day/);
  const refused = await server.http.ask('POST', '/automations', { name: 'x', cron: '99 * * * *', template: { title: 'T' } });
  assert.deepEqual([refused.status, refused.body.field], [422, 'cron']);
  assert.equal(await server.andon('automations', 'remove', 'planner'), 'Removed automation planner\n');
  assert.equal((await server.http.ask('GET', '/automations/planner')).status, 404);
});

test('a dry queue is filled again and again, also by a server without a runner', async (t) => {
  const { server } = await shop(t, ['--no-runner']);
  await server.http.post('/automations', { name: 'refill', board: 'shop', after: '1s', template: { title: 'Find work' } });
  for (const round of [1, 2]) {
    const task = await until(`task ${round} is there`, async () => (await tasksOf(server)).find((one) => one.stage === 'ready'));
    assert.equal(task.source, 'automation');
    assert.equal((await server.http.get('/automations/refill')).fired, round);
    await server.http.post(`/tasks/${task.id}/move`, { status: 'done' });
  }
  const fired = await firedIn(server);
  assert.ok(fired.every((event) => event.actor === 'automation:refill' && event.data.why === 'queue_dry'));
});
