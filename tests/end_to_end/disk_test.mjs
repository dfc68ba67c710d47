import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openPlace } from './support/place.mjs';
import { andon, kProgram, told } from './support/program.mjs';
import { startServer } from './support/server.mjs';

const kRoom = 200_000; // bytes that the database's log may still grow
const kMounts = ['--user', '--map-root-user', '--mount'];
const noMounts = spawnSync('unshare', [...kMounts, 'mount', '-t', 'tmpfs', 'none', '/mnt']).status !== 0 && 'file systems cannot be mounted here';

function limitFiles(server, bytes) {
  execFileSync('prlimit', ['--pid', String(server.pid), `--fsize=${bytes}:unlimited`]);
}

test('a full disk refuses writes, answers reads and searches, and heals by itself', async (t) => {
  const server = await startServer(openPlace(t));
  await server.http.post('/boards', { name: 'shop' });
  await server.http.post('/tasks', { board: 'shop', title: 'Before' });
  limitFiles(server, statSync(server.place.path('data', 'andon.db-wal')).size + kRoom);

  let answer;
  let acknowledged = 1;
  for (let n = 0; n < 500; ++n) {
    answer = await server.http.ask('POST', '/tasks', { board: 'shop', title: `Task ${n}`, body: 'x'.repeat(4000) });
    if (answer.status !== 201) break;
    ++acknowledged;
  }
  assert.equal(answer.status, 507, JSON.stringify(answer.body));
  assert.equal(answer.body.code, 'NO_SPACE');
  assert.match(answer.body.error, /no space left/);
  assert.equal((await server.http.get('/boards/shop')).columns[0].count, acknowledged);
  const last = `Task ${acknowledged - 2}`;
  for (let i = 0; i < 3; ++i)
    assert.ok((await server.http.get(`/search?q=${encodeURIComponent(last)}`)).items.some((hit) => hit.task.title === last));

  limitFiles(server, 'unlimited');
  await server.http.post('/tasks', { board: 'shop', title: 'After' });
  assert.equal((await server.http.get('/boards/shop')).columns[0].count, acknowledged + 1);
});

test('a file that does not fit on the disk is refused whole, and none of it stays', async (t) => {
  const server = await startServer(openPlace(t));
  await server.http.post('/boards', { name: 'shop' });
  await server.http.post('/tasks', { board: 'shop', title: 'Fix the cart' });
  const send = async (name) => {
    const headers = { Authorization: `Bearer ${server.token}` };
    const answer = await fetch(`${server.url}/api/v1/tasks/1/attachments/${name}`, { method: 'PUT', headers, body: Buffer.alloc(2_000_000, 1) });
    return { status: answer.status, body: await answer.json() };
  };
  limitFiles(server, 1_000_000);
  const refused = await send('shot.bin');
  assert.deepEqual([refused.status, refused.body.code], [507, 'NO_SPACE']);
  assert.equal((await server.http.get('/tasks/1')).attachments, undefined);
  const left = readdirSync(server.data, { recursive: true }).filter((each) => statSync(join(server.data, each)).size === 1_000_000);
  assert.deepEqual(left, [], 'a part of the refused file is left');
  limitFiles(server, 'unlimited');
  assert.equal((await send('shot.bin')).status, 201);

  const get = ['--fsize=1000000', kProgram, '--dir', server.data, 'attachments', 'get', '1', 'shot.bin', '--to', 'copy.bin'];
  const half = await andon(server.place, get, { program: 'prlimit' });
  assert.notEqual(half.code, 0);
  assert.ok(!existsSync(server.place.path('copy.bin')), 'half of a file is left');
});

test('a full disk under a board of files is told as such', async (t) => {
  const place = openPlace(t);
  await told(place, ['init', '--name', 'Shop'], { input: 'n\n' });
  await told(place, ['create', 'Before']);
  const full = ['--fsize=20000', kProgram, '--json', 'create', 'After'];
  const refused = await andon(place, full, { program: 'prlimit' });
  assert.equal(refused.code, 1, refused.out + refused.err);
  assert.equal(JSON.parse(refused.out).code, 'NO_SPACE');
  assert.match(JSON.parse(refused.out).error, /no space left/);
  assert.match(await told(place, ['list', '--oneline']), /^#1 .*Before\n$/);
});

// A command in a place that has its board on a disk that is mounted read-only.
function onReadOnlyDisk(place, args) {
  const script = 'mount --bind kanban kanban; mount -o remount,bind,ro kanban; exec "$@"';
  return andon(place, [...kMounts, 'sh', '-euc', script, 'sh', kProgram, ...args], { program: 'unshare' });
}

const contents = (place) =>
  readdirSync(place.path('kanban'), { recursive: true })
    .filter((name) => statSync(place.path('kanban', name)).isFile() && !name.startsWith('.andon'))
    .map((name) => [name, readFileSync(place.path('kanban', name), 'utf8')]);

async function checkReading(ask, title) {
  const asked = async (...args) => {
    const { code, out, err } = await ask(args);
    assert.equal(code, 0, `andon ${args.join(' ')}: ${out}${err}`);
    return out;
  };
  assert.deepEqual(JSON.parse(await asked('list', '--json')).map((task) => [task.id, task.title]), [[1, title], [2, 'Second']]);
  assert.equal(JSON.parse(await asked('show', '1', '--json')).title, title);
  assert.equal(JSON.parse(await asked('board', '--json')).total_tasks, 2);
  assert.match(await asked('log'), /create/);
  assert.match(await asked('context'), /2 tasks/);
  assert.match(await asked('metrics'), /Throughput/);
  assert.match(await asked('list', '--search', title), new RegExp(title));
  assert.match(await asked('search', title), new RegExp(title));
  assert.match(await asked('config', 'get', 'board.name'), /Shop/);
}

async function openShop(t) {
  const place = openPlace(t);
  await told(place, ['init', '--name', 'Shop'], { input: 'n\n' });
  for (const title of ['First', 'Second']) await told(place, ['create', title]);
  return place;
}

function editByHand(place, from, to) {
  const file = place.path('kanban/tasks/001-first.md');
  writeFileSync(file, readFileSync(file, 'utf8').replace(from, to));
}

test('a board on a read-only disk is read from its files, however old its index is', { skip: noMounts }, async (t) => {
  const place = await openShop(t);
  const ask = (args) => onReadOnlyDisk(place, args);
  await checkReading(ask, 'First');
  editByHand(place, 'title: First', 'title: Changed');
  await checkReading(ask, 'Changed');
  rmSync(place.path('kanban/.andon'), { recursive: true });
  await checkReading(ask, 'Changed');
  const { err } = await ask(['list']);
  assert.equal(err.match(/Warning: the board cannot be written \(.*Read-only file system\)/g)?.length, 1, err);

  const before = contents(place);
  for (const args of [['create', 'Third'], ['edit', '1', '--priority', 'high'], ['pick', '--claim', 'ann'], ['move', '2', 'done'], ['delete', '1', '--yes']]) {
    const { code, out } = await ask([...args, '--json']);
    assert.equal(code, 1, out);
    assert.equal(JSON.parse(out).code, 'NO_SPACE');
    assert.match(JSON.parse(out).error, /nothing was changed: .*Read-only file system/);
  }
  const doctor = await ask(['doctor']);
  assert.equal(doctor.code, 0, doctor.out);
  assert.match(doctor.out, /^fact +board: cannot be written \(Read-only file system\)/m);
  assert.deepEqual(contents(place), before);
  assert.equal((await told(place, ['create', 'Third', '--json'])).id, 3);
});

test('an index that is up to date is used on a read-only disk', { skip: noMounts }, async (t) => {
  const place = await openShop(t);
  for (let n = 0; n < 8; ++n) await told(place, ['edit', '1', '--append-body', 'x'.repeat(100_000)]);
  const index = readdirSync(place.path('kanban/.andon'), { recursive: true }).filter((name) => name.includes('/index.db'));
  assert.equal(index.filter((name) => name.endsWith('-wal')).length, 0, 'the log was long enough to be joined to the index');
  const { code, out, err } = await onReadOnlyDisk(place, ['list', '--oneline']);
  assert.deepEqual([code, err], [0, '']);
  assert.match(out, /^#1 [^]*\n#2 /);
  editByHand(place, 'title: First', 'title: Changed');
  const changed = await onReadOnlyDisk(place, ['list', '--oneline']);
  assert.match(changed.out, /^#1 .* Changed\n/);
  assert.match(changed.err, /shown from its files alone/);
});

test('what would be repaired is read as it is where nothing can be written', { skip: noMounts }, async (t) => {
  const place = await openShop(t);
  writeFileSync(place.path('kanban/tasks/001-twin.md'), '---\nid: 1\ntitle: Twin\nstatus: todo\n---\n');
  writeFileSync(place.path('kanban/tasks/odd-name.md'), '---\nid: 7\ntitle: Odd\nstatus: todo\nclaimed_by: ann\nclaimed_at: 2020-01-01T00:00:00Z\n---\n');
  const { code, out, err } = await onReadOnlyDisk(place, ['list', '--json']);
  assert.equal(code, 0, err);
  assert.deepEqual(JSON.parse(out).map((task) => task.title), ['First', 'Second', 'Odd']);
  assert.match(err, /001-twin\.md: another file has the number 1/);
  assert.deepEqual((await told(place, ['list', '--json'])).map((task) => task.id), [1, 2, 7, 8]);
});

test('a full disk leaves a board of files readable, and whole when there is room again', { skip: noMounts }, async (t) => {
  const place = openPlace(t);
  const steps = `
    mkdir kanban; mount -t tmpfs -o size=3m none kanban; andon() { "$0" "$@"; }
    andon init --name Shop --json > /dev/null; andon create First > /dev/null; andon create Second > /dev/null
    rm -rf kanban/.andon; cat kanban/tasks/* > before
    dd if=/dev/zero of=kanban/fill bs=4k 2> /dev/null || true
    andon list --oneline; andon search second --oneline; andon show 1 --json > shown
    ! andon create Third --json; ! andon move 1 todo --json
    cat kanban/tasks/* | diff - before; test -z "$(ls kanban/.andon/new 2> /dev/null)"
    rm kanban/fill; andon move 1 todo; andon list --oneline`;
  const { code, out, err } = await andon(place, [...kMounts, 'sh', '-euc', steps, kProgram], { program: 'unshare' });
  assert.equal(code, 0, out + err);
  assert.match(err, /cannot be written \(the disk is full\)/);
  assert.match(out, /^#1 \[backlog[^]*#2 \[backlog[^]*"NO_SPACE"[^]*"NO_SPACE"[^]*#1 \[todo/);
});

test('a board that only its owner may write is read by others', { skip: process.getuid() !== 0 && 'only root can become somebody else' }, async (t) => {
  const place = await openShop(t);
  const nobody = { uid: 65_534, env: { HOME: '/nonexistent' } };
  execFileSync('chmod', ['-R', 'go+rX', place.path('kanban')]);
  chmodSync(place.root, 0o755);
  await checkReading((args) => andon(place, args, nobody), 'First');
  const refused = await andon(place, ['create', 'Third'], nobody);
  assert.match(refused.err, /nothing was changed: .*Permission denied/);
  chmodSync(place.path('kanban/tasks/001-first.md'), 0o600);
  const { code, out, err } = await andon(place, ['list', '--oneline'], nobody);
  assert.equal(code, 0, err);
  assert.match(out, /^#2 .*Second\n$/);
  assert.match(err, /001-first\.md/);
});
