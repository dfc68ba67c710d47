import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ended, installAgent, installProfile, newTask, readTask, runsOf } from './agents.mjs';
import { kOutwardActs, kOwnActs, kPrelude } from './git_acts.mjs';
import { asWorker, makeRepository } from './repository.mjs';
import { startServer } from './server.mjs';
import { until } from './until.mjs';

export const kActs = { ...kOwnActs, ...kOutwardActs };
const kNames = Object.keys(kActs);

// A person's repository with all that an agent could take away.
export function makePersonsRepository(place, name = 'repo') {
  const repository = makeRepository(place, name);
  repository.sh(`echo two >b.txt; git commit -qam second; git tag -a -m one v1; git tag light HEAD~
git checkout -q -b unpushed; echo mine >mine.txt; git add .; git commit -qm mine; git checkout -q main
echo kept >>a.txt; git stash -q; echo older >>b.txt; git stash -q
git worktree add -q ../${name}-linked -b linked; echo note >../${name}-linked/note.txt
git config user.name ann; git config alias.mine status; git remote add backup ../backup
printf '#!/bin/sh\\nexit 0\\n' >.git/hooks/pre-push; chmod +x .git/hooks/pre-push; echo '*.log' >>.git/info/exclude
git pack-refs --all; git branch loose unpushed; echo noise >noise.log; echo draft >draft.txt
git commit -q --allow-empty -m lost; git reset -q --hard HEAD~; git status --porcelain`);
  return repository;
}

// The script does the acts of the prompt in their order: `work` is the honest commit, numbers are acts of the table. Then it ends as
// the prompt says.
function scriptOf(paths) {
  const cases = kNames.map((name, index) => `  ${index}) ${kActs[name]} ;;`).join('\n');
  return `${asWorker}
export REPO=${paths.repository} OTHER=${paths.other} MARK=${paths.mark} CLONE=$(cat .git/objects/info/alternates)
cat >"$ANDON_RUN_DIR/own/prompt"
plan=$(sed -n 's/^plan: //p' "$ANDON_RUN_DIR/own/prompt" | head -1)
${kPrelude}
work() { echo "work of $ANDON_TASK" >work-$ANDON_TASK.txt; git add -f work-$ANDON_TASK.txt; git commit -q -m "Work of $ANDON_TASK"; }
act() {
case $1 in
  work) work ;;
${cases}
esac
}
for step in $plan; do
  case $step in
    done) exit 0 ;;
    failed) exit 1 ;;
    wait) echo $$ >"$ANDON_RUN_DIR/own/pid"; mv "$ANDON_RUN_DIR/own/pid" "$ANDON_RUN_DIR/own/ready"; while [ ! -e "$ANDON_RUN_DIR/own/go" ]; do sleep 0.05; done ;;
    *) (set -e; act $step) </dev/null; echo "act $step: $?" ;;
  esac
done`;
}

// A board on a person's repository, with one worker for many tasks. Its agents are in a sandbox, where the kernel makes one.
export async function openHostileYard(place, { board = {}, capacity = 4, ...options } = {}) {
  const repository = makePersonsRepository(place);
  const other = makeRepository(place, 'other');
  const mark = place.path('mark');
  mkdirSync(place.path('home'));
  const server = await startServer(place, options);
  const isCaged = !options.under?.length && !/no sandbox/.test(await server.andon('doctor'));
  await server.http.post('/boards', { name: 'shop', template: 'classic', repo: repository.directory, worktree: true, ...board });
  installAgent(server.data, 'dev', scriptOf({ repository: repository.directory, other: other.directory, mark }));
  installProfile(server.data, 'dev', [`${server.data}/scripts/dev`], { sandbox: isCaged ? 'on' : 'off', env: { HOME: place.path('home') } });
  await server.http.post('/workers', { name: 'dev', agent: 'dev', capacity });
  return { repository, other, mark, server, isCaged };
}

// A task whose agent does steps: names of acts, `work`, `wait`, and at last `done` or `failed`.
export function newActs(server, title, steps) {
  const plan = steps.map((step) => (step in kActs ? kNames.indexOf(step) : step)).join(' ');
  return newTask(server, title, { body: `plan: ${plan}`, assignee: 'dev', status: 'todo', max_attempts: 1 });
}

const ownFile = (server, run, name) => join(server.data, 'work/runs', String(run.id), 'own', name);

// The process of an agent that waits, and its run.
export async function waitingAgent(server, task) {
  const run = await until(`task ${task.id} runs`, async () => (await runsOf(server, task)).find(({ pid }) => pid));
  const ready = ownFile(server, run, 'ready');
  await until(`the agent of task ${task.id} waits`, () => existsSync(ready));
  return { run, pid: Number(readFileSync(ready, 'utf8')) };
}

export const letGo = (server, { run }) => writeFileSync(ownFile(server, run, 'go'), '');

// What an agent's steps gave: {NAME: exit code}.
export async function codesOf(server, run) {
  const output = await server.http.get(`/runs/${run.id}/output`);
  const lines = output.items.map(({ text }) => /^act (\S+): (\d+)$/.exec(text)).filter(Boolean);
  return Object.fromEntries(lines.map(([, step, code]) => [kNames[step] ?? step, Number(code)]));
}

// Does `each` for all items, a few at a time: a server answers so many questions of one person at once.
export async function forAll(items, each, atOnce = 6) {
  const waiting = [...items.entries()];
  const out = [];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) out[next[0]] = await each(next[1], next[0]);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return out;
}

const kEnds = ['landed', 'returned', 'asked'];

// Accepts what waits for a verdict, and gives how the task ended: {how, reason, diff, run, landing}.
export async function acceptedEnd(server, task) {
  const run = await ended(server, task);
  const { stage, block_reason: reason } = await readTask(server, task);
  if (stage === 'blocked') return { how: 'blocked', reason, run };
  if (run.outcome === 'incomplete') return { how: 'incomplete', reason: run.reason, run };
  const diff = await server.http.get(`/tasks/${task.id}/diff`);
  if (stage === 'review') await server.http.post(`/tasks/${task.id}/accept`);
  const decided = async () => {
    const { landing } = (await runsOf(server, task)).at(-1);
    return kEnds.includes(landing?.state) && landing;
  };
  const landing = await until(`the work of task ${task.id} is decided`, decided).catch(() => null);
  if (!landing) return { how: 'undecided', reason: JSON.stringify(await runsOf(server, task)), diff, run };
  return { how: landing.state, reason: landing.reason ?? JSON.stringify(landing.findings), diff, run, landing };
}

const withoutIds = (diff) => diff.replaceAll(/^index .*\n/gm, '').trimEnd();

// What the landing of a task changed on `main`, as a diff.
export function landedDiff(repository, { landing }) {
  const moved = repository.sh('cat .git/logs/refs/heads/main').split('\n').map((line) => line.split(' ')).find(([, to]) => to === landing.commit);
  return withoutIds(repository.sh(`git diff ${moved[0]} ${moved[1]}`));
}

export const reviewedDiff = ({ diff }) => withoutIds(diff.diff);

export const honestDiff = ({ id }) => `diff --git a/work-${id}.txt b/work-${id}.txt
new file mode 100644
--- /dev/null
+++ b/work-${id}.txt
@@ -0,0 +1 @@
+work of ${id}`;
