import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installAgent, openShop } from './support/agents.mjs';
import { missing, openTab } from './support/browser.mjs';
import { openPlace } from './support/place.mjs';
import { makeRepository } from './support/repository.mjs';
import { startServer } from './support/server.mjs';
import { until } from './support/until.mjs';

const skip = missing();
const kRun = 60_000; // ms, from Start to the end of a short run
const kFirstRun = 180_000; // ms, the promise of the page

async function openPage(t, prepare = async () => {}) {
  const place = openPlace(t);
  const server = await startServer(place, { flags: ['--print-link'] });
  await prepare(place, server);
  const tab = await openTab(place);
  const link = await until('the link is printed', () => /^open (\S+)$/m.exec(server.printed)?.[1]);
  await tab.page.goto(link);
  await tab.page.locator('#board').waitFor();
  return { place, server, ...tab };
}

test('a first run is done in the page alone', { skip }, async (t) => {
  const begun = Date.now();
  let repository;
  const { page, server, complaints } = await openPage(t, async (place, server) => {
    repository = makeRepository(place, 'web-shop');
    installAgent(server.data, 'scribe', 'cat > /dev/null; echo "writing the greeting"; echo hello > hello.txt');
  });
  await page.getByRole('button', { name: /^web-shop/ }).click();
  await page.getByText('Its default branch is main').waitFor();
  await page.getByRole('button', { name: 'Use this repository' }).click();

  const guide = page.getByLabel('First steps');
  await guide.getByRole('radio', { name: 'scribe' }).check();
  await guide.getByText('Ready').waitFor();
  await guide.getByRole('button', { name: 'Add the worker' }).click();
  await guide.getByLabel('Task', { exact: true }).fill('Write a greeting');
  await guide.getByRole('button', { name: 'Start', exact: true }).click();

  const done = guide.getByText('The first task is done.');
  const review = guide.getByText('The agent has finished.');
  await done.or(review).waitFor({ timeout: kRun });
  await guide.getByRole('button', { name: 'Open the task' }).click();
  await until('the output is shown', async () => (await page.locator('.drawer').innerText()).includes('writing the greeting'));
  await page.locator('.drawer').getByText('hello.txt').first().waitFor();
  if (await review.count()) await page.locator('.drawer').getByRole('button', { name: 'Accept', exact: true }).first().click();
  await done.waitFor({ timeout: kRun });
  assert.ok(Date.now() - begun < kFirstRun, 'a first run takes less than three minutes');

  const board = await server.http.get('/boards/web-shop');
  assert.deepEqual([board.repo, board.worktree], [repository.directory, true]);
  await until('the work is part of the default branch', () => repository.sh('git show main:hello.txt 2>/dev/null || true') === 'hello', kRun);
  assert.deepEqual(complaints, []);
});

test('a board and a worker are set up in the page', { skip }, async (t) => {
  const { page, server, complaints } = await openPage(t, (place, server) => openShop(server, { ann: 'cat > /dev/null' }));
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await page.getByLabel('Title', { exact: true }).fill('Web Shop');
  await page.getByLabel('WIP limit of To Do').fill('8');
  const mend = page.getByRole('button', { name: 'Add a Review column' });
  if (await mend.count()) await mend.click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await until('the board has changed', async () => (await server.http.get('/boards/shop')).title === 'Web Shop');
  const board = await server.http.get('/boards/shop');
  assert.equal(board.columns.find((column) => column.name === 'todo').wip_limit, 8);
  assert.ok(board.columns.some((column) => column.stage === 'review'));

  // Somebody else changes the board while the page has a draft.
  await page.getByLabel('Description').fill('All of the shop');
  await server.http.told('PATCH', '/boards/shop', { title: 'Shop of Ann' });
  await until('the page shows the other title', async () => (await page.getByLabel('Title', { exact: true }).inputValue()) === 'Shop of Ann');
  assert.equal(await page.getByLabel('Description').inputValue(), 'All of the shop');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await until('both changes are there', async () => (await server.http.get('/boards/shop')).description === 'All of the shop');

  await page.getByRole('navigation', { name: 'Settings' }).getByRole('button', { name: 'Workers' }).click();
  await page.getByRole('button', { name: 'Add a worker' }).click();
  await page.getByLabel('Title', { exact: true }).fill('Grace');
  await page.getByLabel('Agent', { exact: true }).selectOption('ann');
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await page.getByText('Ready', { exact: false }).first().waitFor();
  await page.getByLabel('Role document').fill('You write greetings.');
  await page.getByLabel('US dollars of a day').fill('2.5');
  await page.getByRole('button', { name: 'Add the worker' }).click();
  await page.getByRole('button', { name: 'Edit Grace' }).waitFor();
  const worker = await server.http.get('/workers/grace');
  assert.deepEqual([worker.agent, worker.prompt, worker.budget.day.usd], ['ann', 'You write greetings.', 2.5]);
  assert.deepEqual(complaints, []);
});

test('an automation, a token and the storage are set up in the page', { skip }, async (t) => {
  const { page, server, complaints } = await openPage(t, (place, server) => openShop(server, {}));
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  const turnTo = (section) => page.getByRole('navigation', { name: 'Settings' }).getByRole('button', { name: section }).click();

  await turnTo('Automations');
  await page.getByRole('button', { name: 'Add an automation' }).click();
  await page.getByLabel('Name', { exact: true }).fill('morning');
  await page.getByLabel('Title', { exact: true }).fill('Plan the day');
  await page.getByRole('button', { name: 'Add the automation' }).click();
  await page.getByText('Every weekday at 07:00').waitFor();
  await page.getByRole('button', { name: 'Run morning now' }).click();
  await until('its task is there', async () => (await server.http.get('/tasks?board=shop')).items.some((task) => task.title === 'Plan the day'));

  await turnTo('Access');
  await page.getByLabel('Person').fill('build');
  await page.getByRole('button', { name: 'Make a token' }).click();
  const token = await page.getByLabel('The new token').inputValue();
  const asBuild = () => fetch(`${server.url}/api/v1/boards`, { headers: { Authorization: `Bearer ${token}` } });
  assert.equal((await asBuild()).status, 200);
  const item = page.locator('.item', { hasText: 'build' });
  await item.getByRole('button', { name: 'Revoke' }).click();
  await item.getByRole('button', { name: 'Revoke' }).click();
  await until('the token is refused', async () => (await asBuild()).status === 401);

  await turnTo('Agents');
  await page.getByRole('button', { name: /^How to get/ }).first().waitFor();
  await turnTo('Storage');
  await page.getByLabel('Files of ended runs').fill('30d');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await until('the time has changed', async () => /^(30d|720h)/.test((await server.http.get('/store/retention')).run_files));
  assert.deepEqual(complaints, []);
});
