import assert from 'node:assert/strict';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { ended, installAgent, moveTo, newTask, openShop, readTask, runsOf, startRun, waitFor } from './support/agents.mjs';
import { lastingAddress } from './support/address.mjs';
import { missing, openTab } from './support/browser.mjs';
import { openPlace } from './support/place.mjs';
import { isAlive } from './support/processes.mjs';
import { told } from './support/program.mjs';
import { asWorker, makeRepository } from './support/repository.mjs';
import { startServer } from './support/server.mjs';
import { until } from './support/until.mjs';

const skip = missing();

const card = (page, id) => page.locator(`[data-card="${id}"]`);
const column = (page, name) => page.locator(`[data-column="${name}"] .list`);
const isIn = (page, id, name) => async () => (await column(page, name).locator(`[data-card="${id}"]`).count()) === 1;

async function drag(page, id, name) {
  const from = await card(page, id).boundingBox();
  const to = await column(page, name).boundingBox();
  await page.mouse.move(from.x + 80, from.y + 30);
  await page.mouse.down();
  await page.mouse.move(from.x + 100, from.y + 40, { steps: 3 });
  await page.mouse.move(to.x + 80, to.y + 60, { steps: 8 });
  await page.mouse.up();
}

async function signIn(page, server) {
  const link = await until('the link is printed', () => /^open (\S+)$/m.exec(server.printed)?.[1]);
  await page.goto(link);
  await page.locator('#board').waitFor();
  return link;
}

// The page with three tasks in the backlog of a board, signed in with the link the server prints.
async function openPage(t, scripts = {}, listen = '127.0.0.1:0') {
  const place = openPlace(t);
  const server = await startServer(place, { listen, flags: ['--print-link'] });
  await openShop(server, typeof scripts === 'function' ? scripts(place) : scripts);
  const tasks = [];
  for (const title of ['Fix the cart', 'Test the cart', 'Sell the cart'])
    tasks.push(await newTask(server, title));
  const tab = await openTab(place);
  const link = await signIn(tab.page, server);
  await card(tab.page, tasks[0].id).waitFor();
  return { place, server, tasks, link, ...tab };
}

test('the printed link signs in, once', { skip }, async (t) => {
  const { page, server, link, complaints } = await openPage(t);
  assert.ok(!page.url().includes('code'), 'the code leaves the address');
  assert.equal(await page.locator('[data-column]').count(), 5);
  const code = new URL(link).hash.replace('#code=', '');
  const again = await fetch(`${server.url}/api/v1/session`, {
    method: 'POST', headers: { 'Content-Type': 'application/json', Origin: server.url }, body: JSON.stringify({ code }),
  });
  assert.equal(again.status, 401);

  await page.evaluate(() => localStorage.clear());
  await page.goto(server.url);
  await page.getByText('andon open').first().waitFor();
  assert.equal(await page.locator('[data-card]').count(), 0, 'without a session there is nothing to see');
  assert.deepEqual(complaints, []);
});

test('the page comes with a strict policy and runs under it', { skip }, async (t) => {
  const { page, server, complaints } = await openPage(t);
  const answer = await fetch(server.url);
  const policy = answer.headers.get('content-security-policy');
  assert.match(policy, /default-src 'self'/);
  assert.match(policy, /frame-ancestors 'none'/);
  assert.doesNotMatch(policy, /unsafe|\*|data:|https?:|(script|connect|style|frame|worker)-src/);
  assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
  assert.deepEqual(complaints, []);
});

test('a card dragged to another column is there in the store', { skip }, async (t) => {
  const { page, server, tasks, complaints } = await openPage(t);
  await drag(page, tasks[0].id, 'todo');
  await until('the task is in the column', async () => (await readTask(server, tasks[0])).status === 'todo');
  await until('the card is in the column', isIn(page, tasks[0].id, 'todo'));
  const moved = (await server.http.events()).find((event) => event.kind === 'task.moved');
  assert.deepEqual([moved.task, moved.from, moved.to], [tasks[0].id, 'backlog', 'todo']);
  await page.reload();
  await until('the card is there after a reload', isIn(page, tasks[0].id, 'todo'));
  assert.deepEqual(complaints, []);
});

test('a change from the command line appears by itself', { skip }, async (t) => {
  const { page, server, tasks, complaints } = await openPage(t);
  await server.andon('move', String(tasks[1].id), 'done');
  await until('the card moves', isIn(page, tasks[1].id, 'done'));
  await server.andon('create', 'Brand new', '--board', 'shop');
  await until('the card appears', async () => (await column(page, 'backlog').getByText('Brand new').count()) === 1);
  assert.deepEqual(complaints, []);
});

test('the drawer shows the output of a run while it runs', { skip }, async (t) => {
  const talking = (place) => ({ ann: `cat > /dev/null; echo "first words"; ${waitFor(place.path('go'))}; echo "last words"` });
  const { place, page, server, tasks, complaints } = await openPage(t, talking);
  const task = await newTask(server, 'Talk', { assignee: 'ann' });
  await startRun(server, task);
  await until('the card is in progress', isIn(page, task.id, 'in_progress'));
  await card(page, task.id).locator('a').click();
  const log = page.locator('.log');
  await until('the first words are shown', async () => (await log.innerText()).includes('first words'));
  assert.ok(!(await log.innerText()).includes('last words'));
  writeFileSync(place.path('go'), '');
  await until('the last words are shown', async () => (await log.innerText()).includes('last words'));
  await until('the card is done', isIn(page, task.id, 'done'));
  assert.equal((await readTask(server, tasks[0])).stage, 'backlog');
  assert.deepEqual(complaints, []);
});

test('a run is stopped from its card, after a question', { skip }, async (t) => {
  const { page, server, complaints } = await openPage(t, { sleeper: 'cat > /dev/null; echo on it; sleep 600' });
  const task = await newTask(server, 'Endless', { assignee: 'sleeper' });
  const run = await startRun(server, task);
  await until('the card is in progress', isIn(page, task.id, 'in_progress'));
  await card(page, task.id).getByLabel(/Stop the run/).click();
  await page.getByRole('button', { name: 'Keep running' }).click();
  assert.ok(isAlive(run.pid));

  await card(page, task.id).getByLabel(/Stop the run/).click();
  await page.getByRole('button', { name: 'Stop the run', exact: true }).click();
  assert.equal((await ended(server, task)).outcome, 'killed');
  await until('the card is back', isIn(page, task.id, 'backlog'));
  await until('the supervising process, which reported it, has ended', () => !isAlive(run.pid));
  assert.deepEqual(complaints, []);
});

test('the history names the person and the worker, and never the runner', { skip }, async (t) => {
  const { page, server, complaints } = await openPage(t, { sleeper: 'cat > /dev/null; echo on it; sleep 600' });
  const task = await newTask(server, 'Endless', { assignee: 'sleeper' });
  await startRun(server, task);
  await page.goto(`${server.url}/t/${task.id}`);
  await page.locator('.drawer').getByRole('button', { name: 'Stop the run' }).click();
  await page.locator('dialog').getByRole('button', { name: 'Stop the run', exact: true }).click();
  await ended(server, task);
  const lines = page.getByRole('region', { name: 'History' }).locator('.line');
  await until('the stop is told', async () => (await lines.allInnerTexts()).some((line) => line.startsWith('admin stopped the run')));
  const told = await lines.allInnerTexts();
  assert.ok(told.some((line) => line.startsWith('admin asked to stop the run')), told.join('\n'));
  assert.ok(told.some((line) => line.startsWith('sleeper began to work')), told.join('\n'));
  assert.ok(!told.some((line) => /local|runner|changed it/.test(line)), told.join('\n'));
  assert.deepEqual(complaints, []);
});

test('a failed attempt is told as the doing of Andon, with its reason on the card', { skip }, async (t) => {
  const { page, server, complaints } = await openPage(t, { clumsy: 'cat > /dev/null; echo "no space left" >&2; exit 3' });
  const task = await newTask(server, 'Transcode', { assignee: 'clumsy' });
  await moveTo(server, task, 'todo');
  await until('the card says why', async () => (await card(page, task.id).innerText()).includes('exit code 3: no space left'));
  assert.match(await card(page, task.id).innerText(), /failed[^]*again in/);
  await card(page, task.id).locator('a').click();
  const lines = page.getByRole('region', { name: 'History' }).locator('.line');
  await until('the retry is told', async () => (await lines.allInnerTexts()).some((line) => line.startsWith('Andon queued it again')));
  await card(page, task.id).getByRole('button', { name: /^Try/ }).click();
  await until('the second attempt has ended', async () => (await runsOf(server, task)).filter((run) => run.state === 'ended').length === 2);
  assert.deepEqual(complaints, []);
});

test('the page offers what the server allows and says why not the rest', { skip }, async (t) => {
  const { page, server, complaints } = await openPage(t, { sleeper: 'cat > /dev/null; echo on it; sleep 600' });
  const task = await newTask(server, 'Endless', { assignee: 'sleeper' });
  await startRun(server, task);
  await page.goto(`${server.url}/t/${task.id}`);
  const drawer = page.locator('.drawer');
  await drawer.getByRole('button', { name: 'Stop the run' }).waitFor();
  assert.equal(await drawer.getByRole('button', { name: 'Block…' }).count(), 0, 'what would be refused is not offered');
  await drawer.getByText('Not now…').click();
  const said = await drawer.locator('details').innerText();
  assert.match(said, /"sleeper" works on it; stop the run first/);
  assert.doesNotMatch(said, /--/);
  const refused = await fetch(`${server.url}/api/v1/tasks/${task.id}/block`, {
    method: 'POST', headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${server.token}` }, body: '{"reason":"x"}',
  });
  assert.equal(refused.status, 409);
  assert.doesNotMatch((await refused.json()).error, /--/);
  assert.deepEqual(complaints, []);
});

test('a waiting card says why and has the remedy', { skip }, async (t) => {
  const { page, server, tasks, complaints } = await openPage(t, { sleeper: 'cat > /dev/null; echo on it; sleep 600' });
  await server.http.post('/workers/sleeper/pause', {});
  await moveTo(server, tasks[0], 'todo');
  const waiting = card(page, tasks[0].id);
  await until('nobody takes it', async () => (await waiting.innerText()).includes('Nobody takes it'));
  await waiting.getByRole('button', { name: /Assign/ }).click();
  await page.locator('[popover]').getByRole('button', { name: 'sleeper' }).click();
  await until('its worker is paused', async () => (await waiting.innerText()).includes('sleeper is paused'));
  await waiting.getByRole('button', { name: /Resume/ }).click();
  await until('it runs', isIn(page, tasks[0].id, 'in_progress'));
  assert.deepEqual(complaints, []);
});

test('a task that is put into Blocked gives no actor as its reason', { skip }, async (t) => {
  const { page, server, tasks, complaints } = await openPage(t);
  await drag(page, tasks[0].id, 'blocked');
  await until('the card is blocked', async () => (await card(page, tasks[0].id).innerText()).includes('no reason given'));
  await server.http.post('/tasks', { board: 'shop', title: 'Made there', status: 'blocked' });
  await until('the new card is there', async () => (await column(page, 'blocked').innerText()).includes('Made there'));
  assert.doesNotMatch(await column(page, 'blocked').innerText(), /user:|created there|put there/);
  assert.deepEqual(complaints, []);
});

test('the cord, held, stops every agent and says who pulled it', { skip }, async (t) => {
  const { page, server, complaints } = await openPage(t, { sleeper: 'cat > /dev/null; while :; do echo on it; sleep 0.2; done' });
  const task = await newTask(server, 'Endless', { assignee: 'sleeper' });
  await startRun(server, task);
  const cord = page.getByRole('button', { name: 'Hold to stop the line' });
  await cord.click();
  assert.equal((await server.http.get('/dispatch/frozen')).everything, false, 'a click is no pull');
  await cord.hover();
  await page.mouse.down();
  await page.getByText(/Line stopped by admin, \d/).waitFor();
  await page.mouse.up();
  assert.equal((await server.http.get('/dispatch/frozen')).everything, true);
  assert.match(await page.locator('link[rel="icon"]').getAttribute('href'), /lamp_red/);
  await page.reload();
  await page.getByText(/Line stopped by admin/).waitFor();
  const release = page.getByRole('button', { name: 'Hold to go on' });
  await release.focus();
  await page.keyboard.down('Enter');
  await until('the line goes on', async () => (await page.getByText(/Line stopped/).count()) === 0);
  await page.keyboard.up('Enter');
  assert.equal((await server.http.get('/dispatch/frozen')).everything, false);
  assert.deepEqual(complaints, []);
});

test('the inbox counts what waits for the person, in the title too', { skip }, async (t) => {
  const { page, server, tasks, complaints } = await openPage(t);
  await page.getByRole('button', { name: 'All clear' }).waitFor();
  await server.http.post(`/tasks/${tasks[0].id}/block`, { reason: 'Which colour?', choices: ['red', 'blue'] });
  await server.http.post(`/tasks/${tasks[1].id}/block`, { reason: 'Which size?', choices: ['S', 'L'] });
  await until('the title counts', async () => (await page.title()).startsWith('(2) '));
  await page.getByRole('button', { name: '2 need you' }).click();
  await page.locator('[data-item]').nth(1).waitFor();
  assert.match(await page.locator('[data-item]').first().innerText(), /Fix the cart[^]*Which colour\?/);
  await page.keyboard.press('j');
  await page.keyboard.press('r');
  await page.getByLabel(/^Answer .*/).last().waitFor();
  await page.keyboard.type('L');
  await page.keyboard.press('Enter');
  await until('one is left', async () => (await page.title()).startsWith('(1) '));
  assert.deepEqual(complaints, []);
});

test('somebody who was away is told what happened, and each part shows its cards', { skip }, async (t) => {
  const { page, server, tasks, complaints } = await openPage(t);
  const left = JSON.stringify({ seq: (await server.http.get('/boards/shop/snapshot')).seq, at: Date.now() - 3_600_000 });
  await moveTo(server, tasks[0], 'done');
  await server.http.post(`/tasks/${tasks[1].id}/complete`, { force: true });
  await server.http.post(`/tasks/${tasks[2].id}/block`, { reason: 'Which colour?', choices: ['red', 'blue'] });
  await page.addInitScript((kept) => localStorage.setItem('andon.left.shop', kept), left);
  await page.goto(`${server.url}/b/shop`);
  const away = page.getByRole('status').filter({ hasText: 'While you were away' });
  await away.waitFor();
  assert.match(await away.innerText(), /for 1h:[^]*1 question[^]*2 done/);
  await away.getByRole('button', { name: '1 question' }).click();
  await until('only its card is shown', async () => (await page.locator('[data-card]').count()) === 1);
  await away.getByRole('button', { name: 'Close' }).click();
  await until('all are shown', async () => (await page.locator('[data-card]').count()) === 3);
  assert.deepEqual(complaints, []);
});

test('the wall shows every worker with its live lines, over the stream of the board', { skip }, async (t) => {
  const { page, server, complaints } = await openPage(t, { chatty: 'cat > /dev/null; while :; do echo "step $((n=n+1))"; sleep 0.3; done', resting: 'true' });
  const task = await newTask(server, 'Talk', { assignee: 'chatty' });
  await startRun(server, task);
  await page.getByRole('button', { name: 'The wall' }).click();
  const tile = page.locator('.tile').filter({ hasText: 'chatty' });
  await until('its lines come', async () => (await tile.locator('.lines > div').count()) >= 3);
  assert.match(await tile.innerText(), /Talk[^]*step \d/);
  assert.match(await page.locator('.tile').filter({ hasText: 'resting' }).innerText(), /idle/);
  assert.equal(await page.locator('.tile').first().innerText().then((text) => text.includes('chatty')), true, 'who works stands first');
  await page.keyboard.press('Escape');
  await until('the board is back', isIn(page, task.id, 'in_progress'));
  assert.deepEqual(complaints, []);
});

test('a review shows what changed before it asks for a verdict, and nothing of it becomes markup', { skip }, async (t) => {
  const place = openPlace(t);
  const repository = makeRepository(place);
  const server = await startServer(place, { flags: ['--print-link'] });
  await server.http.post('/boards', { name: 'shop', template: 'queue', repo: repository.directory, worktree: true });
  installAgent(server.data, 'coder', `${asWorker}
cat > /dev/null; echo two > a.txt; echo '<img src=x onerror=alert(1)>' > '<b>c.txt'; git add .; git commit -qm work; andon done --result "both files"`);
  await server.http.post('/workers', { name: 'coder', agent: 'coder' });
  const task = await newTask(server, 'Change both', { assignee: 'coder' });
  const { page, complaints } = await openTab(place);
  await signIn(page, server);
  await card(page, task.id).getByRole('button', { name: /^Start/ }).click();
  await until('it is to be reviewed', async () => (await card(page, task.id).innerText()).includes('to review'));
  assert.match(await card(page, task.id).innerText(), /2 files \+2 −1/);
  await card(page, task.id).locator('a').click();
  const changed = page.getByRole('region', { name: 'What changed' });
  await changed.locator('.line').first().waitFor();
  assert.match(await changed.innerText(), /2 files · \+2 −1/);
  assert.deepEqual(await changed.locator('.line.removed').allInnerTexts().then((lines) => lines.map((line) => line.replace(/\s+/g, ' '))), ['1 − one']);
  assert.ok((await changed.innerText()).includes('<img src=x onerror=alert(1)>'));
  assert.equal(await changed.locator('img, b').count(), 0);
  const accept = page.locator('.drawer').getByRole('button', { name: 'Accept' });
  const [bar, drawer] = [await accept.boundingBox(), await page.locator('.drawer').boundingBox()];
  assert.ok(bar.y + bar.height <= drawer.y + drawer.height, 'the verdict stays in sight below the change');
  await card(page, task.id).locator('a').focus();
  await page.keyboard.press('a');
  await until('it is done', async () => (await readTask(server, task)).stage === 'done');
  assert.deepEqual(complaints, []);
});

test('eight windows show a running task, and every one of them goes on', { skip }, async (t) => {
  const { page, server, complaints } = await openPage(t, { chatty: 'cat > /dev/null; while :; do echo "step $((n=n+1))"; sleep 0.3; done' });
  const task = await newTask(server, 'Talk', { assignee: 'chatty' });
  await startRun(server, task);
  const windows = [page];
  while (windows.length < 8) windows.push(await page.context().newPage());
  for (const one of windows) await one.goto(`${server.url}/b/shop?t=${task.id}`);
  const said = (one) => one.locator('.log').innerText();
  for (const one of windows) await until('its log is shown', async () => (await said(one)).includes('step 1'));
  const before = await Promise.all(windows.map(said));
  for (const [at, one] of windows.entries()) await until('it goes on', async () => (await said(one)) !== before[at]);
  assert.deepEqual(complaints, []);
});

test('a board of files tells where they are, and when they cannot be used', { skip }, async (t) => {
  const { place, page, server, complaints } = await openPage(t);
  await told(place, ['init', '--name', 'Files'], { input: 'n\n' });
  await told(place, ['create', 'From a file']);
  await server.andon('boards', 'attach', place.root);
  await page.goto(`${server.url}/b/Files`);
  await column(page, 'backlog').getByText('From a file').waitFor();
  await page.getByRole('button', { name: 'Files', exact: true }).click();
  await page.getByText(place.path('kanban')).waitFor();
  await page.keyboard.press('Escape');
  assert.equal(await page.getByText('cannot be used').count(), 0);

  renameSync(place.path('kanban'), place.path('away'));
  await page.getByText('The files of this board cannot be used').waitFor();
  assert.match(await page.getByRole('status').filter({ hasText: 'cannot be used' }).innerText(), /No such file or directory[^]*goes on by itself/);
  await page.getByRole('button', { name: 'Files', exact: true }).click();
  await page.getByText('not reachable').waitFor();
  await page.keyboard.press('Escape');
  renameSync(place.path('away'), place.path('kanban'));
  await until('the board is back', async () => (await page.getByText('cannot be used').count()) === 0);
  assert.deepEqual(complaints, []);
});

// How Chromium complains about a refused request, and about the script of a service worker that it asked for meanwhile.
const kServerIsAway = /ERR_CONNECTION_REFUSED|^An unknown error occurred when fetching the script\.$/;

test('the page goes on after the server was started again', { skip }, async (t) => {
  const listen = await lastingAddress();
  const { place, page, server, tasks, complaints } = await openPage(t, {}, listen);
  await server.end();
  assert.equal(readFileSync(place.path('data', 'url'), 'utf8').trim(), server.url);
  const again = await startServer(place, { listen });
  await again.andon('move', String(tasks[2].id), 'done');
  await until('the card moves', isIn(page, tasks[2].id, 'done'));
  assert.deepEqual(complaints.filter((line) => !kServerIsAway.test(line)), []);
});
