// What Andon says of a repository before the first run, and the shapes in which work lands: a linked work tree, a submodule, a folder.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installAgent, moveTo, newTask, readTask, runsOf } from './support/agents.mjs';
import { openPlace } from './support/place.mjs';
import { asWorker, makeRepository } from './support/repository.mjs';
import { startServer } from './support/server.mjs';
import { until } from './support/until.mjs';

const kLanding = 60_000; // ms

async function openBoard(server, name, repo, board = {}) {
  return server.http.post('/boards', { name, template: 'classic', repo, worktree: true, ...board });
}

async function openWorker(server, script) {
  installAgent(server.data, 'dev', `${asWorker}\ncat > /dev/null; ${script}`);
  await server.http.post('/workers', { name: 'dev', agent: 'dev' });
}

async function begin(server, board, fields = {}) {
  const task = await newTask(server, 'Work', { board, assignee: 'dev', ...fields });
  await moveTo(server, task, 'todo');
  return task;
}

const landed = (server, task) =>
  until(`task ${task.id} is landed`, async () => (await runsOf(server, task)).at(-1)?.landing?.state === 'landed', kLanding);

test('what cannot work is refused when a board gets it, and the rest is told', async (t) => {
  const place = openPlace(t);
  const repository = makeRepository(place);
  const server = await startServer(place);
  repository.sh("git clone -q --bare . ../bare.git; git config commit.gpgSign true; echo 'vault/** filter=seal' > .gitattributes; git add .; git commit -qm attributes --no-gpg-sign");
  await server.http.post('/boards', { name: 'shop', template: 'classic' });
  const refused = await server.http.ask('PATCH', '/boards/shop', { repo: place.path('bare.git'), worktree: true });
  assert.equal(refused.status, 422);
  assert.equal(refused.body.field, 'repo');
  assert.match(refused.body.error, /is bare .*file:\/\/.*bare\.git$/);
  const answer = await server.http.told('PATCH', '/boards/shop', { repo: repository.directory, worktree: true });
  assert.deepEqual(answer.warnings.map((each) => each.split(':')[0]), ['commit.gpgsign is true', 'files have filters']);
  assert.match(await server.andon('doctor', '--repo', repository.directory), /^fact +the branch is main [^]*note +commit\.gpgsign is true: [^]*A board can have it\.\n$/);
});

test('a team whose board gets what cannot work is refused as a whole', async (t) => {
  const place = openPlace(t);
  const repository = makeRepository(place);
  const server = await startServer(place);
  repository.sh('git clone -q --bare . ../bare.git; mkdir app; echo x > app/x; git add .; git commit -qm app');
  const apply = (repo) => server.http.ask('POST', '/team', { boards: [{ name: 'fine' }, { name: 'shop', repo, worktree: true }] });
  const bare = await apply(place.path('bare.git'));
  assert.deepEqual([bare.status, bare.body.field], [422, 'boards/1/repo']);
  assert.match(bare.body.error, /is bare/);
  const folder = await apply(`${repository.directory}/app`);
  assert.deepEqual([folder.status, folder.body.field], [422, 'boards/1/repo']);
  assert.match(folder.body.error, /write "repo": ".*" and "folder": "app"$/);
  assert.ok(!(await server.http.get('/boards')).items.some((board) => board.name === 'fine'));
  assert.equal((await apply(repository.directory)).status, 200);
});

test('work lands in a linked work tree and in a submodule', async (t) => {
  const place = openPlace(t);
  const repository = makeRepository(place);
  repository.sh('git worktree add -q -b feature ../linked; git init -q -b main ../above; cd ../above; git -c protocol.file.allow=always submodule --quiet add "$OLDPWD" part; git commit -qm first');
  const server = await startServer(place);
  await openBoard(server, 'linked', place.path('linked'));
  await openBoard(server, 'part', place.path('above/part'));
  await openWorker(server, 'echo x > f; andon done --result made');
  for (const board of ['linked', 'part']) await landed(server, await begin(server, board));
  assert.equal(repository.sh('cat ../linked/f ../above/part/f; git -C ../linked status --porcelain; git -C ../linked branch --show-current; ls'), 'x\nx\nfeature\na.txt\nb.txt');
});

test('agents, set-up and checks work in the folder of a larger repository', async (t) => {
  const place = openPlace(t);
  const repository = makeRepository(place);
  repository.sh('mkdir -p packages/app; echo 1 > packages/app/x; git add .; git commit -qm app');
  const server = await startServer(place);
  const board = await openBoard(server, 'app', `${repository.directory}/packages/app`, {
    setup: [['test', '-f', 'x']],
    checks: { made: ['test', '-f', 'f'] },
  });
  assert.deepEqual([board.repo, board.folder], [repository.directory, 'packages/app']);
  await openWorker(server, 'pwd > f; andon done --result made');
  const task = await begin(server, 'app', { checks: ['made'], touches: ['f'] });
  await landed(server, task);
  assert.match(repository.sh('cat packages/app/f; git status --porcelain'), /\/work\/app\/\d+-work\/packages\/app$/);
});

test('a link in the place of the folder starts no agent', async (t) => {
  const place = openPlace(t);
  const repository = makeRepository(place);
  repository.sh('mkdir -p app; echo 1 > app/x; git add .; git commit -qm app');
  const server = await startServer(place);
  await openBoard(server, 'app', repository.directory, { folder: 'app' });
  repository.sh('git rm -qr app; ln -s / app; git add .; git commit -qm link');
  await openWorker(server, 'andon done --result made');
  const task = await begin(server, 'app');
  await until('the task is blocked', async () => (await readTask(server, task)).blocked);
  assert.match((await readTask(server, task)).block_reason, /the folder app of .* is reached through a link/);
});
