// Boards of one repository with branches of their own, and with a prefix for the branches of tasks.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installAgent, moveTo, newTask, readTask, runsOf } from './support/agents.mjs';
import { openPlace } from './support/place.mjs';
import { asWorker, makeRepository } from './support/repository.mjs';
import { startServer } from './support/server.mjs';
import { until } from './support/until.mjs';

const kLong = 120_000; // ms

// A repository whose checked-out branch `develop` is one commit before `main`.
function makeTwoBranches(place) {
  const repository = makeRepository(place);
  repository.sh('git checkout -q -b develop; echo two > d.txt; git add .; git commit -qm second');
  return repository;
}

async function openBoards(place, repository, boards) {
  const server = await startServer(place);
  installAgent(server.data, 'dev', `${asWorker}\ncat > /dev/null; echo $ANDON_TASK > task-$ANDON_TASK.txt; git add -A; git commit -qm work; andon done --result ok`);
  await server.http.post('/workers', { name: 'dev', agent: 'dev' });
  for (const board of boards) await server.http.post('/boards', { template: 'classic', repo: repository.directory, worktree: true, review_by: 'checks', ...board });
  return server;
}

async function begin(server, board, title) {
  const task = await newTask(server, title, { assignee: 'dev', board });
  await moveTo(server, task, 'todo');
  return task;
}

const landingOf = (server, task) =>
  until(`task ${task.id} is landed`, async () => {
    const landing = (await runsOf(server, task)).at(-1)?.landing;
    return landing?.state === 'landed' && landing;
  }, kLong);

test('work begins at the branch of its board and lands there, and nowhere else', async (t) => {
  const place = openPlace(t);
  const repository = makeTwoBranches(place);
  const server = await openBoards(place, repository, [{ name: 'next', branch: 'develop' }, { name: 'stable' }]);
  const next = await begin(server, 'next', 'Cart');
  const stable = await begin(server, 'stable', 'Fix');
  await landingOf(server, next);
  await landingOf(server, stable);
  const filesOf = (branch) => repository.sh(`git ls-tree --name-only ${branch}`).split('\n');
  assert.deepEqual(filesOf('develop'), ['a.txt', 'b.txt', 'd.txt', `task-${next.id}.txt`]);
  assert.deepEqual(filesOf('main'), ['a.txt', 'b.txt', `task-${stable.id}.txt`]);
  assert.equal(repository.sh('git status --porcelain; git branch --show-current'), 'develop');
  assert.equal((await runsOf(server, next)).at(-1).files_changed, 1);
});

test('a branch is checked when it is set, and one that has gone is a question of its board', async (t) => {
  const place = openPlace(t);
  const repository = makeTwoBranches(place);
  const server = await openBoards(place, repository, [{ name: 'next', branch: 'develop' }]);
  const refused = await server.http.ask('PATCH', '/boards/next', { branch: 'trunk' });
  assert.equal(refused.status, 422);
  assert.match(refused.body.error, /has no branch trunk; it has develop, main/);
  assert.match(await server.andon('boards', 'edit', 'next', '--branch', 'main'), /Changed board next/);
  const unset = await server.http.ask('PATCH', '/boards/next', { branch: '' });
  assert.match(unset.body.warnings[0], /branch develop is checked out: work begins at main .* and lands there/);

  await server.http.told('PATCH', '/boards/next', { branch: 'develop' });
  repository.sh('git checkout -q main; git branch -D develop');
  const task = await begin(server, 'next', 'Cart');
  const asked = await until('a person is asked', async () => (await server.http.get('/attention')).items[0], kLong);
  assert.deepEqual([asked.kind, asked.board], ['fault', 'next']);
  assert.match(asked.text, /has no branch develop; it has main/);
  assert.deepEqual([(await readTask(server, task)).stage, (await readTask(server, task)).attempt ?? 0], ['ready', 0]);

  await server.http.told('PATCH', '/boards/next', { branch: 'main' });
  assert.equal((await server.http.get('/attention')).items.length, 0, 'another branch mends it');
});

test('the branches of tasks have the prefix of their board', async (t) => {
  const place = openPlace(t);
  const repository = makeRepository(place);
  repository.sh('git branch andon');
  const server = await openBoards(place, repository, []);
  const board = { name: 'shop', template: 'classic', repo: repository.directory, worktree: true };
  const refused = await server.http.ask('POST', '/boards', board);
  assert.equal(refused.status, 422);
  assert.match(refused.body.error, /has a branch andon, .*--branch-prefix agents/);

  await server.http.post('/boards', { ...board, branch_prefix: 'team/agents' });
  const task = await begin(server, 'shop', 'Cart');
  await landingOf(server, task);
  assert.equal((await runsOf(server, task)).at(-1).branch, `team/agents/${task.id}-cart`);
  assert.equal(repository.sh('git ls-tree --name-only main'), `a.txt\nb.txt\ntask-${task.id}.txt`);
});
