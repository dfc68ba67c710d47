import assert from 'node:assert/strict';
import { copyFileSync, existsSync, readdirSync, renameSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { openPlace } from './support/place.mjs';
import { andon, told } from './support/program.mjs';
import { startServer } from './support/server.mjs';
import { until } from './support/until.mjs';

const kLostDatabase = 70;
const kWriters = 4;

function replace(file) {
  copyFileSync(file, `${file}.other`);
  renameSync(`${file}.other`, file);
}

const kLosses = {
  deleted: (db) => rmSync(db),
  'deleted with its log': (db) => ['', '-wal', '-shm'].forEach((end) => rmSync(db + end)),
  moved: (db) => renameSync(db, `${db}.moved`),
  replaced: replace,
  'cut short': (db) => truncateSync(db, 0),
  'its directory moved': (db) => renameSync(db.replace(/\/andon\.db$/, ''), `${db.replace(/\/andon\.db$/, '')}.moved`),
  'its log deleted': (db) => rmSync(`${db}-wal`),
};

// Writes until the server is gone: {title, sent, status, error} of each, with the time it was sent.
async function writeOn(server, name, writes) {
  for (let n = 0; !server.exit; ++n) {
    const write = { title: `${name} ${n}`, sent: performance.now() };
    try {
      const { status, body } = await server.http.ask('POST', '/tasks', { board: 'shop', title: write.title });
      writes.push({ ...write, status, code: body.code, error: body.error });
      if (status >= 300) await pause(10);
    } catch {
      return;
    }
  }
}

for (const [name, lose] of Object.entries(kLosses))
  test(`no write is acknowledged by a server whose database was ${name}`, async (t) => {
    const place = openPlace(t);
    const server = await startServer(place, { flags: ['--no-runner'] });
    await server.http.post('/boards', { name: 'shop' });
    const writes = [];
    const writers = Array.from({ length: kWriters }, (_, n) => writeOn(server, `writer ${n}`, writes));
    await until('many writes are acknowledged', () => writes.length > 100);
    const db = place.path('data', 'andon.db');
    lose(db);
    const lost = performance.now();
    await until('the server ended', () => server.exit);
    await Promise.all(writers);

    const after = writes.filter((write) => write.sent > lost);
    assert.deepEqual(after.filter(({ status }) => status < 300), [], 'acknowledged after the loss');
    assert.ok(after.length > 0, 'writes are refused before the server ends');
    for (const { code, error } of after) {
      if (code === 'INTERNAL_ERROR') assert.match(error, /it is unknown whether the change was kept/);
      else assert.match(`${code}: ${error}`, /^BUSY: nothing was changed: the database was deleted, moved, replaced or cut short/);
    }
    assert.ok(after.some(({ code }) => code === 'BUSY'));
    assert.deepEqual(server.exit, { code: kLostDatabase, signal: null });
    assert.match(server.log, /^andon: \S*andon\.db(-wal)? was deleted, moved, .* restore a backup with `andon restore`; start it again$/m);

    if (!name.includes('log')) return;
    if (existsSync(db)) {
      const again = await startServer(place, { flags: ['--no-runner'] });
      const there = new Set();
      for (let cursor = ''; cursor !== undefined;) {
        const { items, next } = await again.http.get(`/tasks?board=shop&limit=500${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
        for (const { title } of items) there.add(title);
        cursor = next || undefined;
      }
      const missing = writes.filter(({ title, status }) => status < 300 && !there.has(title));
      assert.deepEqual(missing, [], 'acknowledged before the log was deleted');
    }
  });

test('an idle server notices that its database was deleted', async (t) => {
  const place = openPlace(t);
  const server = await startServer(place, { flags: ['--no-runner'] });
  rmSync(place.path('data', 'andon.db'));
  await until('the server ended', () => server.exit);
  assert.equal(server.exit.code, kLostDatabase);
});

test('a board of files loses nothing that was acknowledged when its index is deleted', async (t) => {
  const place = openPlace(t);
  await told(place, ['init', '--name', 'shop', '--dir', place.path('shop'), '--json']);
  const server = await startServer(place, { flags: ['--no-runner'] });
  await server.andon('boards', 'attach', place.path('shop'));
  const writes = [];
  const writers = Array.from({ length: kWriters }, (_, n) => writeOn(server, `writer ${n}`, writes));
  await until('many writes are acknowledged', () => writes.length > 50);
  ['', '-wal', '-shm'].forEach((end) => rmSync(place.path('data', `andon.db${end}`)));
  await until('the server ended', () => server.exit);
  await Promise.all(writers);
  assert.equal(server.exit.code, kLostDatabase);

  const listed = await told(place, ['list', '--dir', place.path('shop'), '--json', '--limit', '0']);
  const there = new Set(listed.map(({ title }) => title));
  assert.deepEqual(writes.filter(({ title, status }) => status < 300 && !there.has(title)), []);
});

test('a command on a board of files loses nothing when the index is deleted meanwhile', async (t) => {
  const place = openPlace(t);
  const dir = place.path('shop');
  await told(place, ['init', '--name', 'shop', '--dir', dir, '--json']);
  const made = [];
  let isOver = false;
  let deleted = 0;
  let refused = 0;
  // The pause grows with the refusals: a slow machine gets time to finish a command too.
  const deleting = (async () => {
    for (; !isOver; await pause(7 + 5 * refused))
      for (const name of readdirSync(dir, { recursive: true }).filter((file) => /\.(db|sqlite)(-wal|-shm)?$/.test(file)))
        rmSync(join(dir, name), { force: true }), ++deleted;
  })();
  for (let n = 0; n < 30; ++n) {
    const { code } = await andon(place, ['create', `Task ${n}`, '--dir', dir]);
    if (code === 0) made.push(`Task ${n}`);
    else ++refused;
  }
  isOver = true;
  await deleting;
  assert.ok(made.length > 0 && deleted > 0);
  const there = new Set((await told(place, ['list', '--dir', dir, '--json'])).map(({ title }) => title));
  assert.deepEqual(made.filter((title) => !there.has(title)), []);
});
