import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { test } from 'node:test';
import { openPlace } from './support/place.mjs';
import { andon, kProgram, told } from './support/program.mjs';
import { startServer } from './support/server.mjs';

const kRoom = 200_000; // bytes that the database's log may still grow

function limitFiles(server, bytes) {
  execFileSync('prlimit', ['--pid', String(server.pid), `--fsize=${bytes}:unlimited`]);
}

test('a full disk refuses writes, answers reads and heals by itself', async (t) => {
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

  limitFiles(server, 'unlimited');
  await server.http.post('/tasks', { board: 'shop', title: 'After' });
  assert.equal((await server.http.get('/boards/shop')).columns[0].count, acknowledged + 1);
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
