import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { ended, installAgent, moveTo, newTask, readTask, runsOf, waitFor } from './support/agents.mjs';
import { openPlace } from './support/place.mjs';
import { isAlive } from './support/processes.mjs';
import { asWorker, makeRepository } from './support/repository.mjs';
import { startServer } from './support/server.mjs';
import { until } from './support/until.mjs';

const kLanding = 180_000; // ms; another attempt begins after half a minute

// A board with a work tree for every task, and workers with agents of the same name.
async function openYard(server, repository, scripts, board = {}) {
  await server.http.post('/boards', { name: 'shop', template: 'classic', repo: repository.directory, worktree: true, ...board });
  for (const [name, script] of Object.entries(scripts)) {
    installAgent(server.data, name, `${asWorker}\n${script}`);
    await server.http.post('/workers', { name, agent: name });
  }
}

async function begin(server, title, worker) {
  const task = await newTask(server, title, { assignee: worker });
  await moveTo(server, task, 'todo');
  return task;
}

const landingOf = async (server, task) => (await runsOf(server, task)).at(-1)?.landing;

const landed = (server, task) =>
  until(`task ${task.id} is landed`, async () => (await landingOf(server, task))?.state === 'landed', kLanding);

test('two tasks work side by side in trees of their own and land one after another', async (t) => {
  const place = openPlace(t);
  const repository = makeRepository(place);
  const server = await startServer(place);
  const meet = (own, other) => `touch ${place.path(own)}; ${waitFor(place.path(other))}`;
  await openYard(server, repository, {
    carter: `cat > /dev/null; ${meet('carter', 'basketeer')}; echo cart > a.txt; git commit -qam cart; pwd; andon done --result "in a.txt"`,
    basketeer: `cat > /dev/null; ${meet('basketeer', 'carter')}; echo basket > b.txt; echo more > c.txt; andon done --result "in b.txt"`,
  });
  const cart = await begin(server, 'Fix the Cart!', 'carter');
  const basket = await begin(server, 'Weave a basket', 'basketeer');
  const run = await ended(server, cart);
  assert.equal(run.branch, `andon/${cart.id}-fix-the-cart`);
  assert.equal(run.commits.length, 1);
  assert.equal(run.files_changed, 1);
  await landed(server, cart);
  await landed(server, basket);

  assert.equal(repository.sh('cat a.txt b.txt c.txt; git status --porcelain'), 'cart\nbasket\nmore');
  assert.equal(repository.sh('git log --format=%an main | sort'), 'ann\nbasketeer\ncarter');
  await until('landed branches are tidied', () => repository.sh('git branch --list "andon/*"') === '');
  const commit = (await landingOf(server, cart)).commit;
  repository.sh(`git merge-base --is-ancestor ${commit} main`);
  const told = (await server.http.events()).filter((event) => event.task === cart.id && event.data?.landed);
  assert.deepEqual(told.map((event) => [event.actor, event.data.landed, event.data.branch]), [['system', commit, 'main']]);
  const story = await server.andon('log', '--task', String(cart.id));
  assert.match(story, /run\.started +#\d+ +carter /);
  assert.match(story, /run\.ended +#\d+ +succeeded /);
  assert.ok(story.includes(`landed on main at ${commit.slice(0, 12)}`), story);

  const diff = await server.http.get(`/runs/${run.id}/diff`);
  assert.deepEqual(diff.files, [{ path: 'a.txt', added: 1, removed: 1 }]);
  assert.match(diff.diff, /^-one\n\+cart$/m);
  assert.match(await server.andon('diff', String(cart.id)), /1 commit, 1 file, \+1 -1[^]*\n\+cart\n/);
  assert.match(await server.andon('runs', String(cart.id)), /landed/);
  await until('the trees are removed', async () => (await server.http.get('/work')).trees.length === 0);
  assert.deepEqual((await server.http.get('/work')).queue, []);
});

test('a conflict goes back with its reason and the next attempt resolves it', async (t) => {
  const place = openPlace(t);
  const repository = makeRepository(place);
  const server = await startServer(place);
  const editor = (own, other) => `cat > ${place.path(`prompt-${own}`)}
if grep -q "conflict with main" ${place.path(`prompt-${own}`)}; then
  git rebase -q main || { echo both > a.txt; git add a.txt; git rebase --continue; }
else
  touch ${place.path(own)}; ${waitFor(place.path(other))}; echo ${own} > a.txt; git commit -qam ${own}
fi > /dev/null 2>&1
andon done --result "edited a.txt"`;
  await openYard(server, repository, { left: editor('left', 'right'), right: editor('right', 'left') });
  const tasks = [await begin(server, 'Left', 'left'), await begin(server, 'Right', 'right')];
  for (const task of tasks) await landed(server, task);

  assert.equal(repository.sh('cat a.txt; git status --porcelain'), 'both');
  const runs = (await Promise.all(tasks.map((task) => runsOf(server, task)))).flat();
  assert.deepEqual(runs.map((run) => run.landing.state).sort(), ['landed', 'landed', 'returned']);
  const back = runs.find((run) => run.landing.state === 'returned');
  assert.match(back.landing.reason, /conflict with main at [0-9a-f]{12} in a\.txt/);
  assert.deepEqual(back.landing.files, ['a.txt']);
  assert.deepEqual(runs.find((run) => run.landing.state === 'landed').landing.branch, 'main');
  assert.deepEqual(back.diff_size, { files: 1, added: 1, removed: 1 });
  assert.equal((await readTask(server, { id: back.task })).attempt, 2);
});

test('a failing check goes back with its output, on the branch alone and on what it is joined with', async (t) => {
  const place = openPlace(t);
  const repository = makeRepository(place);
  const server = await startServer(place);
  const prompt = place.path('prompt');
  await openYard(
    server, repository,
    { coder: `cat > ${prompt}
if grep -q "line 1 has a bug" ${prompt}; then echo good > a.txt; else echo bug > a.txt; fi
git commit -qam work; andon done --result "wrote it"` },
    { checks: { unit: ['sh', '-c', 'if grep -q bug a.txt; then echo "line 1 has a bug"; exit 3; fi'] } },
  );
  const task = await begin(server, 'Write it', 'coder');
  await landed(server, task);

  const [first, second] = await runsOf(server, task);
  assert.equal(first.outcome, 'failed');
  assert.deepEqual(first.checks.map(({ name, passed, exit, output }) => ({ name, passed, exit, output })),
    [{ name: 'unit', passed: false, exit: { code: 3 }, output: 'line 1 has a bug\n' }]);
  assert.equal(second.checks[0].passed, true);
  assert.equal(repository.sh('git show main:a.txt'), 'good');
  assert.match(readFileSync(prompt, 'utf8'), /check \\?"unit\\?" failed/);
});

test('a pulled main is no work, and work on an unrelated branch is not done', async (t) => {
  const place = openPlace(t);
  const repository = makeRepository(place);
  const server = await startServer(place);
  const [started, go] = [place.path('started'), place.path('go')];
  await openYard(server, repository, {
    puller: `cat > /dev/null; touch ${started}; ${waitFor(go)}; git pull -q . main; andon done --result "all done"`,
    orphan: 'cat > /dev/null; git checkout -q --orphan fresh; git commit -qm fresh; andon done --result "all done"',
  });
  const pulled = await begin(server, 'Pull it', 'puller');
  await until('the agent works', () => existsSync(started));
  repository.sh('echo mine > b.txt; git commit -qam mine');
  writeFileSync(go, '');
  const run = await ended(server, pulled);
  assert.deepEqual([run.outcome, run.commits ?? [], run.files_changed ?? 0], ['incomplete', [], 0]);
  const diff = await server.http.get(`/tasks/${pulled.id}/diff`);
  assert.deepEqual([diff.commits, diff.files, diff.diff], [[], [], '']);
  const { stage, flag, blocked } = await readTask(server, pulled);
  assert.notEqual(stage, 'done');
  assert.deepEqual([flag, blocked], ['no evidence', true]);

  const orphaned = await begin(server, 'Begin anew', 'orphan');
  const dependent = await newTask(server, 'Build on it', { assignee: 'puller', depends_on: [orphaned.id] });
  await moveTo(server, dependent, 'todo');
  assert.equal((await ended(server, orphaned)).outcome, 'blocked');
  assert.match((await readTask(server, orphaned)).block_reason, /branch fresh shares no commit with main/);
  assert.equal((await readTask(server, dependent)).status, 'todo');
});

test('local changes of a person are left alone until they are gone', async (t) => {
  const place = openPlace(t);
  const repository = makeRepository(place);
  const server = await startServer(place);
  await openYard(server, repository, { coder: 'cat > /dev/null; echo two > a.txt; git commit -qam two; andon done --result ok' });
  repository.sh('echo mine > b.txt');
  const task = await begin(server, 'Two', 'coder');
  const waiting = await until('the landing waits', async () => ((await landingOf(server, task))?.reason ? landingOf(server, task) : null));
  assert.match(waiting.reason, /local changes on main/);
  assert.match(await server.andon('work', 'list'), /Waits to be landed: #\d+ Two .*local changes on main/);
  assert.equal(repository.sh('cat a.txt b.txt'), 'one\nmine');
  repository.sh('git checkout -q b.txt');
  await landed(server, task);
  assert.equal(repository.sh('cat a.txt b.txt; git status --porcelain'), 'two\none');
});

test('a server that is killed while it lands ends what it began, once', async (t) => {
  const place = openPlace(t);
  const repository = makeRepository(place);
  const [hold, seen] = [place.path('hold'), place.path('seen')];
  const server = await startServer(place);
  writeFileSync(hold, '');
  await openYard(
    server, repository,
    { coder: 'cat > /dev/null; echo two > a.txt; git commit -qam two; andon done --result ok' },
    { checks: { unit: ['sh', '-c', `case "$PWD" in */landing) echo $$ >> ${seen}; while [ -e ${hold} ]; do sleep 0.05; done;; esac`] } },
  );
  const task = await begin(server, 'Two', 'coder');
  // The shell makes the file before it writes to it.
  const checks = () => (existsSync(seen) ? readFileSync(seen, 'utf8').split('\n').slice(0, -1) : []);
  await until('the check of the landing runs', () => checks().length === 1);
  await server.end('SIGKILL');
  assert.equal(repository.sh('cat a.txt'), 'one');

  const next = await startServer(place);
  await until('the check runs anew', () => checks().length === 2);
  const [lost] = checks();
  assert.equal(isAlive(lost), false, 'the check of the killed server is ended');
  rmSync(hold);
  await landed(next, task);
  assert.equal(repository.sh('git log --format=%s main; cat a.txt; git status --porcelain'), 'two\nfirst\ntwo');
  assert.equal((await runsOf(next, task)).length, 1);
});

test('whenever the server is killed, every piece of work lands once', async (t) => {
  const place = openPlace(t);
  const repository = makeRepository(place);
  let server = await startServer(place);
  await openYard(server, repository, {
    coder: 'cat > /dev/null; echo $ANDON_TASK > file-$ANDON_TASK; git add .; git commit -qm task-$ANDON_TASK; andon done --result ok',
  }, { checks: { unit: ['true'] } });
  const tasks = [];
  for (let i = 0; i < 5; ++i) tasks.push(await begin(server, `Part ${i}`, 'coder'));
  for (let kills = 0; kills < 8; ++kills) {
    await pause(50 + Math.random() * 400);
    await server.end('SIGKILL');
    server = await startServer(place);
  }
  for (const task of tasks) await landed(server, task);
  assert.equal(repository.sh('git log --format=%s main | sort; git status --porcelain'), ['first', ...tasks.map(({ id }) => `task-${id}`)].join('\n'));
  const told = (await server.http.events()).filter((event) => event.data?.landed);
  assert.equal(told.length, tasks.length);
});

test('a repository that cannot be worked in is a question of its board and blocks nobody', async (t) => {
  const place = openPlace(t);
  const repository = makeRepository(place);
  const server = await startServer(place);
  await openYard(server, repository, { coder: 'cat > /dev/null; echo two > a.txt; andon done --result ok' });
  repository.sh('mv .git gone');
  const task = await begin(server, 'Two', 'coder');
  const run = await ended(server, task);
  assert.equal(run.outcome, 'blocked');
  const waiting = await readTask(server, task);
  assert.deepEqual([waiting.stage, waiting.blocked ?? false, waiting.attempt ?? 0], ['ready', false, 0]);
  const { items: [asked] } = await server.http.get('/attention');
  assert.deepEqual([asked.kind, asked.board], ['fault', 'shop']);
  assert.match(asked.text, /cannot be read by git/);
  assert.equal((await server.http.get('/workers')).items[0].paused, false);

  repository.sh('mv gone .git');
  await server.http.post('/faults/board/shop/retry', {});
  await until('the task is done', async () => (await readTask(server, task)).stage === 'done');
});

test('work with a secret in its history lands as one commit, without it', async (t) => {
  const place = openPlace(t);
  const repository = makeRepository(place);
  const server = await startServer(place);
  const kToken = 'tok-0123456789abcdef0123';
  await openYard(
    server, repository,
    { carter: 'cat > /dev/null; echo $SHOP_TOKEN > a.txt; git commit -qam "use $SHOP_TOKEN"; echo two > a.txt; git commit -qam safe; andon done --result made' },
    { env: [`SHOP_TOKEN=${kToken}`] },
  );
  const task = await begin(server, 'Cart', 'carter');
  await until('a person is asked', async () => (await landingOf(server, task))?.state === 'asked', kLanding);
  assert.match(await server.andon('work', 'list'), new RegExp(`without its history: andon work land ${task.id} --squash`));
  assert.match(await server.andon('show', String(task.id)), /andon work land \d+ --squash/);
  assert.match(await server.andon('diff', String(task.id)), /Asks whether it lands:\n  .*secrets of this machine[^]*--squash/);
  const refused = await server.http.ask('POST', `/tasks/${task.id}/landing`, { verdict: 'reject', reason: 'no', squash: true });
  assert.deepEqual([refused.status, refused.body.code, refused.body.field], [422, 'INVALID_INPUT', 'squash']);
  assert.match(await server.andon('work', 'land', String(task.id), '--squash'), /as one commit/);
  await landed(server, task);
  assert.equal(repository.sh('git log --format=%s main; cat a.txt'), 'Cart\nfirst\ntwo');
  assert.ok(!repository.sh('git log -p --format=fuller main').includes(kToken));
  assert.match(await server.andon('log', '--task', String(task.id)), /lands in spite of the limits as one commit, by /);
  await until('the tree is removed', async () => (await server.http.get('/work')).trees.length === 0);
  await server.andon('revert', String(task.id), '--then', 'close');
  await until('it is taken back', () => repository.sh('cat a.txt') === 'one', kLanding);
});
