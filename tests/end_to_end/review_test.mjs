import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installAgent, moveTo, newTask, readTask, runsOf } from './support/agents.mjs';
import { missing, openTab } from './support/browser.mjs';
import { openPlace } from './support/place.mjs';
import { asWorker, makeRepository } from './support/repository.mjs';
import { startServer } from './support/server.mjs';
import { until } from './support/until.mjs';

const skip = missing();

// The page on a board whose work is reviewed by a person, with a worker that runs the script in a tree of its own.
async function openReviews(t, script, worker = {}) {
  const place = openPlace(t);
  const repository = makeRepository(place);
  const server = await startServer(place, { flags: ['--print-link'] });
  await server.http.post('/boards', { name: 'shop', template: 'queue', repo: repository.directory, worktree: true, land: 'auto', review_by: 'person' });
  installAgent(server.data, 'coder', `${asWorker}\ncat > prompt.txt; ${script}`);
  await server.http.post('/workers', { name: 'coder', agent: 'coder', ...worker });
  const tab = await openTab(place);
  const link = await until('the link is printed', () => /^open (\S+)$/m.exec(server.printed)?.[1]);
  await tab.page.goto(link);
  await tab.page.locator('#board').waitFor();
  return { repository, server, ...tab };
}

async function toReview(server, title, fields = {}) {
  const task = await newTask(server, title, { assignee: 'coder', ...fields });
  await moveTo(server, task, 'ready');
  await until('it is to be reviewed', async () => (await readTask(server, task)).stage === 'review');
  return task;
}

async function open(page, server, task) {
  await page.goto(`${server.url}/t/${task.id}/review`);
  await page.locator('.diff .line').first().waitFor();
}

test('accepted work is landed, and the place of the verdict says as what', { skip }, async (t) => {
  const { page, server, repository, complaints } = await openReviews(t, 'rm prompt.txt; git mv b.txt c.txt; echo two > a.txt; git commit -qam work; andon done --result "wrote it"');
  const task = await toReview(server, 'Write it');
  await open(page, server, task);
  assert.equal(new URL(page.url()).pathname, `/b/shop/review/${task.id}`);
  assert.match(await page.locator('.diff').innerText(), /b\.txt → c\.txt/);
  assert.match(await page.locator('.summary').innerText(), /wrote it[^]*2 files \+1 −1/);
  await page.keyboard.press('a');
  const told = page.locator('.landing');
  await until('it is landed', async () => /^Landed as [0-9a-f]{7} on main$/.test(await told.innerText().catch(() => '')));
  const commit = (await runsOf(server, task)).at(-1).landing.commit;
  assert.equal(await told.innerText(), `Landed as ${commit.slice(0, 7)} on main`);
  assert.equal(repository.sh('git rev-parse main'), commit);
  await page.keyboard.press('Escape');
  await page.locator(`[data-column="completed"] [data-card="${task.id}"]`).waitFor();
  assert.deepEqual(complaints, []);
});

test('a conflict is told with its files where the work was accepted, and where a person has moved on', { skip }, async (t) => {
  const { page, server, repository, complaints } = await openReviews(t, 'rm prompt.txt; echo two > a.txt; git commit -qam work; andon done --result "wrote it"');
  const first = await toReview(server, 'Write it', { max_attempts: 1 });
  const second = await toReview(server, 'Write it too', { max_attempts: 1 });
  repository.sh('echo three > a.txt; git commit -qam mine');
  await open(page, server, first);
  await page.keyboard.press('a');
  const told = page.locator('.landing');
  await until('the conflict is told', async () => (await told.innerText().catch(() => '')).startsWith('Conflict in 1 file: a.txt'));
  await told.getByRole('button', { name: 'Give it back' }).waitFor();

  await open(page, server, second);
  await page.keyboard.press('a');
  await until('it is accepted', async () => (await readTask(server, second)).stage !== 'review');
  await page.keyboard.press('Escape');
  await until('a toast tells it', async () => (await page.locator('body').innerText()).includes(`#${second.id}: Conflict in 1 file: a.txt`));
  assert.deepEqual(complaints, []);
});

test('comments on lines are the reason that the next attempt reads', { skip }, async (t) => {
  const { page, server, complaints } = await openReviews(t, `if grep -q "Not two" prompt.txt; then grep -A6 "Nearly" prompt.txt > read.txt; fi
rm prompt.txt; echo two > a.txt; git add .; git commit -qm work; andon done --result "wrote it"`);
  const task = await toReview(server, 'Write it');
  await open(page, server, task);
  await page.locator('.line.added').first().click();
  await page.keyboard.type('Not two but three.');
  await page.keyboard.press('Escape');
  await page.keyboard.press('r');
  await page.keyboard.type('Nearly there.');
  await page.keyboard.press('Control+Enter');
  await until('the next attempt is to be reviewed', async () => (await readTask(server, task)).attempt === 2 && (await readTask(server, task)).stage === 'review');
  await until('the page shows it', async () => (await page.locator('.diff').innerText().catch(() => '')).includes('Not two but three.'));
  const shown = await page.locator('.diff').innerText();
  for (const words of ['Nearly there.', 'a.txt:1']) assert.ok(shown.includes(words), shown);
  assert.deepEqual(complaints, []);
});
