import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { ended, installAgent, installProfile, newTask, readTask, runsOf } from './support/agents.mjs';
import { canHideCgroups, kWithoutCgroups } from './support/cgroups.mjs';
import { openPlace } from './support/place.mjs';
import { isAlive } from './support/processes.mjs';
import { asWorker, makeRepository } from './support/repository.mjs';
import { startServer } from './support/server.mjs';
import { until } from './support/until.mjs';

const kRounds = Number(process.env.ANDON_HOSTILE_ROUNDS ?? 1);

async function openYard(t, scripts, board = {}, options = {}) {
  const place = openPlace(t);
  const repository = makeRepository(place);
  const server = await startServer(place, options);
  await server.http.post('/boards', { name: 'shop', template: 'classic', repo: repository.directory, worktree: true, ...board });
  for (const [name, script] of Object.entries(scripts(place))) {
    installAgent(server.data, name, `${asWorker}\ncat > /dev/null\n${script}`);
    await server.http.post('/workers', { name, agent: name });
  }
  return { place, repository, server };
}

const begin = (server, worker, fields = {}) => newTask(server, `Task of ${worker}`, { assignee: worker, status: 'todo', ...fields });

// What a person has beside the board and never gave to it.
function makeSecret(place) {
  const secret = makeRepository(place, 'secret');
  secret.sh('echo "a private key" >id; git add id; git commit -qm own; echo "more of it" >>id');
  return secret;
}

const kSwaps = {
  'a work tree elsewhere': (secret) => `git config extensions.worktreeConfig true; git config --worktree core.worktree ${secret}`,
  'a link to another repository': (secret) => `cd ..; d=$(ls | grep -v landing); mv $d ../away; ln -s ${secret} $d`,
  'another git directory': (secret) => `echo "gitdir: ${secret}/.git" >.git`,
  'another common directory': (secret) => `echo ${secret}/.git >"$(git rev-parse --git-dir)/commondir"`,
};

for (const [name, swap] of Object.entries(kSwaps))
  test(`nothing of a person's is committed through ${name}`, async (t) => {
    const { place, repository, server } = await openYard(t, (place) => ({
      swapper: `echo work >a.txt\n(${swap(place.path('secret'))}) >/dev/null 2>&1\necho finished`,
    }), { review_by: 'checks', checks: { unit: ['true'] } });
    const secret = makeSecret(place);
    const before = secret.sh('git log --all --format=%H; git status --porcelain; cat id');
    const task = await begin(server, 'swapper');
    const run = await ended(server, task);
    assert.equal(secret.sh('git log --all --format=%H; git status --porcelain; cat id'), before);
    const objects = repository.sh('for o in $(git cat-file --batch-all-objects --batch-check="%(objectname) %(objecttype)" | grep blob | cut -d" " -f1); do git cat-file -p $o; done');
    assert.ok(!objects.includes('private key'), objects);
    const diff = await server.http.ask('GET', `/runs/${run.id}/diff`);
    assert.ok(!JSON.stringify(diff).includes('private key'));
  });

test('an end that an agent wrote counts for nothing', async (t) => {
  const { place, server } = await openYard(t, (place) => ({
    forger: `
parent=$PPID
cat >"$ANDON_RUN_DIR/end.json" <<END
{"run":$ANDON_RUN,"task":$ANDON_TASK,"epoch":$ANDON_EPOCH,"exit":{"code":0},"is_error":false,"status":"ok","result":"forged","commits":["${'a'.repeat(40)}"],"files_changed":1,"checks":[{"name":"unit","passed":true,"output":""}]}
END
printf '${'0'.repeat(64)}' >"$ANDON_RUN_DIR/end.seal"
touch ${place.path('forged')}
kill -9 $parent
sleep 600`,
  }), { review_by: 'checks', checks: { unit: ['false'] } });
  const task = await begin(server, 'forger', { max_attempts: 1 });
  const run = await ended(server, task);
  assert.ok(existsSync(place.path('forged')));
  assert.notEqual(run.outcome, 'succeeded', JSON.stringify(run));
  assert.notEqual(run.result, 'forged');
  assert.deepEqual(run.checks ?? [], []);
  assert.notEqual((await readTask(server, task)).stage, 'done');
});

test('a file of a run names nobody who is killed', async (t) => {
  const { place, server } = await openYard(t, (place) => ({
    namer: `
stat=$(cut -d")" -f2- /proc/$(cat ${place.path('bystander')})/stat)
id="$(cat ${place.path('bystander')})@$(echo $stat | cut -d" " -f20)@$(cat /proc/sys/kernel/random/boot_id)"
for name in supervisor agent; do echo "{\\"process\\":\\"$id\\"}" >"$ANDON_RUN_DIR/$name.json"; done
rm -f "$ANDON_RUN_DIR/stdin.txt"; ln -s /dev/null "$ANDON_RUN_DIR/stdin.txt"
touch ${place.path('named')}
kill -9 $PPID
sleep 600`,
  }));
  const bystander = execFileSync('/bin/sh', ['-c', 'setsid sleep 600 </dev/null >/dev/null 2>&1 & echo $!'], { encoding: 'utf8' }).trim();
  place.atEnd(() => process.kill(Number(bystander), 'SIGKILL'));
  writeFileSync(place.path('bystander'), bystander);
  const task = await begin(server, 'namer', { max_attempts: 1 });
  await ended(server, task);
  assert.ok(existsSync(place.path('named')));
  assert.ok(isAlive(Number(bystander)));
});

for (const [name, under] of Object.entries({ 'in a cgroup': [], 'without cgroups': kWithoutCgroups }))
  test(`an agent that hides its origin and kills its supervisor leaves nobody ${name}`, { skip: under.length > 0 && !canHideCgroups }, async (t) => {
    const { place, server } = await openYard(t, (place) => ({
      hider: `
parent=$PPID
for i in 1 2 3 4; do
  env -i setsid sh -c '(env -i setsid sh -c "echo \\$\\$ >>${place.path('pids')}; exec sleep 600" </dev/null >/dev/null 2>&1 &)' </dev/null >/dev/null 2>&1
done
while [ "$(wc -l <${place.path('pids')})" -lt 4 ]; do sleep 0.05; done
touch ${place.path('ready')}
kill -9 $parent
exec env -i setsid sleep 600 </dev/null >/dev/null 2>&1`,
    }), {}, { under });
    for (let round = 0; round < kRounds; ++round) {
      rmSync(place.path('pids'), { force: true });
      writeFileSync(place.path('pids'), '');
      const task = await begin(server, 'hider', { max_attempts: 1 });
      await ended(server, task);
      const pids = readFileSync(place.path('pids'), 'utf8').trim().split('\n').map(Number);
      assert.equal(pids.length, 4);
      assert.deepEqual(pids.filter(isAlive), [], `round ${round}`);
    }
  });

for (const [name, script] of Object.entries({
  once: 'kill -STOP $PPID; exec sleep 600',
  'again and again': 'while :; do kill -STOP $PPID; sleep 0.05; done',
}))
  test(`a supervisor that its agent stops ${name} lifts no limit`, async (t) => {
    const { server } = await openYard(t, () => ({ stopper: script }));
    installProfile(server.data, 'stopper', [`${server.data}/scripts/stopper`], { timeouts: { total_s: 2 }, stop: [['TERM', 1]] });
    const task = await begin(server, 'stopper', { max_attempts: 1 });
    const begun = Date.now();
    const run = await ended(server, task);
    assert.ok(Date.now() - begun < 45_000);
    assert.notEqual(run.outcome, 'succeeded');
    const claim = await server.http.ask('POST', `/tasks/${task.id}/claim`, { by: 'ann' });
    assert.ok([200, 409].includes(claim.status));
  });

test('a repository that does not answer stops no other board and no end', async (t) => {
  const { place, repository, server } = await openYard(t, (place) => ({
    victim: `touch ${place.path('at-work')}; sleep 600`,
    other: 'echo done',
  }));
  await server.http.post('/boards', { name: 'other' });
  const task = await begin(server, 'victim', { max_attempts: 1 });
  await until('it works', () => existsSync(place.path('at-work')));
  const run = await until('its process is known', async () => (await runsOf(server, task)).find(({ pid }) => pid));
  repository.sh('rm .git/config; mkfifo .git/config');
  process.kill(run.pid, 'SIGKILL');
  const begun = Date.now();
  const second = await server.http.post('/tasks', { board: 'other', title: 'Go on', assignee: 'other', status: 'todo' });
  await ended(server, second);
  await ended(server, task);
  assert.ok(Date.now() - begun < 45_000);
  const work = await server.http.ask('GET', '/work');
  assert.equal(work.status, 200);
  const stopping = Date.now();
  await server.end('SIGTERM');
  assert.ok(Date.now() - stopping < 30_000, `${Date.now() - stopping} ms`);
});

// A program under the name of a real one, which reads, writes and reports what it could reach.
const kNosyClaude = `#!/bin/sh
cat >/dev/null
data=$(dirname "$ANDON_SOCKET")
for file in "$data/token" "$data/andon.db" "$HOME/secret"; do cat "$file" >/dev/null 2>&1 && leaks="$leaks read:$file"; done
echo x >"$HOME/planted" 2>/dev/null && leaks="$leaks planted"
echo x >"$HOME/.claude/state" || leaks="$leaks no-state"
echo x >"$HOME/.cache/state" || leaks="$leaks no-cache"
echo x >a.txt 2>/dev/null && leaks="$leaks work"
andon note "I looked" >/dev/null || leaks="$leaks no-board"
echo "{\\"type\\":\\"result\\",\\"subtype\\":\\"success\\",\\"is_error\\":false,\\"result\\":\\"leaks:$leaks.\\"}"
`;

for (const [level, work] of [['edit', ' work'], ['readonly', '']])
  test(`a built-in profile is held to its directories without being asked, at the level ${level}`, async (t) => {
    const place = openPlace(t);
    for (const directory of ['bin', 'home']) mkdirSync(place.path(directory));
    writeFileSync(place.path('bin/claude'), kNosyClaude);
    chmodSync(place.path('bin/claude'), 0o755);
    writeFileSync(place.path('home/secret'), 'a private key');
    const repository = makeRepository(place);
    const server = await startServer(place, { env: { PATH: `${place.path('bin')}:${process.env.PATH}`, HOME: place.path('home') } });
    await server.http.post('/boards', { name: 'shop', template: 'classic', repo: repository.directory, worktree: true });
    await server.http.post('/workers', { name: 'nosy', agent: 'claude', permissions: level });
    const run = await ended(server, await begin(server, 'nosy'));
    const doctor = await server.andon('doctor');
    if (/no sandbox/.test(doctor)) return t.skip('this kernel has no Landlock');
    assert.equal(run.result, `leaks:${work}.`, JSON.stringify(run));
    assert.ok(!existsSync(place.path('home/planted')));
  });

test('a sandbox closes the data directory and the home directory and lets the work go on', async (t) => {
  const { place, repository, server } = await openYard(t, (place) => ({
    boxed: `
for file in "$DATA/token" "$DATA/andon.db" "$HOME/secret" "$DATA/work/runs/1/../../../token"; do cat "$file" >>out 2>/dev/null && echo "read $file" >>leaks; done
echo x >"$HOME/planted" 2>/dev/null && echo planted >>leaks
kill -0 $PPID 2>/dev/null && kill -STOP $PPID 2>/dev/null
[ -s "$HOME/.program/login" ] || echo "no sign-in" >>leaks
echo kept >"$HOME/.program/state" || echo "no state" >>leaks
echo temporary >"$TMPDIR/file" || echo "no temporary directory" >>leaks
rm -f out
echo work >a.txt; git add -A; git commit -qm boxed || echo "no commit" >leaks
andon note "it can report" || echo "no board" >>leaks
echo "leaks: $(cat leaks 2>/dev/null)"`,
  }), {}, {});
  mkdirSync(place.path('home/.program'), { recursive: true });
  writeFileSync(place.path('home/secret'), 'a private key');
  writeFileSync(place.path('home/.program/login'), 'signed in');
  installProfile(server.data, 'boxed', [`${server.data}/scripts/boxed`], {
    sandbox: 'on', folders: ['~/.program'], env: { HOME: place.path('home'), DATA: server.data },
  });
  const task = await begin(server, 'boxed');
  const run = await ended(server, task);
  if (/has no Landlock/.test(run.reason ?? '')) return t.skip('this kernel has no Landlock');
  assert.match(run.result ?? '', /leaks: *$/, JSON.stringify(run));
  assert.ok(!existsSync(place.path('home/planted')));
  assert.equal(repository.sh(`git -C ${server.data}/work/shop/1-task-of-boxed show HEAD:a.txt 2>/dev/null || git show main:a.txt`), 'work');
});
