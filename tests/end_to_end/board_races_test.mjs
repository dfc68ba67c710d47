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
const kKills = kRounds * 10;
const kRoundsOfABoard = 20; // then a new one, so that the races go on at one speed
const kLimit = 3;
const kColumns = ['--statuses', `backlog,todo,doing:${kLimit},done`];

const each = (count, make) => Promise.all(Array.from({ length: count }, (_, i) => make(i)));
const folder = (place) => join(place.root, 'kanban', 'tasks');
const files = (place) => readdirSync(folder(place)).filter((name) => name.endsWith('.md'));
const sorted = (numbers) => [...numbers].sort((a, b) => a - b);

async function openBoard(t, ...flags) {
  const place = openPlace(t);
  await told(place, ['init', '--name', 'Shop', '--json', ...flags]);
  return place;
}

// Runs the rounds, on a new board after some of them: `open` makes what a board begins with, `end` looks at what became of it.
async function race(t, { open = async () => ({}), round, end = async () => {} }, ...flags) {
  for (let first = 0; first < kRounds; first += kRoundsOfABoard) {
    const place = await openBoard(t, ...flags);
    const state = await open(place);
    for (let n = first; n < Math.min(first + kRoundsOfABoard, kRounds); ++n) await round(place, n, state);
    checkWhole(place);
    await end(place, state);
    place.clear();
  }
  t.diagnostic(`${kRounds} rounds of ${kProcesses} processes`);
}

// Tasks that somebody wrote by hand, in the column `todo`: their numbers.
function writeTasks(place, count) {
  const highest = Math.max(0, ...files(place).map((name) => parseInt(name, 10)));
  return Array.from({ length: count }, (_, i) => {
    const id = highest + 1 + i;
    writeFileSync(join(folder(place), `${String(id).padStart(3, '0')}-task.md`), `---\nid: ${id}\ntitle: Task\nstatus: todo\npriority: medium\n---\n`);
    return id;
  });
}

// The text of a file that may get another name at this moment.
function textOf(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
}

// Every file a reader meets is whole.
function checkWhole(place) {
  for (const name of files(place)) {
    const text = textOf(join(folder(place), name));
    if (text !== undefined) assert.match(text, /^---\nid: \d+\ntitle: .+\nstatus: \S+\n[\s\S]*?\n---\n/, `${name} is torn:\n${text}`);
  }
}

// Reads the board over and over while the work goes on.
async function whileReading(place, check, work) {
  let reading = true;
  const reader = (async () => {
    while (reading) {
      checkWhole(place);
      check(await told(place, ['list', '--json']));
    }
  })();
  await work().finally(() => (reading = false));
  await reader;
}

const counted = (tasks, status) => tasks.filter((task) => task.status === status).length;
const checkLimit = (tasks) => assert.ok(counted(tasks, 'doing') <= kLimit, `${counted(tasks, 'doing')} tasks in a column for ${kLimit}`);
const putAway = (place, ids) => told(place, ['archive', ids.join(','), '--force']);

function checkNotes(body, notes) {
  const lines = (body ?? '').split('\n');
  for (const note of notes) assert.equal(lines.filter((line) => line === note).length, 1, `"${note}" is not there once`);
}

// True for a move that was done; one that was not says why.
async function moves(place, id, ...refusals) {
  const { code, out, err } = await andon(place, ['move', String(id), 'doing', '--json']);
  if (code !== 0) assert.ok(['WIP_LIMIT_EXCEEDED', ...refusals].includes(JSON.parse(out).code), out + err);
  return code === 0;
}

test('processes that pick at once never get the same task', (t) =>
  race(t, {
    async round(place, round) {
      const ids = writeTasks(place, kProcesses);
      const picked = await each(kProcesses, (i) => told(place, ['pick', '--claim', `agent-${round}-${i}`, '--json']));
      assert.deepEqual(sorted(picked.map((task) => task.id)), ids);
      await putAway(place, ids);
    },
  }));

test('numbers are given once when processes create at once', (t) =>
  race(t, {
    open: async () => ({ ids: [] }),
    async round(place, round, { ids }) {
      const made = await each(kProcesses, (i) => told(place, ['create', `Task ${round}.${i}`, '--json']));
      ids.push(...made.map((task) => task.id));
    },
    async end(place, { ids }) {
      assert.deepEqual(sorted(ids), Array.from({ length: ids.length }, (_, i) => i + 1));
      assert.equal(files(place).length, ids.length);
      assert.match(readFileSync(join(place.root, 'kanban/config.yml'), 'utf8'), new RegExp(`next_id: ${ids.length + 1}\n`));
    },
  }));

test('no note is lost and no reader sees half a file when processes append at once', (t) =>
  race(t, {
    async open(place) {
      await told(place, ['create', 'Shared']);
      return { notes: [] };
    },
    round: (place, round, { notes }) =>
      whileReading(place, (tasks) => assert.equal(tasks.length, 1), () =>
        each(kProcesses, async (i) => {
          const note = `note ${round}.${i}`;
          await told(place, ['edit', '1', '--append-body', note]);
          notes.push(note);
        })),
    end: async (place, { notes }) => checkNotes((await told(place, ['show', '1', '--json'])).body, notes),
  }));

test('a limit holds when processes move into its column at once', (t) =>
  race(t, {
    async round(place) {
      const ids = writeTasks(place, kProcesses);
      const moved = await each(kProcesses, (i) => moves(place, ids[i]));
      assert.equal(moved.filter(Boolean).length, kLimit);
      await putAway(place, ids);
    },
  }, ...kColumns));

test('processes that do everything at once keep every promise', (t) =>
  race(t, {
    async open(place) {
      for (const title of ['Notes', 'Edits']) await told(place, ['create', title]);
      return { notes: [], made: [], edits: [] };
    },
    async round(place, round, { notes, made, edits }) {
      const ids = writeTasks(place, kProcesses);
      const picked = [];
      let moved = 0;
      const acts = [
        async (i) => picked.push((await told(place, ['pick', '--status', 'todo', '--claim', `agent-${round}-${i}`, '--json'])).id),
        async (i) => {
          await told(place, ['edit', '1', '--append-body', `note ${round}.${i}`]);
          notes.push(`note ${round}.${i}`);
        },
        async (i) => {
          await told(place, ['edit', '2', '--title', `Edit ${round}.${i}`, '--estimate', `${round}.${i}`]);
          edits.push(`${round}.${i}`);
        },
        async (i) => made.push((await told(place, ['create', `Made ${round}.${i}`, '--json'])).id),
        async (i) => (moved += await moves(place, ids[i], 'TASK_CLAIMED')),
      ];
      await whileReading(place, checkLimit, () => each(kProcesses, (i) => acts[i % acts.length](i)));
      assert.equal(new Set(picked).size, picked.length, `picked twice: ${picked}`);
      assert.ok(moved <= kLimit, `${moved} moves into a column for ${kLimit}`);
      await putAway(place, ids);
    },
    async end(place, { notes, made, edits }) {
      checkNotes((await told(place, ['show', '1', '--json'])).body, notes);
      assert.equal(new Set(made).size, made.length, `made twice: ${made}`);
      const listed = new Map((await told(place, ['list', '--json'])).map((task) => [task.id, task]));
      for (const id of made) assert.ok(listed.has(id), `task ${id} is gone`);
      assert.equal(listed.size, made.length + 2);
      const { title, estimate } = listed.get(2);
      assert.ok(edits.includes(estimate) && title === `Edit ${estimate}`, `"${title}" with ${estimate} was never written`);
    },
  }, ...kColumns));

// Ends a command with SIGKILL after up to 30 ms; what it printed when it was through by then.
function killed(place, args) {
  const child = spawn(kProgram, [...args, '--json'], { cwd: place.root, env: cleanEnvironment(place) });
  let out = '';
  child.stdout.on('data', (text) => (out += text));
  setTimeout(() => child.kill('SIGKILL'), Math.random() * 30);
  return new Promise((resolve) => child.on('close', () => resolve(out.endsWith('}\n') ? JSON.parse(out) : undefined)));
}

test('what was acknowledged is there after processes were killed at any moment', async (t) => {
  const place = await openBoard(t);
  await told(place, ['create', 'Notes']);
  const made = [1], notes = [], moved = new Map();
  for (let n = 0; n < kKills; ++n) {
    const last = made.at(-1);
    const [task, note, move] = await Promise.all([
      killed(place, ['create', `Killed ${n}`]),
      killed(place, ['edit', '1', '--append-body', `note ${n}`]),
      last > 1 ? killed(place, ['move', String(last), n % 2 ? 'todo' : 'done']) : undefined,
    ]);
    if (task) made.push(task.id);
    if (note) notes.push(`note ${n}`);
    moved.delete(last);
    if (move) moved.set(last, move.status);
    if (n % 10 === 5) rmSync(join(place.root, 'kanban/.andon/index.db'), { force: true });
    checkWhole(place);
  }
  const listed = new Map((await told(place, ['list', '--json'])).map((task) => [task.id, task]));
  assert.equal(new Set(made).size, made.length, `made twice: ${made}`);
  for (const id of made) assert.ok(listed.has(id), `task ${id} was acknowledged and is gone`);
  for (const [id, status] of moved) assert.equal(listed.get(id).status, status, `task ${id} was moved`);
  assert.equal(files(place).length, listed.size);
  checkNotes((await told(place, ['show', '1', '--json'])).body, notes);
  t.diagnostic(`${kKills} rounds of 3 kills: ${made.length} creates, ${notes.length} notes came through`);
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
