import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { installAgent, moveTo, newTask, readTask, runsOf } from './support/agents.mjs';
import { openPlace } from './support/place.mjs';
import { asWorker, makeRepository } from './support/repository.mjs';
import { startServer } from './support/server.mjs';
import { until } from './support/until.mjs';

const kLanding = 180_000; // ms

async function openShop(t, scripts, board = {}) {
  const place = openPlace(t);
  const repository = makeRepository(place);
  const server = await startServer(place);
  await server.http.post('/boards', { name: 'shop', template: 'classic', repo: repository.directory, worktree: true, ...board });
  for (const [name, script] of Object.entries(scripts)) {
    installAgent(server.data, name, `${asWorker}\n${script}`);
    await server.http.post('/workers', { name, agent: name });
  }
  return { place, repository, server };
}

async function land(server, title, worker) {
  const task = await newTask(server, title, { assignee: worker });
  await moveTo(server, task, 'todo');
  await until(`"${title}" is landed`, async () => (await runsOf(server, task)).at(-1)?.landing?.state === 'landed', kLanding);
  return task;
}

const revertOf = async (server, task) => (await runsOf(server, task)).findLast((run) => run.revert)?.revert;
const settled = (server, task) =>
  until(`the revert of ${task.id} is over`, async () => !['waiting', undefined].includes((await revertOf(server, task))?.state), kLanding);

const writer = (file, text) => `cat > /dev/null; echo ${text} > ${file}; git add .; git commit -qm ${text}; andon done --result made`;

test('landed work is taken back, its task is open again, and the next attempt lands it again', async (t) => {
  const { place, repository, server } = await openShop(t, { carter: writer('cart.txt', 'cart'), basketeer: writer('b.txt', 'basket') });
  const prompt = place.path('prompt');
  installAgent(server.data, 'carter', `${asWorker}\n${writer('cart.txt', 'cart').replace('/dev/null', prompt)}`);
  const cart = await land(server, 'Cart', 'carter');
  await land(server, 'Basket', 'basketeer');
  assert.ok((await server.http.get(`/tasks/${cart.id}`)).can.includes('revert'));
  await server.http.post('/workers/carter/pause', {});

  const told = await server.andon('revert', String(cart.id), '--reason', 'it breaks the shop');
  assert.match(told, /Task #1 waits to be taken back: Cart/);
  assert.match(told, /landing queue/);
  await settled(server, cart);
  const revert = await revertOf(server, cart);
  assert.deepEqual([revert.state, revert.reason], ['reverted', undefined]);
  assert.equal(repository.sh('git rev-parse main'), revert.commit);
  assert.equal(repository.sh('ls; cat b.txt; git status --porcelain'), 'a.txt\nb.txt\nbasket');
  assert.match(repository.sh('git log -1 --format=%B main'), /^Revert "Cart"\n\nTakes back the work on task #1/);
  assert.equal((await readTask(server, cart)).stage, 'ready');
  assert.match(await server.andon('log', '--task', String(cart.id)), new RegExp(`taken back on main by ${revert.commit.slice(0, 12)}: it breaks the shop`));
  assert.match(await server.andon('show', String(cart.id)), new RegExp(`Revert: +reverted: ${revert.commit.slice(0, 12)}`));

  await server.http.post('/workers/carter/resume', {});
  await until('it lands again', async () => (await runsOf(server, cart)).filter((run) => run.landing?.state === 'landed').length === 2, kLanding);
  assert.equal(repository.sh('cat cart.txt'), 'cart');
  assert.match(readFileSync(prompt, 'utf8'), /was taken back on main by the commit [0-9a-f]{12}: it breaks the shop/);
});

test('what stands in the way is named, and nothing is changed', async (t) => {
  const { repository, server } = await openShop(t, {
    first: 'cat > /dev/null; printf "1\\n2\\n3\\n" > list.txt; git add .; git commit -qm list; andon done --result made',
    second: 'cat > /dev/null; sed -i s/2/two/ list.txt; git commit -qam two; andon done --result made',
  });
  const list = await land(server, 'List', 'first');
  const two = await land(server, 'Two', 'second');
  const head = repository.sh('git rev-parse main');
  await server.andon('revert', String(list.id), '--then', 'close');
  await settled(server, list);
  const refused = await revertOf(server, list);
  assert.equal(refused.state, 'refused');
  assert.match(refused.reason, /#2 "Two" \([0-9a-f]+\) changed the same after it in list\.txt; take that back first/);
  assert.equal((await readTask(server, list)).stage, 'done');
  assert.equal(repository.sh('git rev-parse main'), head);
  for (const task of [two, list]) {
    await server.andon('revert', String(task.id), '--then', 'close');
    await settled(server, task);
    await until('it is archived', async () => (await readTask(server, task)).stage === 'archived', kLanding);
  }
  assert.equal(repository.sh('ls'), 'a.txt\nb.txt');
});

test('a server that is killed while it takes work back finishes it after its start', async (t) => {
  const { place, repository, server } = await openShop(t, { carter: writer('cart.txt', 'cart') });
  const cart = await land(server, 'Cart', 'carter');
  await server.http.post('/workers/carter/pause', {});
  const landed = repository.sh('git rev-list --count main');
  let now = server;
  await now.andon('revert', String(cart.id), '--then', 'close');
  for (let kills = 0; kills < 5; ++kills) {
    await pause(30 * kills);
    await now.end('SIGKILL');
    now = await startServer(place);
  }
  await settled(now, cart);
  assert.equal((await revertOf(now, cart)).commit, repository.sh('git rev-parse main'));
  assert.equal(Number(repository.sh('git rev-list --count main')), Number(landed) + 1);
  assert.equal(repository.sh('ls; git status --porcelain'), 'a.txt\nb.txt');
  await until('it is archived', async () => (await readTask(now, cart)).stage === 'archived', kLanding);
});
