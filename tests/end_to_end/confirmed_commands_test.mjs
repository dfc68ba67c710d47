// Commands of boards come from the machine: through its socket file, by a name, or confirmed there. No credential
// brings them over the network, and no agent confirms them.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { installAgent } from './support/agents.mjs';
import { HttpClient, askSocket } from './support/http_client.mjs';
import { openPlace } from './support/place.mjs';
import { andon, kProgram, told } from './support/program.mjs';
import { startServer } from './support/server.mjs';
import { until } from './support/until.mjs';

const kChecks = { unit: ['make', 'the test'] };

// A client with a stolen token of the administrator.
const thief = (server) => new HttpClient(server.url, server.token);

async function propose(server, body = { name: 'shop', checks: kChecks }) {
  const { status, body: refused } = await thief(server).ask('POST', '/boards', body);
  assert.equal(status, 403);
  assert.equal(refused.code, 'UNCONFIRMED_COMMAND');
  assert.match(refused.error, new RegExp(`andon confirm ${refused.details.confirm}$`));
  return refused.details.confirm;
}

test('a stolen token brings no command, and a person on the machine confirms one', async (t) => {
  const place = openPlace(t);
  const server = await startServer(place);
  const code = await propose(server);
  assert.deepEqual((await server.http.get('/boards')).items, []);
  const { status, body } = await thief(server).ask('POST', `/confirmations/${code}`, {});
  assert.deepEqual([status, body.code], [403, 'FORBIDDEN']);

  const unread = await andon(place, ['confirm', code, '--dir', server.data]);
  assert.notEqual(unread.code, 0);
  assert.match(unread.err, /checks\/unit: make 'the test'/);
  assert.deepEqual((await server.http.get('/boards')).items, []);

  await server.andon('confirm', code, '--yes');
  assert.deepEqual((await server.http.get('/boards/shop')).checks, kChecks);
  assert.equal((await thief(server).get(`/confirmations/${code}`)).state, 'confirmed');
  const { code: again } = await andon(place, ['confirm', 'AAAA-AAAA', '--yes', '--dir', server.data]);
  assert.notEqual(again, 0);
});

test('a person may let the browser that asked bring more for a while', async (t) => {
  const server = await startServer(openPlace(t));
  const code = await propose(server);
  await server.andon('confirm', code, '--yes', '--browser');
  const edit = { setup: [['npm', 'ci']] };
  assert.equal((await thief(server).ask('PATCH', '/boards/shop', edit)).status, 200);
  const other = new HttpClient(server.url, /andon_t_\w+/.exec(await server.andon('token', 'create', 'bob', '--admin'))[0]);
  assert.equal((await other.ask('PATCH', '/boards/shop', { setup: [['npm', 'install']] })).status, 403);
});

test('commands of the machine are named over the network', async (t) => {
  const server = await startServer(openPlace(t));
  writeFileSync(`${server.data}/commands.yml`, 'unit: [make, the test]\ninstall: [npm, ci]\n', { mode: 0o600 });
  const board = await thief(server).post('/boards', { name: 'shop', commands: { checks: ['unit'], setup: ['install'] } });
  assert.deepEqual(board.checks, kChecks);
  assert.deepEqual(board.setup, [['npm', 'ci']]);
  const { status, body } = await thief(server).ask('PATCH', '/boards/shop', { commands: { checks: ['other'] } });
  assert.deepEqual([status, body.field], [422, 'commands/checks']);
});

test('an agent with the administrator\'s token gives no proof through the socket file', async (t) => {
  const place = openPlace(t);
  const server = await startServer(place);
  const code = await propose(server);
  const said = place.path('said');
  const body = place.path('body.json');
  writeFileSync(body, JSON.stringify({ name: 'mine', checks: kChecks }));
  // The agent has found the token, and detaches one of the programs that it starts.
  const ask = (path, data) =>
    `curl -s --unix-socket ${server.socket} -H "Authorization: Bearer ${server.token}" -H "Content-Type: application/json" http://localhost/api/v1/${path} -d '${data}'`;
  installAgent(server.data, 'dev', [
    `{ ${ask('boards', `@${body}`)}; echo; ${ask(`confirmations/${code}`, '{}')}; echo; } > ${said}`,
    `setsid sh -c "( sleep 0.2; ${ask('boards', `@${body}`).replaceAll('"', '\\"')}; echo ) >> ${said} &"`,
    'sleep 0.5',
    `andon confirm ${code} --yes --dir ${server.data} >> ${said} 2>&1`,
    'echo ok',
  ].join('\n'));
  await server.http.post('/workers', { name: 'dev', agent: 'dev', takes_unassigned: true });
  await server.http.post('/boards', { name: 'work' });
  await server.http.post('/tasks', { board: 'work', title: 'Try it', status: 'todo' });
  await until('the agent has tried', () => existsSync(said) && readFileSync(said, 'utf8').includes('Error'));
  const answers = readFileSync(said, 'utf8');
  assert.equal(answers.match(/UNCONFIRMED_COMMAND/g).length, 2, answers);
  assert.equal(answers.match(/only the machine's own user confirms commands/g).length, 2, answers);
  const names = (await server.http.get('/boards')).items.map(({ name }) => name);
  assert.deepEqual(names, ['work']);
  assert.equal((await thief(server).get(`/confirmations/${code}`)).state, 'waiting');
});

test('the machine\'s own user brings commands through the socket file and the command line', async (t) => {
  const place = openPlace(t);
  const server = await startServer(place);
  const head = { method: 'POST', path: '/api/v1/boards', headers: { Authorization: `Bearer ${server.token}`, 'Content-Type': 'application/json' } };
  assert.equal((await askSocket(server.socket, head, JSON.stringify({ name: 'shop', checks: kChecks }))).status, 201);
  await server.andon('boards', 'edit', 'shop', '--setup', '[["npm","ci"]]');
  assert.deepEqual((await server.http.get('/boards/shop')).setup, [['npm', 'ci']]);

  // A program of the user whose first word is only like that of the process that supervises a run.
  writeFileSync(place.path('supervise-nightly'), '"$@"\n');
  const words = [kProgram, 'boards', 'edit', 'shop', '--setup', '[["npm","test"]]', '--dir', server.data];
  await told(place, ['supervise-nightly', ...words], { program: '/bin/sh' });
  assert.deepEqual((await server.http.get('/boards/shop')).setup, [['npm', 'test']]);
  await server.end();
  await told(place, ['boards', 'edit', 'shop', '--setup', '[["npm","install"]]', '--dir', server.data]);
});
