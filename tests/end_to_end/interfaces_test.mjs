import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, mkdirSync, statSync } from 'node:fs';
import { test } from 'node:test';
import { openPlace } from './support/place.mjs';
import { andon, kProgram, told } from './support/program.mjs';
import { startServer } from './support/server.mjs';

// Each command sees what those before it left.
const kCommands = [
  ['boards', 'create', 'shop', '--template', 'classic'],
  ['create', 'Fix the cart', '--body', 'It forgets.\n\nÄlso ünïcode.', '--priority', 'high', '--tags', 'api,web'],
  ['create', 'Then test it', '--depends-on', '1', '--class', 'fixed-date', '--due', '2030-01-31'],
  ['create', 'Write it down', '--parent', '1', '--estimate', '2h', '--next', '{"title":"Publish {{parent.title}}"}'],
  ['list'],
  ['list', '--status', 'backlog', '--tag', 'api'],
  ['show', '1'],
  ['move', '1', 'todo'],
  ['move', '3', 'todo', '--before', '1'],
  ['edit', '2', '--title', 'Then try it'],
  ['pick', '--claim', 'agent-1', '--move', 'in_progress'],
  ['edit', '1', '--title', 'Mine', '--claim', 'agent-2'],
  ['note', '1', 'half way'],
  ['done', '1', '--claim', 'agent-1', '--result', 'see the log'],
  ['move', '99', 'todo'],
  ['move', '2', 'nowhere'],
  ['show', 'abc'],
  ['show', 'XX-1'],
  ['block', '2', 'needs a key'],
  ['search', 'cart'],
  ['board'],
  ['boards', 'list'],
  ['workers', 'add', 'ann', '--agent', 'generic'],
  ['workers', 'list'],
  ['list', '--sort', 'pick'],
  ['show', '2'],
  ['log'],
  ['pick', '--claim', 'agent-2', '--status', 'in_progress'],
];

// Times differ from one try to the next, and so do random ids.
const kVolatile = /"(\d{4}-\d\d-\d\dT[\d:.]+Z|[0-9a-f-]{16,}|\d+m\d+s)"/g;
// The last test below asks for the source.
const kSource = /"source": ?"[a-z]+"/g;
const normal = ({ code, out }) => ({ code, out: out.replace(kVolatile, '"*"').replace(kSource, '"source": "*"') });

// A first start makes the data directory.
async function makeStore(place, data) {
  const server = await startServer(place, { data });
  await server.end();
}

async function transcript(place, flags) {
  const lines = [];
  for (const command of kCommands) {
    const result = await andon(place, [...flags, '--as', 'ann', '--json', ...command]);
    lines.push({ command: command.join(' '), ...normal(result) });
  }
  return lines;
}

test('a command answers the same on the store, through the socket and over HTTP', async (t) => {
  const place = openPlace(t);
  await makeStore(place, place.path('direct'));
  const direct = await transcript(place, ['--dir', place.path('direct')]);
  for (const { command, code, out } of direct) {
    const value = JSON.parse(out);
    const refused = /^move 99|nowhere|agent-2|^show (abc|XX)/.test(command);
    assert.equal(code, refused ? 1 : 0, `${command}: ${out}`);
    assert.equal('code' in value && 'error' in value, refused, command);
  }

  const socket = await startServer(place, { data: place.path('socket') });
  const through = await transcript(place, ['--dir', socket.data]);
  const server = await startServer(place, { data: place.path('http') });
  const over = await transcript(place, ['--server', server.url, '--token', server.token]);
  for (const [index, expected] of direct.entries()) {
    assert.deepEqual(through[index], expected, `through the socket: ${expected.command}`);
    assert.deepEqual(over[index], expected, `over HTTP: ${expected.command}`);
  }
});

test('what is done on the store is there when a server starts, and the other way round', async (t) => {
  const place = openPlace(t);
  const data = place.path('data');
  await makeStore(place, data);
  await told(place, ['--dir', data, 'boards', 'create', 'shop']);
  await told(place, ['--dir', data, 'create', 'Before']);
  const server = await startServer(place, { data });
  await server.http.post('/tasks', { board: 'shop', title: 'During' });
  await server.end();
  const tasks = await told(place, ['--dir', data, 'list', '--json']);
  assert.deepEqual(tasks.map((task) => task.title).sort(), ['Before', 'During']);
});

test('the token is for its owner only', async (t) => {
  const place = openPlace(t);
  const server = await startServer(place);
  assert.equal(statSync(`${server.data}/token`).mode & 0o777, 0o600);
  assert.equal(statSync(`${server.data}/andon.sock`).mode & 0o777, 0o600);
  const refused = await andon(place, ['--server', server.url, '--token', 'wrong', 'list', '--json']);
  assert.equal(refused.code, 1);
  // Over plain http the server has to know the token before it is sent.
  assert.match(JSON.parse(refused.out).error, /did not prove that it knows this token/);
  assert.equal((await server.http.ask('GET', '/boards', undefined, { Authorization: 'Bearer wrong' })).status, 401);
});

test('a revoked token of the data directory is replaced by the next start', async (t) => {
  const place = openPlace(t);
  const server = await startServer(place, { data: place.path('data') });
  const before = server.token;
  const [own] = (await server.http.get('/tokens')).items;
  assert.equal((await server.http.ask('DELETE', `/tokens/${own.id}`)).status, 200);
  await server.end();
  const next = await startServer(place, { data: place.path('data') });
  assert.notEqual(next.token, before);
  assert.deepEqual((await next.http.get('/boards')).items, []);
});

test('an interrupted command ends with 130', async (t) => {
  const place = openPlace(t);
  const server = await startServer(place);
  await server.http.post('/boards', { name: 'shop' });
  const watching = spawn(kProgram, ['--dir', server.data, 'board', '--watch'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(watching, 'exit');
  await once(watching.stdout, 'data');
  watching.kill('SIGINT');
  assert.deepEqual(await ended, [130, null]);
});

// A start that has to fail: what it says.
async function refusedStart(place, ...flags) {
  const { code, out, err } = await andon(place, ['serve', ...flags]);
  assert.notEqual(code, 0, out);
  assert.doesNotMatch(out, /listening on/);
  assert.doesNotMatch(err, /terminate called|what\(\)|0x[0-9a-f]{6}/);
  return err;
}

test('a second server on one data directory is refused and the first goes on', async (t) => {
  const place = openPlace(t);
  const server = await startServer(place);
  const said = await refusedStart(place, '--data', server.data, '--listen', '127.0.0.1:0');
  assert.match(said, new RegExp(`in use by process ${server.pid}`));
  assert.deepEqual((await server.http.get('/boards')).items, []);
  assert.equal((await server.andon('list', '--json')).length, 0);
});

test('a port in use is refused by its number and leaves the directory free', async (t) => {
  const place = openPlace(t);
  const server = await startServer(place);
  const { host, port } = new URL(server.url);
  const said = await refusedStart(place, '--data', place.path('other'), '--listen', host);
  assert.match(said, new RegExp(`${port}.*in use`, 'i'));
  await startServer(place, { data: place.path('other') });
});

// Root may write everywhere, so for root an unprivileged user starts the server, from a copy this user can reach.
async function startWithoutRights(place, data) {
  const nobody = 65534;
  const program = place.path('andon');
  copyFileSync(kProgram, program);
  chmodSync(program, 0o755);
  chmodSync(place.root, 0o755);
  return andon(place, ['serve', '--data', data, '--listen', '127.0.0.1:0'], { program, uid: process.getuid() === 0 ? nobody : undefined });
}

test('a data directory that cannot be written is refused by its name', async (t) => {
  const place = openPlace(t);
  const data = place.path('locked');
  mkdirSync(data, { mode: 0o555 });
  const { code, out, err } = await startWithoutRights(place, data);
  assert.notEqual(code, 0, out);
  assert.match(err, /locked/);
  assert.match(err, /permission denied|read-only|cannot be written|not writable/i);
});

test('a task made by a command says so, whichever interface it came through', async (t) => {
  const place = openPlace(t);
  const data = place.path('data');
  await makeStore(place, data);
  await told(place, ['--dir', data, 'boards', 'create', 'shop']);
  const made = [await told(place, ['--dir', data, '--json', 'create', 'On the store'])];
  const server = await startServer(place, { data });
  made.push(await told(place, ['--dir', data, '--json', 'create', 'Through the socket']));
  made.push(await told(place, ['--server', server.url, '--token', server.token, '--json', 'create', 'Over HTTP']));
  assert.deepEqual(made.map((task) => task.source), ['cli', 'cli', 'cli']);
});
