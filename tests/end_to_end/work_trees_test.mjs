// Work trees that are ready for work: set-up, copied files, ports, teardown and preview.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { ended, installAgent, moveTo, newTask, readTask, runsOf } from './support/agents.mjs';
import { HttpClient } from './support/http_client.mjs';
import { openPlace } from './support/place.mjs';
import { isAlive } from './support/processes.mjs';
import { asWorker, makeRepository } from './support/repository.mjs';
import { startServer } from './support/server.mjs';
import { until } from './support/until.mjs';

const kLong = 120_000; // ms

// A Node repository whose check needs what its set-up makes, and an ignored `.env`.
function makeNodeRepository(place) {
  const repository = makeRepository(place);
  repository.sh(`printf '.env\\nnode_modules\\n' > .gitignore
echo '{"name":"shop","lockfileVersion":3}' > package-lock.json
printf '#!/bin/sh\\nmkdir -p node_modules; echo installed > node_modules/left-pad; echo "set up with $ANDON_PORT_0 of $ANDON_TASK"; echo x >> ${place.path('installs')}\\n' > install.sh
chmod +x install.sh; git add .; git commit -qm node`);
  writeFileSync(`${repository.directory}/.env`, 'API_KEY=very-secret-value\n');
  return repository;
}

const kSetup = [['./install.sh']];
const kCheck = { unit: ['sh', '-c', 'test -f node_modules/left-pad && grep -q very-secret .env && test -n "$ANDON_PORT_1"'] };

async function openYard(server, repository, script, board = {}) {
  await server.http.post('/boards', {
    name: 'shop', template: 'classic', repo: repository.directory, worktree: true, setup: kSetup, checks: kCheck, copy: ['.env'], ports: 2,
    setup_cache: { key: ['package-lock.json'], keep: ['node_modules'] }, ...board,
  });
  installAgent(server.data, 'dev', `${asWorker}\n${script}`);
  await server.http.post('/workers', { name: 'dev', agent: 'dev' });
}

async function begin(server, title) {
  const task = await newTask(server, title, { assignee: 'dev' });
  await moveTo(server, task, 'todo');
  return task;
}

const patch = (server, path, body) => server.http.told('PATCH', path, body);

const landed = (server, task) =>
  until(`task ${task.id} is landed`, async () => (await runsOf(server, task)).at(-1)?.landing?.state === 'landed', kLong);

const logOf = async (server, run) => (await server.http.get(`/runs/${run.id}/output`)).items.map((item) => item.text).join('\n');

test('a fresh tree passes its own checks, in the run and on what is joined', async (t) => {
  const place = openPlace(t);
  const repository = makeNodeRepository(place);
  const server = await startServer(place);
  await openYard(server, repository, 'cat > /dev/null; cat .env; echo $ANDON_PORT_0 > port-$ANDON_TASK; git add -A; git commit -qm cart; andon done --result ok');
  const first = await begin(server, 'Cart');
  const run = await ended(server, first);
  assert.deepEqual(run.checks.map((check) => [check.name, check.passed]), [['unit', true]]);
  const log = await logOf(server, run);
  assert.match(log, /set-up: \.\/install\.sh/);
  assert.match(log, /set up with \d+ of \d+/);
  assert.ok(!log.includes('very-secret-value') && log.includes('[redacted]'), log);
  await landed(server, first);
  assert.match(repository.sh(`cat port-${first.id}`), /^2\d{4}$/);
  assert.equal(repository.sh('git log --all --format= --name-only | grep -c "^.env$" || true'), '0');

  const second = await begin(server, 'Basket');
  await landed(server, second);
  // The second tree and both trees of the landing queue took what the first set-up made.
  assert.equal(readFileSync(place.path('installs'), 'utf8'), 'x\n');
  await until('the records of removed trees are gone', () => !existsSync(`${server.data}/trees/shop`) || !readdirSync(`${server.data}/trees/shop`).some((name) => /^\d+-.*json$/.test(name)));
});

test('a failing set-up holds its board with its output and counts no attempt', async (t) => {
  const place = openPlace(t);
  const repository = makeNodeRepository(place);
  const server = await startServer(place);
  await openYard(server, repository, 'andon done', { setup: [['sh', '-c', 'echo no registry; sleep 1000 & exit 7']] });
  const task = await begin(server, 'Cart');
  const asked = async () => (await server.http.get('/attention')).items.find(({ kind }) => kind === 'fault');
  await until('a person is asked', async () => /set-up "sh -c .*" ended with exit 7:\nno registry/.test((await asked())?.text ?? ''), kLong);
  const shown = await readTask(server, task);
  assert.equal(shown.stage, 'ready');
  assert.equal(shown.attempt ?? 0, 0);
  assert.equal((await server.http.get('/workers/dev')).paused ?? false, false);

  await patch(server, '/boards/shop', { setup: [['sleep', '1000']], setup_timeout: '1s' });
  await until('a person is asked again', async () => /longer than 1 s/.test((await asked())?.text ?? ''), kLong);

  await patch(server, '/boards/shop', { setup: kSetup, setup_timeout: '10m' });
  await until('the agent ran', async () => (await runsOf(server, task)).some((run) => run.said === 'done'), kLong);
});

test('a run that is killed during its set-up leaves no process', async (t) => {
  const place = openPlace(t);
  const repository = makeNodeRepository(place);
  const server = await startServer(place);
  await openYard(server, repository, 'andon done', { setup: [['sh', '-c', 'setsid sleep 1000 & echo $! > pid; sleep 1000']] });
  const task = await begin(server, 'Cart');
  const file = `${server.data}/work/shop/${task.id}-cart/pid`;
  await until('the set-up runs', () => existsSync(file) && readFileSync(file, 'utf8').trim() !== '', kLong);
  const pid = Number(readFileSync(file, 'utf8'));
  assert.ok(isAlive(pid));
  await server.http.post(`/tasks/${task.id}/kill`, {});
  await until('all of it is gone', () => !isAlive(pid), kLong);
  const run = await ended(server, task);
  assert.equal(run.outcome, 'killed');
});

test('the tree of a task is opened with its variables and served until the task moves', async (t) => {
  const place = openPlace(t);
  const repository = makeNodeRepository(place);
  const server = await startServer(place);
  const seen = [];
  const observer = createHttpServer((request, answer) => answer.end(String(seen.push(request.url)))).listen(0, '127.0.0.1');
  await new Promise((resolve) => observer.once('listening', resolve));
  t.after(() => observer.close());
  const serve = `const s=require("http").createServer((q,a)=>a.end("cart "+process.env.ANDON_TASK));s.listen(process.env.ANDON_PORT_0,"127.0.0.1")`;
  await openYard(server, repository, 'cat > /dev/null; echo cart > a.txt; git commit -qam cart; andon done --result look', {
    review_by: 'person', preview: [process.execPath, '-e', serve], teardown: [[process.execPath, '-e', `require("http").get("http://127.0.0.1:${observer.address().port}/"+process.env.ANDON_TASK+"/"+process.env.ANDON_PORT_0)`]],
  });
  await patch(server, '/boards/shop', { add_columns: [{ name: 'review', stage: 'review' }] });
  const task = await begin(server, 'Cart');
  await until('it is in review', async () => (await readTask(server, task)).stage === 'review', kLong);
  const opened = await server.http.get(`/tasks/${task.id}/work`);
  assert.equal(opened.environment.ANDON_TASK, String(task.id));
  assert.equal(opened.can_preview, true);
  mkdirSync(`${opened.directory}/.git/hooks`);
  writeFileSync(`${opened.directory}/.git/hooks/post-checkout`, '#!/bin/sh\ntouch planted\n', { mode: 0o755 });
  writeFileSync(`${opened.directory}/.git/MERGE_HEAD`, `${repository.sh('git rev-parse main')}\n`);
  await assert.rejects(server.andon('work', 'open', String(task.id)), /a merge or rebase is under way/);
  rmSync(`${opened.directory}/.git/MERGE_HEAD`);
  const text = await server.andon('work', 'open', String(task.id));
  assert.match(text, /# .* has this branch too\n/);
  assert.ok(!existsSync(`${opened.directory}/.git/hooks/post-checkout`));
  assert.equal(repository.sh(`git show andon/${task.id}-cart:a.txt`), 'cart');
  assert.match(text, new RegExp(`^cd '.*/work/shop/${task.id}-cart'\nexport ANDON_BOARD='shop'\nexport ANDON_PORT_0='${opened.environment.ANDON_PORT_0}'`));

  assert.match(await server.andon('work', 'preview', String(task.id)), /# The preview is at http:\/\/localhost:\d+\//);
  const url = (await server.http.get(`/tasks/${task.id}/work`)).preview.url;
  await until('it serves', async () => {
    try {
      return (await (await fetch(url)).text()) === `cart ${task.id}`;
    } catch {
      return false;
    }
  });
  const again = await server.http.post(`/tasks/${task.id}/preview`, {});
  assert.equal(again.preview.url, url);
  await server.andon('work', 'preview', String(task.id), '--stop');
  await assert.rejects(fetch(url));
  await server.http.post(`/tasks/${task.id}/preview`, {});
  await server.http.post(`/tasks/${task.id}/accept`, {});
  await until('it ends with the review', async () => {
    try {
      await fetch(url);
      return false;
    } catch {
      return true;
    }
  });
  await landed(server, task);
  await until('the tree is gone', () => !existsSync(opened.directory));
  assert.deepEqual(seen, [`/${task.id}/${opened.environment.ANDON_PORT_0}`]);
});

test('a port that a stranger took is replaced, and a preview without a port is refused', async (t) => {
  const place = openPlace(t);
  const repository = makeNodeRepository(place);
  const server = await startServer(place);
  await openYard(server, repository, 'cat > /dev/null; echo $ANDON_PORT_0 > a.txt; git commit -qam cart; andon done', { checks: {}, land: 'off' });
  await assert.rejects(patch(server, '/boards/shop', { ports: 0, preview: ['serve'] }), /needs a port/);
  const first = await begin(server, 'Cart');
  await ended(server, first);
  const { environment, directory } = await server.http.get(`/tasks/${first.id}/work`);
  const stranger = createServer().listen(Number(environment.ANDON_PORT_0), '127.0.0.1');
  await new Promise((resolve) => stranger.once('listening', resolve));
  t.after(() => stranger.close());
  assert.equal(readFileSync(`${directory}/a.txt`, 'utf8').trim(), environment.ANDON_PORT_0);
  const second = await begin(server, 'Basket');
  await ended(server, second);
  const other = (await server.http.get(`/tasks/${second.id}/work`)).environment;
  assert.ok(Number(other.ANDON_PORT_0) > Number(environment.ANDON_PORT_1));
});

test('no agent sets any of it, opens a tree or starts a preview', async (t) => {
  const place = openPlace(t);
  const repository = makeNodeRepository(place);
  const server = await startServer(place);
  await openYard(server, repository, `echo $ANDON_TOKEN > ${place.path('token')}; sleep 1000`, { preview: ['true'] });
  const task = await begin(server, 'Cart');
  await until('the agent has told its token', () => existsSync(place.path('token')) && readFileSync(place.path('token'), 'utf8').trim() !== '', kLong);
  const agent = new HttpClient(server.url, readFileSync(place.path('token'), 'utf8').trim());
  const settings = { setup: [['true']], setup_cache: { key: ['a'], keep: ['b'] }, setup_timeout: '1h', copy: ['x'], ports: 9, teardown: [['true']], preview: ['true'], land_limits: { lines: -1 } };
  for (const [name, value] of Object.entries(settings)) {
    assert.equal((await agent.ask('PATCH', '/boards/shop', { [name]: value })).status, 403, name);
  }
  for (const [method, path, body] of [['GET', 'work'], ['POST', 'preview', {}], ['POST', 'landing', { verdict: 'land' }], ['POST', 'revert', {}]]) {
    assert.equal((await agent.ask(method, `/tasks/${task.id}/${path}`, body)).status, 403, path);
  }
  const running = await server.http.ask('POST', `/tasks/${task.id}/preview`, {});
  assert.match(running.body.error, /an agent works on/);
});

test('work whose tree is gone is listed, and given to a person as a branch', async (t) => {
  const place = openPlace(t);
  const repository = makeNodeRepository(place);
  const server = await startServer(place);
  await openYard(server, repository, 'cat > /dev/null; echo cart > a.txt; git commit -qam cart; andon done --result look', { review_by: 'person' });
  await patch(server, '/boards/shop', { add_columns: [{ name: 'review', stage: 'review' }] });
  const task = await begin(server, 'Cart');
  await until('it is in review', async () => (await readTask(server, task)).stage === 'review', kLong);
  const refs = repository.sh('git for-each-ref');
  rmSync(`${server.data}/work/shop/${task.id}-cart`, { recursive: true });

  const list = await server.http.get('/work');
  assert.deepEqual(list.kept.map(({ board, task, branch, unlanded }) => [board, task, branch, unlanded]), [['shop', task.id, `andon/${task.id}-cart`, 1]]);
  assert.match(await server.andon('work', 'list'), new RegExp(`#${task.id} of shop: andon/${task.id}-cart keeps 1 commit without a work tree`));
  assert.equal(repository.sh('git for-each-ref'), refs);
  const text = await server.andon('work', 'open', String(task.id));
  assert.match(text, new RegExp(`^cd '${repository.directory}'\n#.*\n# the work tree is gone.*git checkout andon/${task.id}-cart\n$`));
  assert.equal(repository.sh(`git show andon/${task.id}-cart:a.txt; git status --porcelain`), 'cart');

  repository.sh(`git checkout -q andon/${task.id}-cart; echo mine >mine.txt; git add mine.txt; git commit -qm mine; git checkout -q main`);
  assert.match(await server.andon('work', 'open', String(task.id)), /stays where it is: it has commits that the work does not have/);
  assert.equal(repository.sh(`git show andon/${task.id}-cart:mine.txt`), 'mine');
});
