// Agents do to git what they can, beside one honest commit. The person's repository stays what it was, but for what lands.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { ended, readTask, runsOf } from './support/agents.mjs';
import { Chance } from './support/chance.mjs';
import { kOutwardActs, kOwnActs } from './support/git_acts.mjs';
import { assertKept, contentOf } from './support/git_directory.mjs';
import { acceptedEnd, codesOf, forAll, honestDiff, kActs, landedDiff, letGo, newActs, openHostileYard, reviewedDiff, waitingAgent } from './support/hostile_yard.mjs';
import { openPlace } from './support/place.mjs';
import { killAll } from './support/processes.mjs';
import { startServer } from './support/server.mjs';
import { until } from './support/until.mjs';

const kSequences = Number(process.env.ANDON_ACTS ?? 40);
const kSeed = Number(process.env.ANDON_SEED ?? 1);
const kWithoutLandlock = [join(dirname(process.env.ANDON_PROGRAM), 'tests/without_landlock')];
// A machine may forbid filters of system calls. That the program is not there is a defect of the build.
const canHideLandlock = spawnSync(kWithoutLandlock[0], ['true']).status !== 1;
const kMachines = { 'on this machine': [], ...(canHideLandlock && { 'without Landlock': kWithoutLandlock }) };

// The acts after which Andon cannot tell the work or does not trust where git reads, and what it says then.
const kBlocked = {
  'a HEAD at main': /on the branch main, which is not the task's/,
  'a HEAD at a branch that is not there': /has no commit that git can read: .*branch 'nowhere' does not have any commits yet/,
  'a HEAD at a ref of the person': /on the branch origin\/unpushed, which is not the task's/,
  'a HEAD that is a link': /no commit that git can read: /,
  'a HEAD of garbage': /no commit that git can read: .*/,
  'included settings of the person': /leads git to .*\/repo\/\.git\/config/,
  'a format of the future': /no commit that git can read: .*/,
  'another object format': /no commit that git can read: .*/,
  'settings that are a directory': /\.git\/config is no file/,
  'packed-refs of garbage': /no commit that git can read: .*packed-refs/s,
  'objects of another repository': /leads git to .*\/other\/\.git\/objects/,
  'objects of the person': /leads git to .*\/repo\/\.git\/objects/,
  'a common directory of the person': /\.git\/commondir has no meaning there/,
  'a damaged pack': /cannot be taken over: .*pack/s,
  'an index of a pack of garbage': /cannot be taken over: .*index file/s,
  'refs that are links': /\.git\/refs\/person is a link/,
  'no git directory': /cannot open .*\.git: No such file/,
  'a new git directory': /is not the directory that was there when the work began|no commit that git can read/,
  'a link to the git directory of the person': /\.git is reached through a link/,
  'a nested repository': /left out: sub\/ \(it is a git repository of its own/,
  'a nested repository without commits': /left out: empty-sub\/ \(it is a git repository of its own/,
  'a file that names the git directory of the person': /\.git is no directory/,
  'a git directory that is a file': /\.git is no directory/,
};

// Where the kernel cannot hold git to its directories, Andon looks for links itself.
const kBlockedWithoutLandlock = { 'a link to the objects of the person': /objects\/00 is a link/ };

const openReviewed = async (place, options = {}) => {
  const yard = await openHostileYard(place, { board: { review_by: 'person' }, ...options });
  await yard.server.http.told('PATCH', '/boards/shop', { add_columns: [{ name: 'review', stage: 'review' }] });
  return yard;
};

// All of a person's that no work may change: git directory, another repository, and a work tree of their own.
function personsOf({ repository, other }) {
  const linked = `${repository.directory}-linked`;
  return { git: contentOf(join(repository.directory, '.git')), rest: [other.directory, linked].map(contentOf) };
}

function assertPersonKept(yard, before, { landed = [] } = {}) {
  const after = personsOf(yard);
  assertKept(before.git, after.git, { landed: landed.length > 0 });
  assert.deepEqual(after.rest, before.rest);
  assert.ok(!existsSync(yard.mark), 'a program of an agent ran');
  const { sh } = yard.repository;
  assert.equal(sh('git status --porcelain'), '?? draft.txt');
  assert.equal(sh('git fsck --strict --no-dangling 2>&1'), '');
  assert.equal(sh('cat draft.txt noise.log'), 'draft\nnoise');
  for (const { id } of landed) assert.equal(sh(`cat work-${id}.txt`), `work of ${id}`);
}

// No act after it comes to its end.
const kLast = ['a link to the objects of the person', 'locks left behind', 'a commit-graph with other parents', 'a shallow file', 'a bare repository', 'a work tree elsewhere', 'settings of a work tree'];

// Changes beside it get no commit, and then the task is blocked.
const kDetached = 'a detached HEAD';

function groupsOf(names, size) {
  const isAlone = (name) => kBlocked[name] || kLast.includes(name);
  const alone = names.filter(isAlone).map((name) => [name]);
  const together = names.filter((name) => !isAlone(name));
  const groups = Array.from({ length: Math.ceil(together.length / size) }, (_, n) => together.slice(n * size, (n + 1) * size));
  return [...alone, [kDetached], ...groups.map((group) => group.filter((name) => name !== kDetached))];
}

for (const [machine, under] of Object.entries(kMachines))
  test(`an act beside an honest commit lands that commit alone, or blocks the task with a reason, ${machine}`, async (t) => {
    const yard = await openReviewed(openPlace(t), { under });
    const { repository, server } = yard;
    const before = personsOf(yard);
    const groups = groupsOf(Object.keys(kOwnActs), 3);
    const ends = await forAll(groups, async (acts) => {
      const task = await newActs(server, acts.join(', ').slice(0, 200), ['work', ...acts, 'done']);
      return { acts, task, ...(await acceptedEnd(server, task)) };
    });
    for (const end of ends) {
      const { acts, task, how, reason, run } = end;
      const about = `${acts.join(', ')}: ${how} ${reason}`;
      const codes = await codesOf(server, run);
      assert.deepEqual(codes, Object.fromEntries(['work', ...acts].map((name) => [name, 0])), about);
      const blocked = kBlocked[acts[0]] ?? (under.length > 0 && kBlockedWithoutLandlock[acts[0]]);
      assert.equal(how, blocked ? 'blocked' : 'landed', about);
      if (blocked) assert.match(reason, blocked);
      else assert.deepEqual([reviewedDiff(end), landedDiff(repository, end)], [honestDiff(task), honestDiff(task)], about);
    }
    const landed = ends.filter(({ how }) => how === 'landed').map(({ task }) => task);
    assertPersonKept(yard, before, { landed });
    assert.equal(repository.sh('git log --format=%s main | sort'), ['first', 'second', ...landed.map(({ id }) => `Work of ${id}`)].sort().join('\n'));
  });

test('no act reaches the repository of the person or the clone', async (t) => {
  const yard = await openReviewed(openPlace(t));
  if (!yard.isCaged) return t.skip('this kernel has no Landlock');
  const before = personsOf(yard);
  const names = Object.keys(kOutwardActs);
  const task = await newActs(yard.server, 'Reach out', [...names, 'work', ...names, 'done']);
  const end = await acceptedEnd(yard.server, task);
  const codes = await codesOf(yard.server, end.run);
  assert.deepEqual(Object.entries(codes).filter(([, code]) => code === 0).map(([name]) => name), ['work']);
  assert.equal(Object.keys(codes).length, names.length + 1);
  assert.deepEqual([end.how, landedDiff(yard.repository, end)], ['landed', honestDiff(task)], end.reason);
  assertPersonKept(yard, before, { landed: [task] });
});

const kAtAnyEnd = ['a commit on main', 'moved branches', 'deleted branches', 'moved tags', 'deleted tags', 'stashes', 'a pruned history', 'hooks', 'a file system monitor', 'a file of main under its name'];

test('the repository of the person is what it was at each end of a run', async (t) => {
  const place = openPlace(t);
  const yard = await openHostileYard(place, { capacity: 5 });
  const steps = [...kAtAnyEnd, ...(yard.isCaged ? Object.keys(kOutwardActs) : [])];
  const before = personsOf(yard);
  const [done, restarted, failed, killed, lost] = await forAll(['done', 'done', 'failed', 'done', 'done'], async (end, n) => {
    const task = await newActs(yard.server, `Ends as ${end}`, ['work', ...steps, 'wait', end]);
    return { task, ...(await waitingAgent(yard.server, task)) };
  });
  letGo(yard.server, failed);
  await yard.server.http.post(`/tasks/${killed.task.id}/kill`);
  killAll([lost.run.pid, lost.pid]);
  const outcomes = await forAll([failed, killed, lost], async ({ task }) => (await ended(yard.server, task)).outcome);
  assert.deepEqual(outcomes, ['failed', 'killed', 'lost']);
  assertPersonKept(yard, before);

  const hasLanded = (server, { task }) => until(`task ${task.id} lands`, async () => (await runsOf(server, task)).at(-1)?.landing?.state === 'landed');
  letGo(yard.server, done);
  await hasLanded(yard.server, done);
  assertPersonKept(yard, before, { landed: [done.task] });

  await yard.server.end('SIGKILL');
  letGo(yard.server, restarted);
  const next = await startServer(place);
  await hasLanded(next, restarted);
  assert.equal((await readTask(next, restarted.task)).stage, 'done');
  assertPersonKept(yard, before, { landed: [done.task, restarted.task] });
  assert.equal(yard.repository.sh('git log --format=%s main | wc -l'), '4');
});

const kDecisions = ['landed', 'blocked', 'returned', 'asked', 'incomplete'];

function randomSteps(chance) {
  const names = Object.keys(kActs);
  const mild = names.filter((name) => !kBlocked[name] && !kLast.includes(name));
  const steps = Array.from({ length: 5 + chance.below(6) }, () => chance.one(chance.below(20) === 0 ? names : mild));
  steps.splice(chance.below(steps.length + 1), 0, 'work');
  return [...steps, 'done'];
}

test('after any acts in any order only reviewed work has landed', async (t) => {
  const yard = await openReviewed(openPlace(t));
  if (!yard.isCaged) return t.skip('this kernel has no Landlock');
  const { repository, server } = yard;
  const before = personsOf(yard);
  const chance = new Chance(kSeed);
  const plans = Array.from({ length: kSequences }, () => randomSteps(chance));
  const ends = await forAll(plans, async (steps) => {
    const task = await newActs(server, 'Random acts', steps);
    return { steps, task, ...(await acceptedEnd(server, task)) };
  });
  const landed = ends.filter(({ how }) => how === 'landed');
  for (const end of ends) {
    const about = `seed ${kSeed}, task ${end.task.id}, ${end.steps.join(', ')}: ${end.how} ${end.reason}`;
    assert.ok(kDecisions.includes(end.how), about);
    if (end.how !== 'landed') assert.ok(end.reason, about);
    else assert.equal(landedDiff(repository, end), reviewedDiff(end), about);
  }
  t.diagnostic(kDecisions.map((how) => `${ends.filter((end) => end.how === how).length} ${how}`).join(', '));
  assertPersonKept(yard, before, { landed: landed.map(({ task }) => task) });
  assert.ok(!repository.sh('git log -p main').includes('evil'));
});

// What a person does in a repository in which work lands. Git refuses a command that meets a landing; then they try again.
const kPersonsDay = (round) => [
  `echo ${round} >person-${round}.txt; git add person-${round}.txt; git commit -q -m "Person ${round}" -- person-${round}.txt`,
  `git checkout -q -B topic-${round} main`,
  `echo ${round} >topic-${round}.txt; git add topic-${round}.txt; git commit -q -m "Topic ${round}" -- topic-${round}.txt`,
  'git checkout -q main',
  `git checkout -q topic-${round}; git rebase -q main`,
  'git checkout -q main',
  `echo ${round} >>b.txt; git stash push -q -m "Stash ${round}"`,
];

async function live(yard, script) {
  for (let tries = 0; ; ++tries)
    try {
      return yard.repository.sh(script);
    } catch (error) {
      if (tries === 50 || !/index\.lock|cannot lock ref|Unable to create/.test(error.stderr)) throw error;
      await pause(20);
    }
}

test('three agents and a person who commits, rebases and stashes lose nothing', async (t) => {
  const yard = await openHostileYard(openPlace(t), { capacity: 3 });
  const { repository, server } = yard;
  repository.sh('git worktree remove --force ../repo-linked; rm draft.txt');
  const stashes = repository.sh('git stash list --format=%gs').split('\n');
  const hasLanded = (task) => until(`task ${task.id} lands`, async () => (await runsOf(server, task)).at(-1)?.landing?.state === 'landed');
  const tasks = await forAll(Array.from({ length: 12 }), (_, n) => newActs(server, `Work ${n}`, ['work', 'a pruned history', 'done']), 3);
  const rounds = 8;
  const countLanded = () => Number(repository.sh('git log --format=%s main | grep -c "Work of" || true'));
  for (let round = 1; round <= rounds; ++round) {
    const before = countLanded();
    for (const script of kPersonsDay(round)) await live(yard, script);
    await until('more work lands', () => countLanded() > before || countLanded() === tasks.length);
  }
  await forAll(tasks, hasLanded, 3);
  const range = Array.from({ length: rounds }, (_, n) => n + 1);
  assert.equal(repository.sh('git stash list --format=%gs'), [...range.map((n) => `On main: Stash ${n}`).reverse(), ...stashes].join('\n'));
  assert.equal(repository.sh('git log --format=%s main | sort'), ['first', 'second', ...tasks.map(({ id }) => `Work of ${id}`), ...range.map((n) => `Person ${n}`)].sort().join('\n'));
  for (const n of range) assert.equal(repository.sh(`git show topic-${n}:topic-${n}.txt main:person-${n}.txt`), `${n}\n${n}`);
  for (const { id } of tasks) assert.equal(repository.sh(`cat work-${id}.txt`), `work of ${id}`);
  assert.equal(repository.sh('git status --porcelain; git fsck --strict --no-dangling 2>&1; git show unpushed:mine.txt; git log -1 --format=%s loose'), 'mine\nmine');
});
