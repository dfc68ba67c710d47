import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { newTask, readTask, runsOf } from './support/agents.mjs';
import { canHideCgroups, kWithoutCgroups } from './support/cgroups.mjs';
import { openPlace } from './support/place.mjs';
import { killAll, processesNaming } from './support/processes.mjs';
import { makeRepository } from './support/repository.mjs';
import { startServer } from './support/server.mjs';
import { until } from './support/until.mjs';

const kWithoutLandlock = [join(dirname(process.env.ANDON_PROGRAM), 'tests/without_landlock')];
// A machine may forbid filters of system calls. That the program is not there is a defect of the build.
const canHideLandlock = spawnSync(kWithoutLandlock[0], ['true']).status !== 1;

// Machines on which the same must hold, but for what only the sandbox can hold.
const kMachines = {
  'on this machine': [],
  ...(canHideLandlock && { 'without Landlock': kWithoutLandlock }),
  ...(canHideCgroups && { 'without cgroups': kWithoutCgroups }),
};

// A server whose agents run under the name of a real program, with its profile as it ships: in the sandbox, where the
// kernel makes one. The home directory holds a key.
async function openCage(t, script, under = []) {
  const place = openPlace(t);
  for (const directory of ['bin', 'home', 'home/.ssh']) mkdirSync(place.path(directory));
  writeFileSync(place.path('bin/claude'), `#!/bin/sh\ncat >/dev/null\nmark=${place.path('survivor')}\n${script}\n`);
  chmodSync(place.path('bin/claude'), 0o755);
  writeFileSync(place.path('home/.ssh/id'), 'a private key');
  const server = await startServer(place, { under, env: { PATH: `${place.path('bin')}:${process.env.PATH}`, HOME: place.path('home') } });
  place.atEnd(() => killAll(processesNaming(place.path('survivor'))));
  const isCaged = under !== kWithoutLandlock && !/no sandbox/.test(await server.andon('doctor'));
  return { place, server, isCaged };
}

const kResult = (isError, text) =>
  `echo "{\\"type\\":\\"result\\",\\"subtype\\":\\"success\\",\\"is_error\\":${isError},\\"session_id\\":\\"talk-1\\",\\"result\\":\\"${text}\\"}"`;

const endedRuns = async (server, task, count) =>
  until(`${count} runs of task ${task.id} end`, async () => {
    const runs = (await runsOf(server, task)).filter((run) => run.state === 'ended');
    return runs.length >= count && runs;
  });

// What an agent writes to choose the directory of the next attempt, with $1 as the directory it wants.
const kLures = {
  'the record of its run': 'sed -i "s|\\"cwd\\":\\"[^\\"]*\\"|\\"cwd\\":\\"$1\\"|" "$ANDON_RUN_DIR/spec.json"',
  'a link in the place of its directory': 'cd "$ANDON_RUN_DIR"; rm -rf work; ln -s "$1" work',
};

for (const [machine, under] of Object.entries(kMachines).filter(([, under]) => under !== kWithoutCgroups))
  for (const [[name, lure], wanted] of Object.entries(kLures).flatMap((each) => [[each, 'home/.ssh'], [each, 'data']]))
    test(`${name} leads no later attempt to ${wanted} ${machine}`, async (t) => {
      const { place, server, isCaged } = await openCage(t, `
echo '{"type":"system","subtype":"init","session_id":"talk-1"}'
if [ "$ANDON_RUN" = 1 ]; then
  set -- "$(dirname "$(dirname "$0")")/${wanted}"
  ${lure}
  ${kResult(true, 'again')}; exit 1
fi
${kResult(false, '$(pwd): $(cat id token 2>/dev/null | tr -d \'\\n\')')}`, under);
      await server.http.post('/boards', { name: 'shop' });
      await server.http.post('/workers', { name: 'dev', agent: 'claude', conversation: 'task' });
      const task = await newTask(server, 'Look', { status: 'todo', assignee: 'dev' });
      await endedRuns(server, task, 1);
      await server.http.ask('POST', `/tasks/${task.id}/retry`, {});
      const [, second] = await endedRuns(server, task, 2);
      const directory = name.startsWith('a link') && !isCaged ? 'data/work/runs/2/work' : 'data/work/runs/1/work';
      assert.equal(second.result, `${place.path(directory)}:`);
    });

for (const [machine, under] of Object.entries(kMachines))
  test(`a check that an agent changed leaves nobody and takes nothing when its work is joined ${machine}`, async (t) => {
    const { place, server, isCaged } = await openCage(t, `
cat >check.sh <<END
cat $HOME/.ssh/id $(dirname "$ANDON_SOCKET")/token >>$(dirname "$mark")/stolen
(env -i setsid sh -c 'sleep 600; : $mark' &)
(setsid sh -c 'sleep 600; : $mark' &)
exit 0
END
git add check.sh; git -c user.name=x -c user.email=x@x commit -qm work
${kResult(false, 'done')}`, under);
    const repository = makeRepository(place);
    repository.sh('echo exit 0 >check.sh; git add .; git commit -qm check');
    await server.http.post('/boards', { name: 'shop', template: 'classic', repo: repository.directory, worktree: true, review_by: 'checks', checks: { unit: ['sh', 'check.sh'] }, land_limits: { check_files: -1 } });
    await server.http.post('/workers', { name: 'dev', agent: 'claude', permissions: 'full' });
    const task = await newTask(server, 'Work', { status: 'todo', assignee: 'dev' });
    await until('the work lands', async () => (await readTask(server, task)).stage === 'done' && repository.sh('git show main:check.sh').includes('stolen'));
    assert.deepEqual(processesNaming(place.path('survivor')), []);
    if (!isCaged) return;
    assert.ok(!existsSync(place.path('stolen')) || readFileSync(place.path('stolen'), 'utf8') === '');
  });

test('an agent in its sandbox reads the files of its run and changes none that Andon wrote', async (t) => {
  const { server, isCaged } = await openCage(t, `
cd "$ANDON_RUN_DIR"
for file in spec.json prompt.md supervisor.log end.json end.seal output.000000000000000.jsonl output.000000000999999.jsonl; do
  echo '{"at":"2026-01-01T00:00:00Z","stream":"andon","text":"forged"}' >>$file && echo "$file was written"
done
rm -rf work; mv output.000000000000000.jsonl away; test -s prompt.md || echo "no prompt"
echo mine >own/state; echo mine >tmp/state; echo mine >work/state || echo "no directory"
${kResult(false, 'tried')}`);
  if (!isCaged) return t.skip('this kernel has no Landlock');
  await server.http.post('/boards', { name: 'shop' });
  await server.http.post('/workers', { name: 'dev', agent: 'claude' });
  const [run] = await endedRuns(server, await newTask(server, 'Forge', { status: 'todo', assignee: 'dev' }), 1);
  assert.equal(run.result, 'tried', JSON.stringify(run));
  const said = (await server.http.get(`/runs/${run.id}/output`)).items.map(({ text }) => text).join('\n');
  assert.doesNotMatch(said, /was written|forged|no prompt|no directory/);
});
