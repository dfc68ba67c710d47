import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openPlace } from './support/place.mjs';
import { andon, cleanEnvironment, kProgram, told } from './support/program.mjs';

// Rounds of every race; 1000 for the long run.
const kRounds = Number(process.env.ANDON_RACE_ROUNDS ?? 3);
const kProcesses = Number(process.env.ANDON_RACE_PROCESSES ?? 8);

const each = (count, make) => Promise.all(Array.from({ length: count }, (_, i) => make(i)));
const folder = (place) => join(place.root, 'kanban', 'tasks');
const files = (place) => readdirSync(folder(place)).filter((name) => name.endsWith('.md'));

async function openBoard(t, ...flags) {
  const place = openPlace(t);
  await told(place, ['init', '--name', 'Shop', '--json', ...flags]);
  return place;
}

// Every file a reader meets is whole.
function checkWhole(place) {
  for (const name of files(place)) {
    const text = readFileSync(join(folder(place), name), 'utf8');
    assert.match(text, /^---\nid: \d+\ntitle: .+\nstatus: \S+\n[\s\S]*?\n---\n/, `${name} is torn:\n${text}`);
  }
}

test('processes that pick at once never get the same task', async (t) => {
  const place = await openBoard(t);
  for (let round = 0; round < kRounds; ++round) {
    for (let i = 0; i < kProcesses; ++i) await told(place, ['create', `Task ${round}.${i}`, '--status', 'todo']);
    const picked = await each(kProcesses, (i) => told(place, ['pick', '--claim', `agent-${round}-${i}`, '--json']));
    assert.equal(new Set(picked.map((task) => task.id)).size, kProcesses);
    checkWhole(place);
  }
});

test('numbers are given once when processes create at once', async (t) => {
  const place = await openBoard(t);
  const made = await each(kProcesses * kRounds, (i) => told(place, ['create', `Task ${i}`, '--json']));
  const ids = made.map((task) => task.id).sort((a, b) => a - b);
  assert.deepEqual(ids, Array.from({ length: ids.length }, (_, i) => i + 1));
  assert.equal(files(place).length, ids.length);
  assert.match(readFileSync(join(place.root, 'kanban/config.yml'), 'utf8'), new RegExp(`next_id: ${ids.length + 1}\n`));
});

test('no note is lost and no reader sees half a file when processes append at once', async (t) => {
  const place = await openBoard(t);
  await told(place, ['create', 'Shared']);
  let reading = true;
  const reader = (async () => {
    while (reading) {
      checkWhole(place);
      assert.equal((await told(place, ['list', '--json'])).length, 1);
    }
  })();
  for (let round = 0; round < kRounds; ++round)
    await each(kProcesses, (i) => told(place, ['edit', '1', '--append-body', `note ${round}.${i}`]));
  reading = false;
  await reader;
  const { body } = await told(place, ['show', '1', '--json']);
  for (let round = 0; round < kRounds; ++round)
    for (let i = 0; i < kProcesses; ++i) assert.match(body, new RegExp(`^note ${round}\\.${i}$`, 'm'));
});

test('a limit holds when processes move into its column at once', async (t) => {
  const place = await openBoard(t, '--statuses', 'backlog,todo:3,done');
  for (let round = 0; round < kRounds; ++round) {
    const ids = [];
    for (let i = 0; i < kProcesses; ++i) ids.push((await told(place, ['create', `T${i}`, '--json'])).id);
    const moves = await each(kProcesses, (i) => andon(place, ['move', String(ids[i]), 'todo', '--json']));
    assert.equal(moves.filter((move) => move.code === 0).length, 3);
    for (const move of moves.filter((each) => each.code !== 0))
      assert.equal(JSON.parse(move.out).code, 'WIP_LIMIT_EXCEEDED');
    for (const id of ids) await told(place, ['move', String(id), 'done']);
  }
});

test('what was acknowledged is there after processes were killed at any moment', async (t) => {
  const place = await openBoard(t);
  const acknowledged = [];
  for (let round = 0; round < kRounds * 10; ++round) {
    const child = spawn(kProgram, ['create', `Killed ${round}`, '--json'], {
      cwd: place.root,
      env: cleanEnvironment(place),
    });
    let out = '';
    child.stdout.on('data', (text) => (out += text));
    setTimeout(() => child.kill('SIGKILL'), Math.random() * 30);
    await new Promise((resolve) => child.on('close', resolve));
    if (out.endsWith('}\n')) acknowledged.push(JSON.parse(out).id);
    if (round % 10 === 5) rmSync(join(place.root, 'kanban/.andon/index.db'), { force: true });
    checkWhole(place);
  }
  const listed = (await told(place, ['list', '--json'])).map((task) => task.id);
  for (const id of acknowledged) assert.ok(listed.includes(id), `task ${id} was acknowledged and is gone`);
  assert.equal(new Set(listed).size, listed.length);
  assert.equal(files(place).length, listed.length);
});

test('git is a second writer: checkouts, merges and conflicts while commands run', async (t) => {
  const place = await openBoard(t);
  const git = (...args) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: place.root, stdio: 'pipe' });
  git('init', '-q', '-b', 'main');
  writeFileSync(join(place.root, '.gitignore'), '.lock\n');
  await told(place, ['create', 'First']);
  await told(place, ['create', 'Second']);
  git('add', '-A');
  git('commit', '-qm', 'two tasks');
  assert.doesNotMatch(git('ls-files').toString(), /index\.db/);

  git('checkout', '-qb', 'side');
  await told(place, ['edit', '1', '--priority', 'high']);
  await told(place, ['create', 'Third']);
  git('add', '-A');
  git('commit', '-qm', 'side');
  git('checkout', '-q', 'main');
  assert.deepEqual((await told(place, ['list', '--json'])).map((task) => task.id), [1, 2]);
  assert.equal((await told(place, ['show', '1', '--json'])).priority, 'medium');
  await told(place, ['edit', '1', '--priority', 'low']);
  git('add', '-A');
  git('commit', '-qm', 'main');
  assert.throws(() => git('merge', '-q', 'side'));

  const listed = await andon(place, ['list', '--json']);
  assert.equal(listed.code, 0);
  assert.deepEqual(JSON.parse(listed.out).map((task) => task.id), [2, 3]);
  assert.match(listed.err, /001-first\.md:\d+:1: git's marks of a conflict/);
  await told(place, ['move', '2', 'todo']);
  git('checkout', '--theirs', '--', 'kanban/tasks/001-first.md');
  assert.equal((await told(place, ['show', '1', '--json'])).priority, 'high');
  mkdirSync(join(place.root, 'other'));
  git('mv', 'kanban/tasks/003-third.md', 'kanban/tasks/003-renamed.md');
  assert.equal((await told(place, ['show', '3', '--json'])).file, join(folder(place), '003-renamed.md'));
});
