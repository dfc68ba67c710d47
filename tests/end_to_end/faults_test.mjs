import assert from 'node:assert/strict';
import { cpSync, existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { Faults, kFaults } from './support/faults.mjs';
import { openPlace } from './support/place.mjs';
import { andon, told } from './support/program.mjs';

// Every n-th call of an act gets a fault; 1 for the long run.
const kStride = Number(process.env.ANDON_FAULT_STRIDE ?? 7);
const kMostCalls = 400;

const isThere = (list, title) => list.filter((task) => task.title === title).length === 1;
const named = (list, id) => list.find((task) => task.id === id) ?? {};

// What is done on a board of files: the words of the command, and whether a list shows that it happened.
const kActs = [
  { name: 'create', words: (n) => ['create', `New ${n}`, '--body', 'x'.repeat(3000)], did: (list, n) => isThere(list, `New ${n}`) },
  { name: 'edit', words: (n) => ['edit', '1', '--body', `Body ${n}`], did: (list, n) => named(list, 1).body?.trim() === `Body ${n}` },
  { name: 'rename', words: (n) => ['edit', '1', '--title', `Title ${n}`], did: (list, n) => named(list, 1).title === `Title ${n}` },
  {
    name: 'move', words: (n) => ['move', '2', n % 2 ? 'backlog' : 'todo'],
    did: (list, n) => named(list, 2).status === (n % 2 ? 'backlog' : 'todo'),
    prepare: async (board, n) => board.cli('move', '2', n % 2 ? 'todo' : 'backlog'),
  },
  {
    name: 'pick', words: (n) => ['pick', '--claim', `ann${n}`, '--status', 'review'], did: (list, n) => named(list, 3).claimed_by === `ann${n}`,
    prepare: async (board) => {
      const { claimed_by } = await board.cli('show', '3', '--json');
      if (claimed_by) await board.cli('release', '3', '--claim', claimed_by);
    },
  },
  {
    name: 'delete', words: (n, id) => ['delete', String(id), '--yes'], did: (list, n, id) => !named(list, id).id,
    prepare: async (board) => (await board.cli('create', 'Doomed', '--json')).id,
  },
  {
    name: 'archive', words: (n, id) => ['archive', String(id)], did: (list, n, id) => !named(list, id).id,
    prepare: async (board) => (await board.cli('create', 'Old', '--json')).id,
  },
  {
    name: 'import', words: (n) => ['import', `tasks${n}.json`], did: (list, n) => ['a', 'b', 'c'].every((name) => isThere(list, `${name} ${n}`)),
    prepare: async (board, n) => writeFileSync(board.place.path(`tasks${n}.json`), JSON.stringify(['a', 'b', 'c'].map((name) => ({ title: `${name} ${n}` })))),
  },
  {
    name: 'settings', words: (n) => ['config', 'set', 'board.description', `Text ${n}`],
    did: (list, n, id, board) => board.settings().includes(`Text ${n}`),
  },
];

class Board {
  static async open(t) {
    const board = new Board();
    board.place = openPlace(t);
    await told(board.place, ['init', '--name', 'Shop', '--json']);
    board.faults = new Faults(board.place, board.place.path('kanban'));
    for (const [title, status] of [['First', 'backlog'], ['Second', 'todo'], ['Third', 'review']])
      await board.cli('create', title, '--status', status);
    return board;
  }
  cli(...args) {
    return told(this.place, args);
  }
  settings() {
    return readFileSync(this.place.path('kanban/config.yml'), 'utf8');
  }
  files() {
    return readdirSync(this.place.path('kanban/tasks')).sort()
      .map((name) => [name, readFileSync(this.place.path('kanban/tasks', name), 'utf8')]).concat([['config.yml', this.settings()]]);
  }
  list(place = this.place) {
    return told(place, ['list', '--json']);
  }
  // What somebody sees who has the files alone.
  async seenFromFiles() {
    const other = { ...this.place, root: this.place.path('copy') };
    rmSync(other.root, { recursive: true, force: true });
    cpSync(this.place.path('kanban'), `${other.root}/kanban`, { recursive: true, preserveTimestamps: true, filter: (path) => !path.includes('/.andon') });
    return this.list(other);
  }
}

const core = (list) => list.map(({ id, title, status, priority, claimed_by, body, tags }) => ({ id, title, status, priority, claimed_by, body, tags }));

async function checkWhole(board, what) {
  assert.deepEqual(core(await board.seenFromFiles()), core(await board.list()), `${what}: the files say something else than the index`);
  const doctor = await andon(board.place, ['doctor']);
  assert.equal(doctor.code, 0, `${what}: ${doctor.out}${doctor.err}`);
  assert.match(doctor.out, /Nothing is wrong\.\n$/, what);
  assert.doesNotMatch(doctor.out, /^repair/m, what);
  const left = readdirSync(board.place.path('kanban/.andon/new'));
  assert.deepEqual(left, [], `${what}: new files were left behind`);
}

// Runs the act with the fault in its k-th call; false when it had fewer.
async function tryCall(board, act, fault, k, n) {
  const what = `${act.name}, ${fault.name} in call ${k}`;
  const id = await act.prepare?.(board, n);
  const before = core(await board.list());
  const filesBefore = board.files();
  board.faults.arm(k, fault);
  const { code, signal, out, err } = await andon(board.place, act.words(n, id), { env: board.faults.env });
  const happened = board.faults.happened;
  board.faults.rest();
  const said = `${what}: it ended with ${code ?? signal} and said: ${out}${err}`;
  const isKilled = signal === 'SIGKILL';
  assert.ok(isKilled ? fault.fault === -1 : [0, 1, 2, 70].includes(code), said);
  const list = await board.list();
  const after = core(list);
  const did = act.did(list, n, id, board);
  const isSame = JSON.stringify(after) === JSON.stringify(before) && (act.name === 'settings' ? !did : true);
  assert.ok(did || isSame, `${said}\nhalf done: ${JSON.stringify(after)}\nwas ${JSON.stringify(before)}`);
  if (!did) assert.deepEqual(board.files(), filesBefore, said);
  if (!isKilled) {
    const isUnknown = /unknown/.test(out + err);
    if (code === 0) assert.ok(did, `${said}\nbut it did not happen`);
    else if (!isUnknown) assert.ok(!did, `${said}\nbut it happened`);
  }
  // The next write of anybody clears away what a crash left.
  if (happened) await board.cli('edit', '2', '--body', `After ${n}`);
  await checkWhole(board, said);
  return happened;
}

for (const fault of kFaults)
  test(`no call of an act on a board of files leaves it half done or tells what is not so: ${fault.name}`, async (t) => {
    const board = await Board.open(t);
    const only = process.env.ANDON_FAULT_ACT;
    let n = 0, tries = 0, happened = 0;
    const faults = [];
    for (const act of kActs.filter(({ name }) => !only || name === only)) {
      const first = kStride === 1 ? 0 : tries % kStride;
      for (let k = first; ; k += kStride) {
        assert.ok(k < kMostCalls, `${act.name} goes on for ever`);
        ++tries;
        try {
          if (!(await tryCall(board, act, fault, k, ++n))) break;
          ++happened;
        } catch (error) {
          if (!process.env.ANDON_FAULT_ALL) throw error;
          faults.push(error.message.slice(0, 600));
          await board.list();
        }
      }
    }
    assert.deepEqual(faults, []);
    assert.ok(happened > 0, 'no call had the fault');
    t.diagnostic(`${tries} calls`);
  });
