import assert from 'node:assert/strict';
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { Chance } from './support/chance.mjs';
import { openPlace } from './support/place.mjs';
import { andon, cleanEnvironment, told } from './support/program.mjs';
import { startServer } from './support/server.mjs';
import { until } from './support/until.mjs';

// ANDON_FOREIGN_SEED repeats the choices of a run; the other two make it longer.
const kSeed = Number(process.env.ANDON_FOREIGN_SEED ?? Date.now() % 1_000_000);
const kActs = Number(process.env.ANDON_FOREIGN_ACTS ?? 120);
const kCheckouts = Number(process.env.ANDON_FOREIGN_CHECKOUTS ?? 16);

const run = promisify(execFile);
const kTimes = 'created: 2026-01-01T00:00:00Z\nupdated: 2026-01-01T00:00:00Z\n';
const named = (id, word) => `${String(id).padStart(3, '0')}-${word}.md`;
const fileOf = ({ id, title, status, more = '' }) => `---\nid: ${id}\ntitle: ${title}\nstatus: ${status}\npriority: medium\n${kTimes}${more}---\n`;
const said = (text, key) => new RegExp(`^${key}: (.*)$`, 'm').exec(text)?.[1];

// A board of files in a repository, and what people do there without Andon.
class Board {
  constructor(place) {
    this.place = place;
  }

  static async open(t) {
    const board = new Board(openPlace(t));
    await told(board.place, ['init', '--name', 'Shop', '--json']);
    board.git('init', '-q', '-b', 'main');
    writeFileSync(board.place.path('.git', 'info', 'exclude'), '.local/\ndata/\n');
    board.git('config', 'user.name', 'ann');
    board.git('config', 'user.email', 'ann@example.org');
    return board;
  }

  git(...args) {
    return execFileSync('git', args, { cwd: this.place.root, env: cleanEnvironment(this.place), encoding: 'utf8', stdio: 'pipe' });
  }
  commit(message) {
    this.git('add', '-A');
    this.git('commit', '-qm', message, '--allow-empty');
  }
  path(name) {
    return this.place.path('kanban', 'tasks', name);
  }
  names() {
    return readdirSync(this.path('')).filter((name) => name.endsWith('.md')).sort();
  }
  // The text of a file that may get another name at this moment.
  text(name) {
    try {
      return readFileSync(this.path(name), 'utf8');
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
    }
  }
  andon(...args) {
    return andon(this.place, [...args, '--json']);
  }

  // What the files say: number, title and status of every task.
  inFiles() {
    return this.names()
      .map((name) => this.text(name))
      .map((text) => [Number(said(text, 'id')), said(text, 'title'), said(text, 'status')])
      .sort((a, b) => a[0] - b[0]);
  }
  async shown() {
    const lists = [await told(this.place, ['list', '--json']), await told(this.place, ['list', '--archived', '--json'])];
    return lists
      .flat()
      .map((task) => [task.id, task.title, task.status])
      .sort((a, b) => a[0] - b[0]);
  }
}

const kNoExcuse = new Set(['BUSY', 'INTERNAL_ERROR', 'NO_SPACE']);

function checkAnswer({ code, out, err }, what) {
  if (code === 0) return;
  const refusal = JSON.parse(out);
  assert.ok(!kNoExcuse.has(refusal.code) || /git's marks|expected|has no end/.test(refusal.error), `${what}: ${out}${err}`);
}

// Two branches: one without work, and one whose first task waits for its last, on which bob works. Both have a task that
// is done: git would remove the directory of tasks with its last file, and fails when a command makes it again meanwhile.
async function makeBranches(board) {
  const last = 300;
  writeFileSync(board.path(named(last + 1, 'kept')), fileOf({ id: last + 1, title: 'Kept', status: 'done' }));
  board.commit('Without work');
  board.git('checkout', '-qb', 'work');
  writeFileSync(board.path(named(1, 'waits')), fileOf({ id: 1, title: 'Waits', status: 'todo', more: `depends_on: [${last}]\n` }));
  for (let id = 2; id < last; ++id) writeFileSync(board.path(named(id, 'done')), fileOf({ id, title: 'Done', status: 'done' }));
  writeFileSync(board.path(named(last, 'first')), fileOf({ id: last, title: 'First', status: 'in-progress', more: 'claimed_by: bob\nclaimed_at: 2099-01-01T00:00:00Z\n' }));
  await told(board.place, ['list', '--json']);
  board.commit('With work');
}

// Two agents ask for work all the time while the branches are checked out in turn; returns how often they asked.
async function pickDuringCheckouts(board, pick) {
  let going = true;
  let picks = 0;
  const agents = ['eve', 'kim'].map(async (name) => {
    for (; going; ++picks) await pick(name);
  });
  const checkouts = (async () => {
    for (let n = 0; n < kCheckouts && going; ++n) {
      const branch = n % 2 === 0 ? 'main' : 'work';
      await run('git', ['checkout', '-qf', branch], { cwd: board.place.root, env: cleanEnvironment(board.place) });
    }
  })().finally(() => (going = false));
  await Promise.all([checkouts, ...agents]);
  return picks;
}

test('a checkout hands out no task whose dependency is in progress', async (t) => {
  const board = await Board.open(t);
  await makeBranches(board);
  const picks = await pickDuringCheckouts(board, async (name) => {
    const answer = await board.andon('pick', '--claim', name);
    assert.equal(answer.code, 1, `a task was handed out: ${answer.out}`);
    assert.match(JSON.parse(answer.out).code, /^(NOTHING_TO_PICK|BUSY)$/, answer.out);
  });
  t.diagnostic(`${kCheckouts} checkouts, ${picks} picks`);
});

test('a checkout under a server hands out no task whose dependency is in progress', async (t) => {
  const board = await Board.open(t);
  await makeBranches(board);
  const server = await startServer(board.place);
  await server.andon('boards', 'attach', board.place.root);
  // The first reading of its files may take longer than a command waits.
  await until('the board can be edited', () =>
    server.andon('boards', 'edit', 'shop', '--approval', 'trusted', '--trusted', 'file').then(() => true, () => false));
  const picks = await pickDuringCheckouts(board, async (name) => {
    const { status, body } = await server.http.ask('POST', '/pick', { boards: ['shop'], by: name });
    assert.ok(status === 204 || body.code === 'BUSY', `${status} ${JSON.stringify(body)}`);
  });
  t.diagnostic(`${kCheckouts} checkouts, ${picks} picks`);
});

test('two editors and git take turns with commands on one board', async (t) => {
  const board = await Board.open(t);
  const chance = new Chance(kSeed);
  t.diagnostic(`ANDON_FOREIGN_SEED=${kSeed}`);
  const kStatuses = ['backlog', 'todo', 'in-progress', 'done', 'archived'];
  for (const title of ['One', 'Two', 'Three', 'Four', 'Five']) await told(board.place, ['create', title, '--json']);
  board.commit('Begin');
  board.git('branch', 'other');

  let marks = 0;
  let kept = new Map(); // number of a task to the marks that editors left in its file
  const freeNumber = () => 1 + Math.max(100, ...board.names().map((name) => Number(said(board.text(name), 'id'))));
  const numberIn = (text) => Number(said(text, 'id'));
  const marked = (text, mark) => `${text.endsWith('\n') ? text : `${text}\n`}${mark}\n`;
  const remember = (text) => kept.set(numberIn(text), text.match(/^mark-\d+$/gm) ?? []);
  const changes = [
    (text) => text,
    (text) => text.replace(/^status: .*$/m, `status: ${chance.one(kStatuses)}`),
    (text) => text.replace(/^title: .*$/m, `title: Title ${++marks}`),
    (text) => /^tags:/m.test(text) ? text : text.replace(/^class: .*$/m, `class: standard\ntags:\n    - 'several\n      lines'\n    - t${marks}`),
  ];
  const edited = (text) => marked(chance.one(changes)(text), `mark-${++marks}`);
  const some = () => {
    const name = chance.one(board.names());
    const text = name && board.text(name);
    return text && said(text, 'status') ? { name, text } : undefined;
  };

  const acts = [
    function inPlace() {
      const file = some();
      if (!file) return;
      const text = edited(file.text);
      chmodSync(board.path(file.name), 0o600);
      if (chance.below(2) === 0) truncateSync(board.path(file.name), 0);
      writeFileSync(board.path(file.name), text);
      remember(text);
    },
    function byRenaming() {
      const file = some();
      if (!file) return;
      const text = edited(file.text);
      if (chance.below(2) === 0) renameSync(board.path(file.name), board.path(`${file.name}~`));
      writeFileSync(board.path(`.${basename(file.name)}.swp`), text);
      renameSync(board.path(`.${basename(file.name)}.swp`), board.path(file.name));
      remember(text);
    },
    function anotherNumber() {
      const file = some();
      if (!file) return;
      const was = numberIn(file.text);
      const text = edited(file.text).replace(/^id: .*$/m, `id: ${freeNumber()}`);
      chmodSync(board.path(file.name), 0o600);
      writeFileSync(board.path(file.name), text);
      kept.delete(was);
      remember(text);
    },
    function comes() {
      const id = freeNumber();
      const text = marked(fileOf({ id, title: `New ${id}`, status: 'todo' }), `mark-${++marks}`);
      writeFileSync(board.path(named(id, 'new')), text);
      remember(text);
    },
    function goes() {
      const file = some();
      if (!file || board.names().length < 4) return;
      rmSync(board.path(file.name));
      kept.delete(numberIn(file.text));
    },
    function commits() {
      board.commit('Some work');
    },
    function switches() {
      board.commit('Before');
      const branch = board.git('branch', '--show-current').trim() === 'main' ? 'other' : 'main';
      board.git('checkout', '-qf', branch);
      kept = new Map();
      for (const name of board.names()) remember(board.text(name));
    },
  ];

  const commands = [
    () => board.andon('list'),
    () => board.andon('list', '--archived'),
    () => board.andon('pick', '--claim', 'eve'),
    () => board.andon('create', `Ours ${++marks}`),
    (id) => board.andon('show', id),
    (id) => board.andon('edit', id, '--force', '-a', 'a note'),
    (id) => board.andon('edit', id, '--force', '--remove-tag', 'several lines'),
    (id) => board.andon('move', id, 'todo', '--force'),
    (id) => board.andon('archive', id, '--force'),
  ];
  const someNumber = () => String(numberIn(board.text(chance.one(board.names())) ?? '') || 1);

  // Editors take turns with commands, so that neither writes what it read before the other wrote; git and the
  // files themselves move while a command reads.
  for (let n = 0; n < kActs; ++n) {
    const act = chance.one(acts);
    const reading = chance.below(3) === 0 ? Promise.all([board.andon('list'), board.andon('show', someNumber())]) : undefined;
    act();
    for (const answer of (await reading) ?? []) checkAnswer(answer, `act ${n}, ${act.name}, meanwhile`);
    const command = chance.one(commands);
    checkAnswer(await command(someNumber()), `act ${n}, after ${act.name}: ${command}`);
    assert.deepEqual(await board.shown(), board.inFiles(), `act ${n}, after ${act.name}: ${command}`);
    for (const [id, expected] of kept) {
      const text = board.names().map((name) => board.text(name)).find((one) => one && numberIn(one) === id);
      for (const mark of expected) assert.ok(text?.includes(`\n${mark}\n`), `act ${n}, after ${act.name}: ${command}: ${mark} of #${id} is lost in\n${text}`);
    }
  }
  assert.doesNotMatch((await andon(board.place, ['doctor'])).out, /^fault/m);
  t.diagnostic(`${kActs} acts`);
});

// ext4 with inodes of 128 bytes keeps whole seconds.
test('a second edit within one second is seen where files have whole seconds', async (t) => {
  const place = openPlace(t);
  const image = place.path('image');
  const mount = place.path('disk');
  mkdirSync(mount);
  writeFileSync(image, '');
  truncateSync(image, 16 << 20);
  const made = spawnSync('mkfs.ext4', ['-q', '-I', '128', image]).status === 0 && spawnSync('mount', ['-o', 'loop', image, mount]).status === 0;
  if (!made) return t.skip('no file system can be mounted here');
  place.atEnd(() => spawnSync('umount', [mount]));
  const there = { ...place, root: mount };
  await told(there, ['init', '--name', 'Shop', '--json']);
  await told(there, ['create', 'One', '--json']);
  const file = place.path('disk', 'kanban', 'tasks', '001-one.md');
  for (let n = 0; n < 20; ++n) {
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^title: .*$/m, `title: T${String.fromCharCode(65 + n)}`));
    assert.equal((await told(there, ['list', '--json']))[0].title, `T${String.fromCharCode(65 + n)}`);
  }
  await told(there, ['edit', '1', '--add-tag', 'x', '--json']);
});
