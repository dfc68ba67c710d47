import assert from 'node:assert/strict';
import { chmodSync, chownSync, lchownSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { openPlace } from './support/place.mjs';
import { andon, told } from './support/program.mjs';
import { startServer } from './support/server.mjs';

const start = (place, data) => andon(place, ['serve', '--data', data, '--listen', '127.0.0.1:0', '--no-runner']);

async function withStore(t) {
  const place = openPlace(t);
  const data = place.path('data');
  await (await startServer(place, { data, flags: ['--no-runner'] })).end();
  await told(place, ['--dir', data, 'boards', 'create', 'shop']);
  return { place, data };
}

// Every interface to the data refuses with the same sentence, and the command in it mends it.
async function refused(place, data, expected) {
  const served = await start(place, data);
  assert.equal(served.code, 1, served.err);
  assert.match(served.err + served.out, expected);
  const listed = await andon(place, ['--dir', data, 'list', '--json']);
  assert.equal(listed.code, 1);
  assert.equal(JSON.parse(listed.out).code, 'INVALID_INPUT');
  assert.match(JSON.parse(listed.out).error, expected);
  assert.match((await andon(place, ['--dir', data, 'backup', place.path('backup')])).err, expected);
  assert.match((await andon(place, ['--dir', data, 'doctor'])).out, expected);
}

test('a token file that others can write is refused by name until its mode is mended', async (t) => {
  const { place, data } = await withStore(t);
  for (const mode of [0o666, 0o777]) {
    chmodSync(`${data}/token`, mode);
    await refused(place, data, new RegExp(`${data}/token can be written by others \\(mode 0${mode.toString(8)}\\); look at it, then: chmod go-w ${data}/token`));
  }
  chmodSync(`${data}/token`, 0o600);
  await told(place, ['--dir', data, 'list']);
});

test('a file with a secret that others can read is refused by name until its mode is mended', async (t) => {
  const { place, data } = await withStore(t);
  writeFileSync(`${data}/telegram.json`, '{}', { mode: 0o600 });
  for (const name of ['token', 'telegram.json'])
    for (const mode of [0o644, 0o604, 0o755]) {
      chmodSync(`${data}/${name}`, mode);
      await refused(place, data, new RegExp(`${data}/${name} holds a secret and can be read by others \\(mode 0${mode.toString(8)}\\); look at it, then: chmod 600 ${data}/${name}`));
      chmodSync(`${data}/${name}`, 0o600);
    }
  await told(place, ['--dir', data, 'list']);
});

test('a profile with a key that others can read is not used', async (t) => {
  const { place, data } = await withStore(t);
  const file = `${data}/agents/mine.json`;
  writeFileSync(file, JSON.stringify({ id: 'mine', extends: 'generic', env: { MINE_API_KEY: 'k7-Zq31xW9pLm2' } }));
  chmodSync(file, 0o644);
  assert.match((await andon(place, ['--dir', data, 'agents', 'list'])).err, new RegExp(`${file}.*holds a secret and can be read by others`));
  chmodSync(file, 0o600);
  assert.match((await told(place, ['--dir', data, 'agents', 'list'])), /mine/);
  writeFileSync(file, JSON.stringify({ id: 'mine', extends: 'generic', env: { COLOUR: 'blue' } }));
  chmodSync(file, 0o644);
  assert.match((await told(place, ['--dir', data, 'agents', 'list'])), /mine/);
});

test('a database behind a link in a directory that others can write is refused by name', async (t) => {
  const { place, data } = await withStore(t);
  const open = place.path('open');
  mkdirSync(open);
  symlinkSync(data, `${open}/data`);
  chmodSync(open, 0o777);
  const through = `${open}/data`;
  await refused(place, through, new RegExp(`${through} is a link, and others could put another in its place, .*${open} \\(mode 0777\\).*chmod go-w ${open}`));
  chmodSync(open, 0o1777);
  await told(place, ['--dir', through, 'list']);

  renameSync(`${data}/andon.db`, `${place.root}/far.db`);
  symlinkSync(`${place.root}/far.db`, `${data}/andon.db`);
  await told(place, ['--dir', data, 'list']);
  chmodSync(place.root, 0o777);
  await refused(place, data, new RegExp(`chmod go-w ${place.root}`));
  chmodSync(place.root, 0o700);

  renameSync(`${place.root}/far.db`, `${open}/far.db`);
  rmSync(`${data}/andon.db`);
  symlinkSync(`${open}/far.db`, `${data}/andon.db`);
  chmodSync(open, 0o777);
  await refused(place, data, new RegExp(`${open}/far.db could be replaced by others, for they can write ${open} \\(mode 0777\\); .*chmod go-w ${open}`));
});

test('a directory of the data that others can write is refused by name until its mode is mended', async (t) => {
  const { place, data } = await withStore(t);
  for (const directory of [data, `${data}/agents`, `${data}/work`, `${data}/work/runs`, `${data}/logs`])
    for (const mode of [0o777, 0o1777, 0o703]) {
      chmodSync(directory, mode);
      await refused(place, data, new RegExp(`${directory} (can be written by others|could be replaced).*chmod go-w ${directory}`));
      chmodSync(directory, 0o755);
    }
  await told(place, ['--dir', data, 'list']);
});

test('a data directory that others can replace is refused, also before it is made', async (t) => {
  const { place, data } = await withStore(t);
  const open = place.path('open');
  mkdirSync(open);
  renameSync(data, `${open}/data`);
  chmodSync(open, 0o777);
  await refused(place, `${open}/data`, new RegExp(`${open}/data could be replaced by others, for they can write ${open} \\(mode 0777\\); use another place, or: chmod go-w ${open}`));
  assert.match((await start(place, `${open}/new`)).err, new RegExp(`${open}/new could be replaced by others`));
  chmodSync(open, 0o1777);
  await told(place, ['--dir', `${open}/data`, 'list']);
});

test('a database of another user is refused by name', { skip: process.getuid() !== 0 && 'needs root' }, async (t) => {
  const { place, data } = await withStore(t);
  chownSync(`${data}/andon.db`, 12345, 12345);
  await refused(place, data, new RegExp(`${data}/andon.db .*belongs to user 12345.*chown -h 0 ${data}/andon.db`));
});

test('root serves the data of another user', { skip: process.getuid() !== 0 && 'needs root' }, async (t) => {
  const { place, data } = await withStore(t);
  for (const file of [data, ...readdirSync(data, { recursive: true }).map((name) => `${data}/${name}`)]) lchownSync(file, 12345, 12345);
  await told(place, ['--dir', data, 'list']);
});

test('a running server is not asked with a token that others can write', async (t) => {
  const { place, data } = await withStore(t);
  await startServer(place, { data, flags: ['--no-runner'] });
  chmodSync(`${data}/token`, 0o666);
  const { code, out } = await andon(place, ['--dir', data, 'list', '--json']);
  assert.equal(code, 1);
  assert.match(JSON.parse(out).error, /token can be written by others \(mode 0666\)/);
});

test('an agent profile that others can write is not used, and named', async (t) => {
  const { place, data } = await withStore(t);
  const file = `${data}/agents/mine.json`;
  writeFileSync(file, JSON.stringify({ id: 'mine', extends: 'claude', title: 'Mine' }));
  assert.match((await andon(place, ['--dir', data, 'agents', 'list'])).out, /mine/);
  chmodSync(file, 0o666);
  const listed = await andon(place, ['--dir', data, 'agents', 'list']);
  assert.doesNotMatch(listed.out, /mine/);
  assert.match(listed.err, new RegExp(`${file} can be written by others \\(mode 0666\\); look at it, then: chmod go-w ${file}`));
});

test('no token goes over plain http to another machine', async (t) => {
  const place = openPlace(t);
  for (const env of [{ ANDON_URL: 'http://192.0.2.1:7420', ANDON_TOKEN: 'secret' }, { ANDON_TOKEN: 'secret' }]) {
    const { code, out } = await andon(place, [...(env.ANDON_URL ? [] : ['--server', 'http://192.0.2.1:7420']), 'list', '--json'], { env });
    assert.equal(code, 1);
    assert.match(JSON.parse(out).error, /^a token is not sent to 192\.0\.2\.1:7420 over plain http/);
  }
});

test('a token on the command line works and is warned of', async (t) => {
  const { place, data } = await withStore(t);
  const server = await startServer(place, { data, flags: ['--no-runner'] });
  const warned = await andon(place, ['--server', server.url, '--token', server.token, 'list']);
  assert.equal(warned.code, 0, warned.err);
  assert.match(warned.err, /^Warning: .*--token.*list of processes.*ANDON_TOKEN\n/);
  assert.ok(!warned.err.includes(server.token));
  const calm = await andon(place, ['--server', server.url, 'list'], { env: { ANDON_TOKEN: server.token } });
  assert.equal(calm.code, 0);
  assert.doesNotMatch(calm.err, /Warning/);
});

test('no token follows a redirect', async (t) => {
  const place = openPlace(t);
  const asked = [];
  const listen = (answer) => new Promise((resolve) => {
    const server = createServer(answer).listen(0, '127.0.0.1', () => resolve(server));
    place.atEnd(() => server.close());
  });
  const elsewhere = await listen((request, response) => (asked.push(request.url), response.end('{}')));
  const first = await listen((_, response) => response.writeHead(307, { Location: `http://127.0.0.1:${elsewhere.address().port}/` }).end());
  const { code } = await andon(place, ['--server', `http://127.0.0.1:${first.address().port}`, 'list'], { env: { ANDON_TOKEN: 'secret' } });
  assert.notEqual(code, 0);
  assert.deepEqual(asked, []);
});
