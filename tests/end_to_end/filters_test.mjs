// Boards whose repository has filters: allowed ones run with the commands of the user, others block the work.
import assert from 'node:assert/strict';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { installAgent, moveTo, newTask, readTask, runsOf } from './support/agents.mjs';
import { openPlace } from './support/place.mjs';
import { asWorker, makeRepository } from './support/repository.mjs';
import { startServer } from './support/server.mjs';
import { until } from './support/until.mjs';

const kLong = 120_000; // ms

// A repository in which `vault/` has the filter `seal`, which turns the letters by 13, and a trap for its own commands.
function makeSealed(place) {
  const repository = makeRepository(place);
  const program = place.path('seal');
  writeFileSync(program, '#!/bin/sh\ncase $1 in clean) echo SEALED; tr a-z n-za-m;; smudge) sed 1d | tr a-z n-za-m;; esac\n');
  chmodSync(program, 0o755);
  const configuration = place.path('user.config');
  for (const way of ['clean', 'smudge']) {
    repository.sh(`git config --file ${configuration} filter.seal.${way} '${program} ${way}'`);
    repository.sh(`git config filter.seal.${way} '${program} ${way}'`);
  }
  repository.sh("mkdir vault; echo 'vault/** filter=seal' > .gitattributes; echo hello > vault/old; git add .; git commit -qm sealed");
  const mark = place.path('sprung');
  for (const way of ['clean', 'smudge']) repository.sh(`git config filter.seal.${way} 'touch ${mark}; cat'`);
  return { ...repository, mark, env: { GIT_CONFIG_GLOBAL: configuration } };
}

async function openBoard(place, repository, { act, filters }) {
  const server = await startServer(place, { env: repository.env });
  installAgent(server.data, 'dev', `${asWorker}\ncat > /dev/null; ${act}; andon done --result ok`);
  await server.http.post('/workers', { name: 'dev', agent: 'dev' });
  await server.http.post('/boards', { name: 'shop', template: 'classic', repo: repository.directory, worktree: true, review_by: 'checks', filters });
  const task = await newTask(server, 'Cart', { assignee: 'dev', board: 'shop' });
  await moveTo(server, task, 'todo');
  return { server, task };
}

const endOf = (server, task) =>
  until(`task ${task.id} is landed or blocked`, async () => {
    const run = (await runsOf(server, task)).at(-1);
    const now = await readTask(server, task);
    return (run?.landing?.state === 'landed' || now.stage === 'blocked') && { run, text: JSON.stringify([now, run]) };
  }, kLong);

const kWays = { 'that Andon commits': 'true', 'that the agent commits': 'git add .; git commit -qm work' };
for (const [way, commit] of Object.entries(kWays))
  test(`work under an allowed filter ${way} lands as the filter makes it`, async (t) => {
    const place = openPlace(t);
    const repository = makeSealed(place);
    const { server, task } = await openBoard(place, repository, { act: `cat vault/old > seen; echo secret > vault/new; ${commit}`, filters: ['seal'] });
    const { run, text } = await endOf(server, task);
    assert.equal(run.landing?.state, 'landed', text);
    assert.equal(repository.sh('git cat-file blob main:vault/new; git cat-file blob main:seen; cat vault/new'), 'SEALED\nfrperg\nhello\nsecret');
    assert.ok(!existsSync(repository.mark), 'a command of the repository ran');
  });

test('work that went past an allowed filter is blocked', async (t) => {
  const place = openPlace(t);
  const repository = makeSealed(place);
  const past = 'echo secret > vault/new; git -c filter.seal.clean= -c filter.seal.required=false add .; git commit -qm work';
  const { server, task } = await openBoard(place, repository, { act: past, filters: ['seal'] });
  const { text } = await endOf(server, task);
  assert.match(text, /a commit has it as its filter did not see it/);
  assert.equal(repository.sh('git log --format=%s main').split('\n')[0], 'sealed');
});

test('a filter without a command of the user counts as not allowed', async (t) => {
  const place = openPlace(t);
  const repository = makeSealed(place);
  const { server, task } = await openBoard(place, { ...repository, env: {} }, { act: 'echo secret > vault/new', filters: ['seal'] });
  const { text } = await endOf(server, task);
  assert.match(text, /no command for it is in the git configuration of the user that runs Andon/);
  assert.ok(!existsSync(repository.mark), 'a command of the repository ran');
});
