// Agents fill no board with copies; people are warned, and merge what they find.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ended, moveTo, newTask, openShop, readTask } from './support/agents.mjs';
import { openPlace } from './support/place.mjs';
import { startServer } from './support/server.mjs';

const titlesOf = async (server) => (await server.http.get('/tasks?board=shop')).items.map((task) => task.title).sort();

test('an agent gets the standing task for an equal one, and is told how to say that a near copy is another', async (t) => {
  const server = await startServer(openPlace(t));
  const create = (title, more = '') => `andon create '${title}' --body 'The total in src/cart.cpp is wrong after a discount of two items' ${more} 2>&1`;
  await openShop(server, {
    dev: ['cat > /dev/null', create('Fix the rounding in the cart'), 'echo "code $?"', create('Fix rounding in the shopping cart'), 'echo "code $?"',
      create('Fix rounding in the shopping cart', '--not-a-copy 1'), 'echo "code $?"', create('Write a guide for the import'), 'andon done --result "made them"'].join('\n'),
  });
  const standing = await newTask(server, 'Fix the rounding in the cart', { body: 'The total in src/cart.cpp is wrong after a discount of two items' });
  const task = await newTask(server, 'Look for work', { assignee: 'dev' });
  await moveTo(server, task, 'todo');
  const run = await ended(server, task);
  const said = (await server.http.get(`/runs/${run.id}/output`)).items.map((line) => line.text).join('\n');
  assert.match(said, new RegExp(`#${standing.id}[\\s\\S]*code 0[\\s\\S]*copy of #${standing.id}[\\s\\S]*--not-a-copy ${standing.id}[\\s\\S]*code 1[\\s\\S]*code 0`));
  assert.deepEqual(await titlesOf(server), ['Fix rounding in the shopping cart', 'Fix the rounding in the cart', 'Look for work', 'Write a guide for the import']);
  assert.equal((await server.http.get('/runs/' + run.id)).created_tasks, 2);
});

test('a person is warned and never refused, and merges what doctor names', async (t) => {
  const server = await startServer(openPlace(t));
  await openShop(server, {});
  const body = 'Customers see the old price after a discount; the cache is not emptied.';
  const first = await newTask(server, 'Empty the price cache after a discount', { body, tags: ['shop'] });
  const second = await newTask(server, 'Empty the price cache after each discount', { body, tags: ['cache'] });
  assert.match(second.warnings.join(' '), new RegExp(`copy of #${first.id}`));
  const after = await newTask(server, 'Tell the customers', { depends_on: [second.id] });
  assert.match(await server.andon('copies', '--board', 'shop'), /Empty the price cache after each disc/);
  assert.match(await server.andon('doctor').catch((error) => String(error)), /andon copies/);
  assert.equal((await server.http.get('/copies?board=shop')).items.length, 1);
  assert.match(await server.andon('copies'), /#2/);
  await server.andon('merge', String(second.id), '--into', String(first.id));
  assert.equal((await readTask(server, second)).stage, 'archived');
  assert.deepEqual((await readTask(server, after)).depends_on, [first.id]);
  assert.deepEqual((await readTask(server, first)).tags.sort(), ['cache', 'shop']);
  assert.equal((await server.http.get('/copies?board=shop')).items.length, 0);
});

test('an equal task of a run is answered with 200, and a near copy with 409 and the task as it is', async (t) => {
  const server = await startServer(openPlace(t));
  const ask = (title, more = '', key = '') => `curl -s -o /dev/null -w '%{http_code} ' -H "Authorization: Bearer $ANDON_TOKEN" -H 'Content-Type: application/json' ${key && `-H 'Idempotency-Key: ${key}' `}-d '{"board":"shop","title":"${title}"${more}}' "$ANDON_URL/api/v1/tasks"`;
  await openShop(server, { dev: `cat > /dev/null\n${ask('Add an export for invoices')}\n${ask('add an export for  invoices', '', 'once')}\n${ask('add an export for  invoices', '', 'once')}\n${ask('Add the export for the invoices')}\n${ask('Add the export for the invoices', ',"not_a_copy":[2]')}\necho` });
  const task = await newTask(server, 'Make work', { assignee: 'dev' });
  await moveTo(server, task, 'todo');
  assert.match((await ended(server, task)).result, /^201 200 200 409 201/);
});
