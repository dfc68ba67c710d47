import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ended, installAgent, moveTo, newTask, openShop, readTask, runsOf } from './support/agents.mjs';
import { openPlace } from './support/place.mjs';
import { kWithoutPostgres, startPostgres } from './support/postgres.mjs';
import { andon, told } from './support/program.mjs';
import { startServer } from './support/server.mjs';
import { until } from './support/until.mjs';

const options = { skip: kWithoutPostgres };

const startOn = (place, postgres, name, more = {}) =>
  startServer(place, { data: place.path(name), flags: ['--store', postgres.url(), '--name', name, ...(more.flags ?? [])], ...more.options });

const servers = async (server) => (await server.http.get('/servers')).servers;
const leader = async (server) => (await servers(server)).find((each) => each.leads)?.name;

test('two servers work on one board', options, async (t) => {
  const place = openPlace(t);
  const postgres = await startPostgres(place);
  const [east, west] = [await startOn(place, postgres, 'east'), await startOn(place, postgres, 'west')];
  await east.http.post('/boards', { name: 'shop', template: 'flow' });
  const task = await newTask(west, 'From the west');
  assert.equal((await readTask(east, task)).title, 'From the west');
  await moveTo(east, task, 'todo');
  const claims = await Promise.all(
    [east, west, east, west].map((server, n) => server.http.ask('POST', `/tasks/${task.id}/claim`, { by: `worker-${n}` })));
  assert.equal(claims.filter(({ status }) => status < 300).length, 1, JSON.stringify(claims.map(({ status }) => status)));
  assert.deepEqual((await servers(west)).map(({ name, alive, own }) => [name, alive, own]), [['east', true, false], ['west', true, true]]);
  assert.equal(await leader(west), 'east');
  const seqs = (await west.http.events()).map((event) => event.seq);
  assert.deepEqual(seqs, seqs.map((_, n) => n + 1), 'the events have no gap');
});

test('a waiting pick and an event stream hear what another server writes', options, async (t) => {
  const place = openPlace(t);
  const postgres = await startPostgres(place);
  const [east, west] = [await startOn(place, postgres, 'east'), await startOn(place, postgres, 'west')];
  await east.http.post('/boards', { name: 'shop', template: 'flow' });
  const picked = west.http.ask('POST', '/pick', { by: 'ann', wait: '30s' });
  const abort = new AbortController();
  const stream = await fetch(`${west.url}/api/v1/events?boards=shop`, {
    headers: { Authorization: `Bearer ${west.token}`, Accept: 'text/event-stream' }, signal: abort.signal,
  });
  let heard = '';
  const reading = (async () => {
    for await (const part of stream.body.pipeThrough(new TextDecoderStream())) heard += part;
  })().catch(() => {});
  const begun = Date.now();
  const task = await newTask(east, 'News of the east', { status: 'todo' });
  assert.equal((await picked).body.id, task.id);
  await until('the stream tells of it', () => heard.includes('News of the east'));
  assert.ok(Date.now() - begun < 5_000, `${Date.now() - begun} ms`);
  abort.abort();
  await reading;
});

test('another server leads when the leader is killed, and its agents come back', options, async (t) => {
  const place = openPlace(t);
  const postgres = await startPostgres(place);
  const east = await startOn(place, postgres, 'east');
  await until('east leads', async () => (await leader(east)) === 'east');
  const west = await startOn(place, postgres, 'west');
  await openShop(east, { ann: 'cat > /dev/null; andon done --result "done in the east"' });
  installAgent(west.data, 'ann', 'cat > /dev/null; andon done --result "done in the west"');
  const first = await newTask(east, 'First', { assignee: 'ann' });
  await moveTo(east, first, 'todo');
  const run = await ended(west, first);
  assert.ok(['east', 'west'].includes(run.runner), run.runner);
  await east.end('SIGKILL');
  const begun = Date.now();
  await until('west leads', async () => (await leader(west)) === 'west');
  assert.ok(Date.now() - begun < 6_000, `${Date.now() - begun} ms`);
  const second = await newTask(west, 'Second', { assignee: 'ann' });
  await moveTo(west, second, 'todo');
  assert.equal((await ended(west, second)).runner, 'west');
  assert.equal((await readTask(west, second)).result, 'done in the west');
  assert.equal((await runsOf(west, first)).length, 1, 'no run was doubled');
});

test('an agent that prints zero bytes ends as others do', options, async (t) => {
  const place = openPlace(t);
  const postgres = await startPostgres(place);
  const server = await startOn(place, postgres, 'east');
  await openShop(server, { ann: 'cat > /dev/null; printf "last \\000 words \\377\\n"' });
  const task = await newTask(server, 'Noise', { assignee: 'ann' });
  await moveTo(server, task, 'todo');
  const run = await ended(server, task);
  assert.match(run.result ?? run.reason, /last . words|evidence|report/i);
});

test('the service returns after the database crashed, and nothing acknowledged is lost', options, async (t) => {
  const place = openPlace(t);
  const postgres = await startPostgres(place);
  const server = await startOn(place, postgres, 'east');
  await server.http.post('/boards', { name: 'shop', template: 'flow' });
  const acknowledged = [];
  let stops = false;
  // A request in doubt is sent again with its key.
  const write = async (writer) => {
    for (let n = 0; !stops; ) {
      const title = `${writer}.${n}`;
      const { status, body } = await server.http.ask('POST', '/tasks', { board: 'shop', title }, { 'Idempotency-Key': title });
      if (status >= 300) assert.ok(status === 503 || body?.details?.result === 'unknown', `${status} ${JSON.stringify(body)}`);
      else acknowledged.push(body.id), ++n;
    }
  };
  const writing = Promise.all(Array.from({ length: 8 }, (_, writer) => write(writer)));
  for (let round = 0; round < 3; ++round) {
    const known = acknowledged.length;
    await until('tasks are made', () => acknowledged.length > known + 100);
    await postgres.stop('immediate');
    await postgres.start();
    const begun = Date.now();
    const before = acknowledged.length;
    await until('tasks are made again', () => acknowledged.length > before);
    assert.ok(Date.now() - begun < 5_000, `${Date.now() - begun} ms`);
  }
  stops = true;
  await writing;
  assert.equal(server.exit, undefined);
  const kept = new Set((await postgres.query('SELECT id FROM andon.task')).map(([id]) => Number(id)));
  assert.deepEqual(acknowledged.filter((id) => !kept.has(id)), []);
  const titles = (await postgres.query('SELECT title, count(*) FROM andon.task GROUP BY title HAVING count(*) > 1'));
  assert.deepEqual(titles, [], 'nothing was doubled');
});

test('a token that one server revokes ends on the other', options, async (t) => {
  const place = openPlace(t);
  const postgres = await startPostgres(place);
  const [east, west] = [await startOn(place, postgres, 'east'), await startOn(place, postgres, 'west')];
  const made = await east.andon('token', 'create', 'bob', '--json');
  const ask = () => fetch(`${west.url}/api/v1/boards`, { headers: { Authorization: `Bearer ${made.token}` } });
  assert.equal((await ask()).status, 200);
  await east.andon('token', 'revoke', String(made.id));
  await until('the other server refuses it', async () => (await ask()).status === 401, 3_000);
});

test('readiness tells the truth about a database that is away', options, async (t) => {
  const place = openPlace(t);
  const postgres = await startPostgres(place);
  const server = await startOn(place, postgres, 'east');
  const ready = () => fetch(`${server.url}/readyz`, { headers: { Authorization: `Bearer ${server.token}` } });
  assert.equal((await ready()).status, 200);
  await postgres.stop('fast');
  const away = await until('it is not ready', async () => {
    const answer = await ready();
    return answer.status === 503 && answer.json();
  });
  // Who asks is looked up in the database too, unless that was done a moment ago.
  assert.ok(away.status === 'unavailable' || ['BUSY', 'INTERNAL_ERROR'].includes(away.code), JSON.stringify(away));
  await postgres.start();
  await until('it is ready again', async () => (await ready()).status === 200, 6_000);
});

test('a directory is used with the database that its settings name', options, async (t) => {
  const place = openPlace(t);
  const postgres = await startPostgres(place);
  const store = ['--store', postgres.url(), '--dir', place.path('desk')];
  await told(place, ['boards', 'create', 'shop', ...store]);
  await told(place, ['create', 'Without a server', ...store]);
  const env = { ANDON_STORE: postgres.url() };
  assert.equal((await told(place, ['list', '--json'], { env })).length, 1);
  const without = await andon(place, ['list', '--dir', place.path('desk')]);
  assert.notEqual(without.code, 0);
  assert.match(without.err, /is used with the database postgres:\/\/owner@/);
});

test('names and addresses that cannot work are refused in a sentence', options, async (t) => {
  const place = openPlace(t);
  const postgres = await startPostgres(place);
  await startOn(place, postgres, 'east');
  const start = (...flags) => andon(place, ['serve', '--listen', '127.0.0.1:0', '--data', place.path('other'), ...flags]);
  const taken = await start('--store', postgres.url(), '--name', 'east');
  assert.match(taken.err, /another server of this store is called "east"/);
  const wrong = await start('--store', 'postgres://owner:secret@127.0.0.1:1/none');
  assert.match(wrong.err, /cannot connect to postgres:\/\/owner@127\.0\.0\.1:1\/none/);
  assert.doesNotMatch(wrong.err, /secret/);
  assert.match(wrong.err, /can read the password of --store/);
  const newer = "INSERT INTO andon.schema_migration VALUES (999, '0999.sql', 'x', 999, 0)";
  await postgres.query(newer);
  assert.match((await start('--store', postgres.url())).err, /newer Andon/);
});
