// A task is done when all of its work is in the commit. Repositories of odd shapes, and agents that say they are done: what does not get
// into a commit blocks the task with the path and the reason, stays in its tree, and is no landed work for anybody.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { installAgent, moveTo, newTask, readTask, runsOf } from './support/agents.mjs';
import { forAll } from './support/hostile_yard.mjs';
import { kShapes } from './support/ledger_shapes.mjs';
import { openPlace } from './support/place.mjs';
import { asWorker, makeRepository } from './support/repository.mjs';
import { startServer } from './support/server.mjs';
import { until } from './support/until.mjs';

const kLong = 90_000; // ms
const kReview = { review_by: 'person', add_columns: [{ name: 'review', stage: 'review' }] };

async function openBoard(server, name, { repo, script, board = {}, isReviewed = false }) {
  await server.http.post('/boards', { name, template: 'classic', repo, worktree: true, ...board });
  if (isReviewed) await server.http.told('PATCH', `/boards/${name}`, kReview);
  installAgent(server.data, name, `${asWorker}\ncat > /dev/null\n${script}`);
  await server.http.post('/workers', { name, agent: name });
}

const begin = (server, board, fields = {}) => newTask(server, 'Work', { board, assignee: board, status: 'todo', ...fields });

const landingOf = async (server, task) => (await runsOf(server, task)).at(-1)?.landing?.state;

// Accepts what waits for a verdict. Gives the task when it is blocked or its work has landed.
function settled(server, task) {
  return until(`task ${task.id} is blocked or lands`, async () => {
    const now = await readTask(server, task);
    if (now.stage === 'blocked') return now;
    if (now.stage === 'review' && !now.blocked) await server.http.ask('POST', `/tasks/${task.id}/accept`);
    return now.stage === 'done' && (await landingOf(server, task)) === 'landed' && now;
  }, kLong);
}

// All that a directory holds, but for a git directory at its top.
function contentOf(directory, isTop = true) {
  if (!existsSync(directory)) return undefined;
  const out = {};
  for (const name of readdirSync(directory).filter((each) => !isTop || each !== '.git')) {
    const path = join(directory, name);
    const about = lstatSync(path);
    if (about.isDirectory()) out[name] = about.mode & 0o400 ? contentOf(path, false) : 'closed';
    else if (about.isFile()) out[name] = createHash('sha1').update(readFileSync(path)).digest('hex');
  }
  return out;
}

const treeOf = (list, task) => list.trees.find((tree) => tree.task === task.id);

function assertBlocked({ shape, name, repository, before, task, tree, run }) {
  const about = `${name}: ${task.stage} ${task.block_reason}`;
  assert.equal(task.stage, 'blocked', about);
  assert.match(task.block_reason, shape.blocked, name);
  assert.equal(repository.sh('git rev-parse HEAD'), before, about);
  assert.ok(tree, `${name} has no tree any more`);
  assert.equal(tree.state, 'kept', name);
  assert.ok(tree.dirty || tree.unlanded > 0, name);
  assert.notEqual(run.landing?.state, 'landed', name);
}

function assertLanded({ shape, name, repository, task, tree }) {
  assert.equal(task.stage, 'done', `${name}: ${task.stage} ${task.block_reason}`);
  assert.equal(repository.sh(shape.main[0]), shape.main[1], name);
  assert.ok(!tree || (tree.state === 'landed' && !tree.dirty && tree.unlanded === 0), `${name}: ${JSON.stringify(tree)}`);
}

const kWanted = process.env.ANDON_SHAPE;
const shapes = Object.entries(kShapes).filter(([name, { skip }]) => !skip && (!kWanted || name === kWanted));

for (const isReviewed of [false, true])
  test(`work of every shape is in the commit, or blocks its task, ${isReviewed ? 'with' : 'without'} a review`, async (t) => {
    const place = openPlace(t);
    const server = await startServer(place);
    const yards = await forAll(shapes, async ([name, shape], n) => {
      const repository = makeRepository(place, `repo-${n}`);
      if (shape.make) repository.sh(shape.make);
      const before = repository.sh('git rev-parse HEAD');
      const repo = resolve(repository.directory, shape.repo?.replace('REPO', repository.directory) ?? '.');
      await openBoard(server, `b${n}`, { repo, script: `(set -e\n${shape.deed}\n) >/dev/null 2>&1\nandon done --result made`, board: shape.board, isReviewed });
      const task = await settled(server, await begin(server, `b${n}`));
      return { name, shape, repository, before, task, run: (await runsOf(server, task)).at(-1) };
    }, 3);
    const list = await server.andon('work', 'list', '--json');
    for (const yard of yards) {
      const tree = treeOf(list, yard.task);
      if (yard.shape.blocked) assertBlocked({ ...yard, tree });
      else assertLanded({ ...yard, tree });
      if (yard.shape.unseen) assert.ok(!yard.repository.sh('git log --all -p').includes(yard.shape.unseen), yard.name);
    }
    const kept = list.trees.filter((tree) => tree.state !== 'landed').map(({ directory }) => [directory, contentOf(directory)]);
    await server.andon('work', 'clean');
    for (const [directory, content] of kept) assert.deepEqual(contentOf(directory), content, directory);
    assert.equal(kept.length, yards.filter(({ shape }) => shape.blocked).length);
  });

test('a task whose work was put right goes on, and all of it lands', async (t) => {
  const place = openPlace(t);
  const repository = makeRepository(place);
  const server = await startServer(place);
  await openBoard(server, 'shop', { repo: repository.directory, script: '[ -d web ] && rm -rf web/.git || { git init -q web; echo p > web/i; }; andon done --result made' });
  const task = await settled(server, await begin(server, 'shop'));
  assert.match(task.block_reason, /web/);
  await server.andon('unblock', String(task.id));
  assert.equal((await settled(server, task)).stage, 'done');
  assert.equal(repository.sh('cat web/i; git status --porcelain'), 'p');
});

test('a person who calls work done that is not whole is asked before a part of it lands', async (t) => {
  const place = openPlace(t);
  const repository = makeRepository(place);
  const server = await startServer(place);
  await openBoard(server, 'shop', { repo: repository.directory, script: 'echo x > f; git add f; git commit -qm f; git init -q web; echo p > web/i; andon done --result made' });
  const task = await settled(server, await begin(server, 'shop'));
  assert.match(task.block_reason, /1 path of the work is left out: web\//);
  await moveTo(server, task, 'done');
  await until('a person is asked', async () => (await landingOf(server, task)) === 'asked', kLong);
  assert.match((await runsOf(server, task)).at(-1).landing.reason, /1 path of the work left out \(at most 0\): web\//);
  assert.match(await server.andon('diff', String(task.id)), /left out: web\/ \(it is a git repository of its own/);
  assert.equal(repository.sh('ls'), 'a.txt\nb.txt');
  await server.andon('work', 'land', String(task.id));
  await until('the rest lands', async () => (await landingOf(server, task)) === 'landed', kLong);
  assert.equal(repository.sh('cat f; ls'), 'x\na.txt\nb.txt\nf');
  assert.equal(treeOf(await server.andon('work', 'list', '--json'), task).state, 'kept');
  await server.andon('work', 'clean');
  assert.ok(treeOf(await server.andon('work', 'list', '--json'), task));
});

// How the first attempt ends after its work, and whether that is committed.
const kFirstEnds = {
  'a check that fails once': { checks: true, end: 'andon done --result made' },
  'a kill': { end: `while :; do sleep 0.05; done`, kills: true },
  'a crash': { end: 'kill -9 $$' },
  'a failure': { end: 'exit 1' },
};
const kWays = { 'a commit': 'echo x > f; git add f; git commit -qm f', 'no commit': 'echo x > f' };
const kReports = ['done --result found', 'done --no-change "it is there"'];
const kAttempts = Object.entries(kFirstEnds).flatMap(([ending, end]) =>
  Object.entries(kWays).flatMap(([way, deed]) => kReports.map((report) => ({ name: `${ending}, ${way}, ${report}`, ...end, deed, report }))));

async function tryAgain(server, task) {
  await until('the first attempt has ended', async () => {
    const now = await readTask(server, task);
    return !now.claimed_by && (await runsOf(server, task))[0]?.state === 'ended' && now;
  });
  const now = await readTask(server, task);
  if (now.not_before) await server.http.ask('PATCH', `/tasks/${task.id}`, { not_before: new Date().toISOString() });
  if (now.stage !== 'ready') await moveTo(server, task, 'todo');
}

for (const isReviewed of [false, true])
  test(`a second attempt that finds the work finished completes the task, ${isReviewed ? 'with' : 'without'} a review`, async (t) => {
    const place = openPlace(t);
    const server = await startServer(place);
    const ends = await forAll(kAttempts, async ({ name, checks, kills, end, deed, report }, n) => {
      const repository = makeRepository(place, `repo-${n}`);
      const good = place.path(`good-${n}`);
      const script = `[ -e f ] && { andon ${report}; exit 0; }\n${deed}\ntouch "$ANDON_RUN_DIR/own/ready"\n${end}`;
      await openBoard(server, `b${n}`, { repo: repository.directory, script, isReviewed, board: checks ? { checks: { unit: ['test', '-e', good] } } : {} });
      const task = await begin(server, `b${n}`, { max_attempts: 3, ...(checks && { checks: ['unit'] }) });
      if (kills) {
        const run = await until(`task ${task.id} runs`, async () => (await runsOf(server, task)).find(({ pid }) => pid));
        await until('its work is there', () => existsSync(join(server.data, 'work/runs', String(run.id), 'own/ready')));
        await server.http.post(`/tasks/${task.id}/kill`);
      }
      await until('an attempt has ended', async () => (await runsOf(server, task)).some(({ state }) => state === 'ended'));
      writeFileSync(good, '');
      await tryAgain(server, task);
      const now = await settled(server, task);
      return { name, repository, now, runs: await runsOf(server, task) };
    }, 3);
    for (const { name, repository, now, runs } of ends) {
      assert.equal(now.stage, 'done', `${name}: ${now.stage} ${now.block_reason}`);
      assert.equal(repository.sh('cat f; git status --porcelain'), 'x', name);
      assert.equal(runs.length, 2, name);
    }
    assert.ok((await server.andon('work', 'list', '--json')).trees.every(({ state, dirty }) => state === 'landed' && !dirty));
  });
