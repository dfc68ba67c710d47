import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Chance } from './support/chance.mjs';
import { openPlace } from './support/place.mjs';
import { Image, Recording } from './support/power.mjs';
import { andon, told } from './support/program.mjs';
import { startServer } from './support/server.mjs';

// Images of each kind of store; more for the long run.
const kImages = Number(process.env.ANDON_POWER_IMAGES ?? 40);
const kActs = Number(process.env.ANDON_POWER_ACTS ?? 25);
const kClients = 6;
const kSeed = Number(process.env.ANDON_POWER_SEED ?? 7);

const seen = (tasks) => tasks.map(({ id, title, status, claimed_by = '' }) => ({ id, title, status, claimed_by })).sort((a, b) => a.id - b.id);

// Where the power goes: anywhere, and half of the times right behind an answer.
function cutsOf(records, chance) {
  const answers = [...records.entries()].filter(([, { value }]) => value).map(([i]) => i + 1);
  return Array.from({ length: kImages }, (_, n) => (n % 2 ? chance.one(answers) : answers[0] + chance.below(records.length - answers[0])));
}

// The words of one command after another, on the tasks that there are.
function actOn(tasks, n, chance) {
  const task = tasks.length > 2 && chance.one(tasks);
  if (task?.claimed_by) return ['release', String(task.id), '--claim', task.claimed_by];
  if (!task || n % 5 === 0) return ['create', `New ${n}`, '--status', 'todo', '--body', 'b'.repeat(chance.below(4000))];
  if (n % 5 === 1) return ['edit', String(task.id), '--title', `Title ${n}`];
  if (n % 5 === 2) return ['move', String(task.id), chance.one(['backlog', 'todo'])];
  if (n % 5 === 3) return ['edit', String(task.id), '--claim', `ann${n}`];
  return ['edit', String(task.id), '--body', `Body ${n}`];
}

test('a power cut leaves a board of files as it was acknowledged, or one act further', async (t) => {
  const place = openPlace(t);
  const root = place.path('kanban');
  const recording = new Recording(place, root);
  const chance = new Chance(kSeed);
  const run = (...words) => told(place, words, { env: recording.env });
  await run('init', '--name', 'Shop', '--json');
  let tasks = [];
  recording.acknowledge(tasks);
  for (let n = 0; n < kActs; ++n) {
    await run(...actOn(tasks, n, chance));
    recording.acknowledge((tasks = seen(await run('list', '--json'))));
  }
  const secret = readFileSync(place.path('.local/state/andon/secret'), 'utf8').slice(0, 64);
  const records = recording.records();
  const states = [...records.entries()].filter(([, { value }]) => value).map(([at, { value }]) => ({ at, value }));
  for (const cut of cutsOf(records, chance)) {
    new Image(records, cut, chance).write(root, secret);
    const list = await andon(place, ['list', '--json']);
    assert.equal(list.code, 0, `cut behind ${cut}: ${list.out}${list.err}`);
    const is = seen(JSON.parse(list.out));
    const last = states.findLastIndex(({ at }) => at < cut);
    const allowed = states.slice(last, last + 2).map(({ value }) => value);
    assert.ok(allowed.some((value) => JSON.stringify(value) === JSON.stringify(is)),
      `cut behind record ${cut} of ${records.length}: ${JSON.stringify(is)}\nis none of ${JSON.stringify(allowed)}`);
    const doctor = await andon(place, ['doctor']);
    assert.doesNotMatch(doctor.out, /^fault/m, `cut behind ${cut}`);
  }
  t.diagnostic(`${kImages} images of ${records.length} records`);
});

async function load(server, boards, recording) {
  const client = async (k) => {
    for (let n = 0; n < kActs; ++n) {
      const { id } = await server.http.post('/tasks', { board: boards[(k + n) % boards.length], title: `w${k} ${n}`, status: 'todo' });
      recording.acknowledge({ id, title: `w${k} ${n}` });
      if (n % 3) continue;
      await server.http.ask('PATCH', `/tasks/${id}`, { title: `again w${k} ${n}` });
      recording.acknowledge({ id, title: `again w${k} ${n}` });
    }
  };
  await Promise.all(Array.from({ length: kClients }, (_, k) => client(k)));
}

for (const isAttached of [false, true])
  test(`a power cut takes nothing from a server's ${isAttached ? 'attached board' : 'own board'} that was acknowledged`, async (t) => {
    const place = openPlace(t);
    const root = place.path('disk');
    const recording = new Recording(place, root);
    if (isAttached) {
      recording.makeDirectory(place.path('disk/files'));
      await told(place, ['init', '--name', 'shop', '--dir', place.path('disk/files'), '--json'], { env: recording.env });
    }
    const data = place.path('disk/data');
    const server = await startServer(place, { data, env: recording.env, flags: ['--no-runner'] });
    if (isAttached) await server.andon('boards', 'attach', place.path('disk/files'));
    else await server.http.post('/boards', { name: 'shop' });
    recording.acknowledge({});
    await load(server, ['shop'], recording);
    await server.end('SIGKILL');
    const records = recording.records();
    const chance = new Chance(kSeed);
    for (const cut of cutsOf(records, chance)) {
      new Image(records, cut, chance).write(root);
      const { code, out, err } = await andon(place, ['--dir', data, 'list', '--board', 'shop', '--limit', '0', '--json']);
      assert.equal(code, 0, `cut behind ${cut}: ${out}${err}`);
      const titles = new Map(JSON.parse(out).map(({ id, title }) => [id, title]));
      const acknowledged = new Map(records.slice(0, cut).filter(({ value }) => value?.id).map(({ value }) => [value.id, value.title]));
      for (const [id, title] of acknowledged)
        assert.ok(titles.get(id)?.endsWith(title.replace('again ', '')), `cut behind ${cut}: #${id} "${title}" is ${titles.get(id)}`);
      for (const [id, title] of acknowledged) if (title.startsWith('again')) assert.equal(titles.get(id), title, `cut behind ${cut}`);
      const doctor = await andon(place, ['doctor', '--dir', data]);
      assert.doesNotMatch(doctor.out, /^fault/m, `cut behind ${cut}: ${doctor.out}`);
    }
    t.diagnostic(`${kImages} images of ${records.length} records`);
  });
