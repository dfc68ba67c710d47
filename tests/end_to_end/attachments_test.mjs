import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ended, moveTo, newTask, openShop, readTask } from './support/agents.mjs';
import { openPlace } from './support/place.mjs';
import { kWithoutPostgres, startPostgres } from './support/postgres.mjs';
import { andon, told } from './support/program.mjs';
import { startServer } from './support/server.mjs';

const kPicture = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const kMost = 25 * 1024 * 1024;

async function put(server, task, name, content, headers = {}) {
  const response = await fetch(`${server.url}/api/v1/tasks/${task.id}/attachments/${encodeURIComponent(name)}`, {
    method: 'PUT', headers: { Authorization: `Bearer ${server.token}`, ...headers }, body: content,
  });
  return { status: response.status, body: await response.json().catch(() => undefined) };
}

function get(server, task, name, headers = {}) {
  return fetch(`${server.url}/api/v1/tasks/${task.id}/attachments/${encodeURIComponent(name)}`, {
    headers: { Authorization: `Bearer ${server.token}`, ...headers },
  });
}

const bytesOf = async (response) => Buffer.from(await response.arrayBuffer());

// The contents that are kept, whether a record names them or not.
function kept(directory) {
  const root = join(directory, 'attachments');
  return existsSync(root) ? readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()) : [];
}

async function openBoard(t, scripts = {}) {
  const place = openPlace(t);
  const server = await startServer(place);
  await openShop(server, scripts);
  return { place, server, task: await newTask(server, 'Fix the cart') };
}

test('a file comes back byte by byte, and nothing in it runs in a browser', async (t) => {
  const { server, task } = await openBoard(t);
  const made = await put(server, task, 'shot 1.png', kPicture);
  assert.equal(made.status, 201);
  const [record] = made.body.attachments;
  assert.deepEqual([record.name, record.size, record.type, record.by], ['shot 1.png', kPicture.length, 'image/png', 'user:admin']);
  assert.equal(record.sha256, createHash('sha256').update(kPicture).digest('hex'));

  const answer = await get(server, task, 'shot 1.png');
  assert.deepEqual(await bytesOf(answer), kPicture);
  assert.equal(answer.headers.get('content-type'), 'image/png');
  assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
  assert.match(answer.headers.get('content-security-policy'), /^sandbox; default-src 'none'$/);
  assert.equal(answer.headers.get('content-disposition'), "attachment; filename*=UTF-8''shot%201.png");
  assert.equal((await get(server, task, 'shot 1.png', { 'If-None-Match': answer.headers.get('etag') })).status, 304);

  for (const [name, content] of [['page.html', '<script>alert(1)</script>'], ['logo.svg', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>']]) {
    assert.equal((await put(server, task, name, content, { 'Content-Type': 'text/html' })).status, 201);
    assert.equal((await get(server, task, name)).headers.get('content-type'), 'text/plain; charset=utf-8');
  }
  const card = (await server.http.get('/boards/shop/snapshot')).tasks.find((each) => each.id === task.id);
  assert.equal(card.attachments, 3);
});

test('what cannot be attached is refused with a sentence and leaves nothing behind', async (t) => {
  const { server, task } = await openBoard(t);
  assert.equal((await put(server, task, 'shot.png', kPicture)).status, 201);
  const refused = [
    ['SHOT.png', kPicture, 409, /already/],
    ['.env', kPicture, 422, /begins with/],
    ['-rf', kPicture, 422, /begins with/],
    ['a/b', kPicture, 422, /slash/],
    ['gnp.\u202etxt', kPicture, 422, /nobody sees/],
    ['x'.repeat(201), kPicture, 422, /200 bytes/],
    ['empty', Buffer.alloc(0), 422, /empty/],
    ['large', Buffer.alloc(kMost + 1), 413, /too large/],
  ];
  for (const [name, content, status, says] of refused) {
    const answer = await put(server, task, name, content).catch(() => ({ status: 413, body: { error: 'too large' } }));
    assert.equal(answer.status, status, `${name}: ${JSON.stringify(answer.body)}`);
    assert.match(answer.body.error, says);
  }
  assert.equal((await put(server, { id: 999 }, 'a', kPicture)).status, 404);
  assert.equal((await put(server, task, 'largest', Buffer.alloc(kMost, 7))).status, 201);
  assert.equal((await bytesOf(await get(server, task, 'largest'))).length, kMost);
  const wrong = await fetch(`${server.url}/api/v1/tasks/${task.id}/attachments/sum?sha256=${'0'.repeat(64)}`, {
    method: 'PUT', headers: { Authorization: `Bearer ${server.token}` }, body: 'x',
  });
  assert.equal(wrong.status, 422);
  assert.equal(kept(server.data).length, 2);
  for (let n = 3; n <= 100; n++) assert.equal((await put(server, task, `f${n}`, 'x')).status, 201);
  const over = await put(server, task, 'f101', 'x');
  assert.deepEqual([over.status, /100 attachments/.test(over.body.error)], [409, true]);
  assert.equal(kept(server.data).length, 100);
});

test('a request that is sent again has one effect', async (t) => {
  const { server, task } = await openBoard(t);
  const key = { 'Idempotency-Key': 'k1' };
  const first = await put(server, task, 'shot.png', kPicture, key);
  const again = await put(server, task, 'shot.png', kPicture, key);
  assert.deepEqual([first.status, again.status, again.body.rev], [201, 201, first.body.rev]);
  assert.equal((await readTask(server, task)).attachments.length, 1);
  assert.equal(kept(server.data).length, 1);
  assert.deepEqual(await bytesOf(await get(server, task, 'shot.png')), kPicture);
});

test('a removed file is gone from the board and from the disk', async (t) => {
  const { server, task } = await openBoard(t);
  await put(server, task, 'shot.png', kPicture);
  await server.http.told('DELETE', `/tasks/${task.id}/attachments/shot.png`);
  assert.equal((await get(server, task, 'shot.png')).status, 404);
  assert.equal((await readTask(server, task)).attachments, undefined);
  assert.deepEqual(kept(server.data), []);
  assert.equal((await put(server, task, 'shot.png', 'other')).status, 201);
  assert.equal((await bytesOf(await get(server, task, 'shot.png'))).toString(), 'other');
});

test('a content that somebody changed on the disk is not given out', async (t) => {
  const { server, task } = await openBoard(t);
  await put(server, task, 'shot.png', kPicture);
  const [file] = kept(server.data);
  writeFileSync(join(file.parentPath, file.name), 'something else');
  const answer = await get(server, task, 'shot.png');
  assert.equal(answer.status, 404);
  assert.match((await answer.json()).error, /is not what was attached/);
});

test('an agent reads the files of its task and attaches its own', async (t) => {
  const { server, task } = await openBoard(t, {
    bot: `cat "$ANDON_RUN_DIR/attachments/note.txt" > /dev/null && cp "$ANDON_RUN_DIR/attachments/note.txt" "$TMPDIR/copy.txt" 2>/dev/null || cp "$ANDON_RUN_DIR/attachments/note.txt" copy.txt
f=copy.txt; [ -e "$f" ] || f="$TMPDIR/copy.txt"
andon attachments add "$ANDON_TASK" "$f" && andon attachments add 1 "$f" --name stolen.txt; andon done --result "$(cat "$ANDON_RUN_DIR/attachments/note.txt")"`,
  });
  const own = await newTask(server, 'Read the note', { assignee: 'bot' });
  await put(server, own, 'note.txt', 'the cart is blue');
  const prompt = await server.http.get(`/tasks/${own.id}/prompt`);
  assert.match(prompt.prompt, /## Attached files[\s\S]*note\.txt \(text\/plain, 16 bytes\)/);
  await moveTo(server, own, 'todo');
  const run = await ended(server, own);
  const after = await readTask(server, own);
  assert.equal(run.result, 'the cart is blue', JSON.stringify(run));
  assert.deepEqual(after.attachments.map(({ name, by }) => [name, by]), [['note.txt', 'user:admin'], ['copy.txt', 'worker:bot']]);
  assert.equal((await readTask(server, task)).attachments, undefined, 'a run changes the files of its own task only');
  const late = await readTask(server, own);
  assert.equal(late.attachments.length, 2);
});

test('commands add, list, get and remove files, with a server and without', async (t) => {
  const { place, server, task } = await openBoard(t);
  writeFileSync(place.path('shot.png'), kPicture);
  mkdirSync(place.path('out'));
  const data = ['--dir', server.data];
  const all = async (where) => {
    assert.match(await told(place, [...data, 'attachments', 'add', `${task.id}`, 'shot.png', '--rename', `${where}.png`]), /^Attached .* to task #1/);
    assert.match(await told(place, [...data, 'attachments', 'list', `${task.id}`]), new RegExp(`${where}\\.png`));
    await told(place, [...data, 'attachments', 'get', `${task.id}`, `${where}.png`, '--to', 'out']);
    assert.deepEqual(readFileSync(place.path(`out/${where}.png`)), kPicture);
    const again = await andon(place, [...data, 'attachments', 'get', `${task.id}`, `${where}.png`, '--to', 'out']);
    assert.match(again.err, /is there already/);
    assert.match(await told(place, [...data, 'show', `${task.id}`]), new RegExp(`${where}\\.png`));
    assert.match(await told(place, [...data, 'attachments', 'remove', `${task.id}`, `${where}.png`]), /^Removed/);
  };
  await all('served');
  const piped = await told(place, [...data, 'attachments', 'add', `${task.id}`, '-', '--rename', 'log.txt'], { input: 'a line' });
  assert.match(piped, /^Attached log\.txt/);
  const missing = await andon(place, [...data, 'attachments', 'add', `${task.id}`, 'nowhere.png']);
  assert.deepEqual([missing.code, /nowhere\.png/.test(missing.err)], [1, true]);
  await server.end();
  await all('alone');
  assert.equal(await told(place, [...data, 'attachments', 'get', `${task.id}`, 'log.txt', '--to', '-']), 'a line');
});

test('a board of Markdown files keeps attachments in its folder, and believes no path in them', async (t) => {
  const place = openPlace(t);
  const board = place.path('kanban');
  await told(place, ['init', '--dir', board]);
  await told(place, ['--dir', board, 'create', 'Fix the cart']);
  writeFileSync(place.path('shot.png'), kPicture);
  await told(place, ['--dir', board, 'attachments', 'add', '1', 'shot.png']);
  assert.deepEqual(kept(board).map((file) => file.name), ['shot.png']);
  const file = join(board, 'tasks', readdirSync(join(board, 'tasks'))[0]);
  assert.match(readFileSync(file, 'utf8'), /^attachments: .*shot\.png/m);
  await told(place, ['--dir', board, 'attachments', 'get', '1', 'shot.png', '--to', 'copy.png']);
  assert.deepEqual(readFileSync(place.path('copy.png')), kPicture);

  const hostile = readFileSync(file, 'utf8').replace(/"id":"[0-9a-f]+"/, '"id":"../../../.."').replace(/shot\.png/g, 'copy.png');
  writeFileSync(file, hostile);
  const refused = await andon(place, ['--dir', board, 'attachments', 'get', '1', 'copy.png', '--to', '-']);
  assert.notEqual(refused.code, 0);
  assert.equal(refused.out, '');

  const [content] = kept(board);
  const own = join(board, 'attachments');
  renameSync(own, place.path('elsewhere'));
  symlinkSync(place.path('elsewhere'), own);
  const linked = await andon(place, ['--dir', board, 'attachments', 'add', '1', 'shot.png', '--rename', 'other.png']);
  assert.notEqual(linked.code, 0);
  assert.match(linked.err, /attachments.*(link|directory)/i);
  assert.deepEqual(kept(place.path('.')).filter((each) => each.name === 'other.png'), []);
  assert.ok(existsSync(place.path(`elsewhere/${content.parentPath.split('/').at(-1)}/${content.name}`)));
});

test('an attached board keeps the files of its tasks in its own folder', async (t) => {
  const place = openPlace(t);
  await told(place, ['init', '--dir', place.path('kanban')]);
  const server = await startServer(place);
  await server.http.post('/boards/attach', { directory: place.path('kanban') }).catch(async () => server.andon('boards', 'attach', place.path('kanban')));
  const [board] = (await server.http.get('/boards')).items;
  const task = await server.http.post('/tasks', { board: board.name, title: 'Fix the cart' });
  assert.equal((await put(server, task, 'shot.png', kPicture)).status, 201);
  assert.deepEqual(kept(place.path('kanban')).map((file) => file.name), ['shot.png']);
  assert.deepEqual(kept(server.data), []);
  assert.deepEqual(await bytesOf(await get(server, task, 'shot.png')), kPicture);

  await server.http.post('/boards', { name: 'other' });
  await server.andon('boards', 'detach', board.name);
  await newTask(server, 'Takes the next number', { board: 'other' });
  await server.andon('boards', 'attach', place.path('kanban'));
  const [again] = (await server.http.get(`/tasks?board=${board.name}`)).items;
  assert.notEqual(again.id, task.id);
  assert.deepEqual(await bytesOf(await get(server, again, 'shot.png')), kPicture);
});

test('a backup holds the files and brings them back', async (t) => {
  const { place, server, task } = await openBoard(t);
  await put(server, task, 'shot.png', kPicture);
  await server.andon('backup', place.path('backup'));
  await server.http.told('DELETE', `/tasks/${task.id}/attachments/shot.png`);
  await server.end();
  await told(place, ['--dir', server.data, 'restore', place.path('backup'), '--yes']);
  const again = await startServer(place);
  assert.deepEqual(await bytesOf(await get(again, task, 'shot.png')), kPicture);
});

test('two servers on one PostgreSQL see the same files', { skip: kWithoutPostgres }, async (t) => {
  const place = openPlace(t);
  const postgres = await startPostgres(place);
  const start = (name) => startServer(place, { data: place.path(name), flags: ['--store', postgres.url(), '--name', name] });
  const [east, west] = [await start('east'), await start('west')];
  await east.http.post('/boards', { name: 'shop' });
  const task = await newTask(east, 'Fix the cart');
  assert.equal((await put(east, task, 'shot.png', kPicture)).status, 201);
  assert.deepEqual(await bytesOf(await get(west, task, 'shot.png')), kPicture);
  await west.http.told('DELETE', `/tasks/${task.id}/attachments/shot.png`);
  assert.deepEqual(await postgres.query('SELECT count(*) FROM andon.attachment'), [['0']]);
  await put(east, task, 'log.txt', 'a line');
  const copy = join(place.path('east'), 'copy');
  mkdirSync(copy);
  await told(place, ['store', 'copy', postgres.url(), `sqlite:${join(copy, 'andon.db')}`]);
  assert.equal(kept(copy).length, 1);
});

test('work that is stopped leaves no file that nobody knows', async (t) => {
  const { place, server, task } = await openBoard(t);
  const puts = Array.from({ length: 40 }, (_, n) => put(server, task, `f${n}`, Buffer.alloc(200_000, n)).catch(() => undefined));
  await Promise.race(puts);
  server.child.kill('SIGKILL');
  await Promise.all(puts);
  await server.end('SIGKILL');
  const again = await startServer(place);
  const { attachments = [] } = await readTask(again, task);
  for (const { name, size } of attachments) {
    const answer = await get(again, task, name);
    assert.equal(answer.status, 200, `${name} of ${size} bytes`);
    assert.equal((await bytesOf(answer)).length, size);
  }
});
