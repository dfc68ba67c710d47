// What the server says to an MCP client beside its answers: changes, progress; and what a client takes back.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getStream, kSubscription, legacy, modern, modernHeaders, openSession, openStdio, post, postStream } from './support/mcp.mjs';
import { openPlace } from './support/place.mjs';
import { told } from './support/program.mjs';
import { startServer } from './support/server.mjs';
import { until } from './support/until.mjs';

async function openBoard(t) {
  const place = openPlace(t);
  const server = await startServer(place);
  await server.http.post('/boards', { name: 'shop' });
  const task = await server.http.post('/tasks', { board: 'shop', title: 'Mend the door' });
  return { place, server, task, uri: `andon://tasks/${task.id}` };
}

const kWait = { wait: '60s', status: ['todo'] };
const updates = (stream) => stream.messages.filter(({ method }) => method === 'notifications/resources/updated').map(({ params }) => params.uri);
const listen = ({ url, token }, notifications, id = 'l1') =>
  postStream(url, token, modern('subscriptions/listen', { notifications }, id), modernHeaders('subscriptions/listen'));
const callTool = ({ url, token }, name, args, meta = {}, id = 7) =>
  postStream(url, token, modern('tools/call', { name, arguments: args, _meta: meta }, id), modernHeaders('tools/call', name));
const touch = (server, task) => server.http.post(`/tasks/${task.id}/note`, { text: 'half way' });

test('a client is told of what it asked for and of nothing else', async (t) => {
  const { server, task, uri } = await openBoard(t);
  const other = await server.http.post('/tasks', { board: 'shop', title: 'Another one' });
  const stream = await listen(server, { resourceSubscriptions: [uri], toolsListChanged: true, resourcesListChanged: true });
  const first = await stream.next('it is acknowledged');
  assert.equal(stream.messages[0].method, 'notifications/subscriptions/acknowledged');
  assert.deepEqual(first.params.notifications, { resourcesListChanged: true, resourceSubscriptions: [uri] }, 'tools never change, so they are not promised');
  await touch(server, other);
  await touch(server, task);
  await stream.next('the task is told', ({ method }) => method === 'notifications/resources/updated');
  assert.deepEqual(updates(stream), [uri]);
  await server.http.post('/boards', { name: 'garden' });
  await stream.next('the list is told', ({ method }) => method === 'notifications/resources/list_changed');
  assert.ok(stream.messages.every(({ params }) => params._meta[kSubscription] === 'l1'));

  const quiet = await listen(server, {}, 'l2');
  await quiet.next('it is acknowledged');
  await touch(server, task);
  await until('the first is told', () => updates(stream).length === 2);
  assert.equal(quiet.messages.length, 1);
});

test('a board and a run are watched too, and what changes together is told once', async (t) => {
  const { server, task } = await openBoard(t);
  const stream = await listen(server, { resourceSubscriptions: ['andon://boards/shop', 'andon://boards/none', 'nonsense'] });
  await stream.next('it is acknowledged');
  await Promise.all(Array.from({ length: 40 }, () => touch(server, task)));
  await until('it is told', () => updates(stream).length > 0);
  assert.ok(updates(stream).length < 40, `${updates(stream).length} for 40 changes`);
  assert.deepEqual([...new Set(updates(stream))], ['andon://boards/shop']);
});

test('a subscription says more than one can keep is changed', async (t) => {
  const { server, task, uri } = await openBoard(t);
  const headers = await openSession(server.url, server.token);
  await post(server.url, server.token, legacy('resources/subscribe', { uri }), headers);
  const begin = (await server.http.events()).at(-1).seq;
  for (let i = 0; i < 3; ++i) await server.http.post('/tasks', Array.from({ length: 100 }, (_, n) => ({ board: 'shop', title: `T${i}.${n}` })));
  const stream = await getStream(server.url, server.token, { ...headers, 'Last-Event-ID': `@${begin}` });
  await until('all counts as changed', () => updates(stream).length > 0);
  assert.deepEqual(updates(stream), [uri], 'not one notification a change');
  await touch(server, task);
  await until('it goes on at the end', () => updates(stream).length === 2);
});

test('a session has one stream, which goes on where it broke', async (t) => {
  const { server, task, uri } = await openBoard(t);
  const { url, token } = server;
  const headers = await openSession(url, token);
  assert.equal((await post(url, token, legacy('resources/subscribe', { uri }), headers)).status, 200);
  const first = await getStream(url, token, headers);
  await touch(server, task);
  await until('it is told', () => updates(first).length === 1);
  first.close();
  await touch(server, task);
  const second = await getStream(url, token, { ...headers, 'Last-Event-ID': first.ids.at(-1) });
  await until('what was missed is told', () => updates(second).length === 1);

  const third = await getStream(url, token, headers);
  await until('the older one ends', () => second.ended);
  await post(url, token, legacy('resources/unsubscribe', { uri }), headers);
  await touch(server, task);
  await server.http.post('/boards', { name: 'garden' });
  await third.next('the list is told', ({ method }) => method === 'notifications/resources/list_changed');
  assert.deepEqual(updates(third), []);

  const eve = (await told(server.place, ['--dir', server.data, 'token', 'create', 'eve', '--json'])).token;
  assert.equal((await getStream(url, eve, headers)).status, 404, 'a session is good for its credential alone');
  assert.equal((await getStream(url, token)).status, 405, 'no stream without a session');
  await fetch(`${url}/mcp`, { method: 'DELETE', headers: { Authorization: `Bearer ${token}`, ...headers } });
  await until('the stream ends with the session', () => third.ended);
});

test('a pick waits, tells how long, and takes what comes', async (t) => {
  const { server, task } = await openBoard(t);
  const stream = await callTool(server, 'pick_task', kWait, { progressToken: 'p1' });
  const progress = await stream.next('it tells its progress');
  assert.deepEqual([progress.method, progress.params.progressToken, progress.params.total], ['notifications/progress', 'p1', 60]);
  await server.http.post(`/tasks/${task.id}/move`, { status: 'todo' });
  const answer = await stream.next('it answers', ({ id }) => id === 7);
  assert.equal(answer.result.structuredContent.id, task.id);
  await until('the stream ends with the answer', () => stream.ended);

  const plain = await callTool(server, 'pick_task', { ...kWait, wait: '1s' });
  assert.equal(plain.type, 'application/json', 'nothing to say, so one JSON text');
  assert.equal(JSON.parse(plain.body).result.isError, true);
});

test('a client that hangs up gives up its wait, and keeps no task', async (t) => {
  const { server, task } = await openBoard(t);
  const stream = await callTool(server, 'pick_task', kWait, { progressToken: 1 });
  await stream.next('it waits');
  stream.close();
  await server.http.post(`/tasks/${task.id}/move`, { status: 'todo' });
  await until('the task is there for others', async () => {
    const other = await callTool(server, 'pick_task', { status: ['todo'] });
    return JSON.parse(other.body).result.structuredContent?.id === task.id;
  });
});

test('in the older form a client comes back to an answer whose connection broke, or cancels it', async (t) => {
  const { server, task } = await openBoard(t);
  const { url, token } = server;
  const headers = await openSession(url, token);
  const asked = legacy('tools/call', { name: 'pick_task', arguments: kWait, _meta: { progressToken: 3 } }, 'pick');
  const broken = await postStream(url, token, asked, headers);
  await broken.next('it waits');
  broken.close();
  await server.http.post(`/tasks/${task.id}/move`, { status: 'todo' });
  const back = await getStream(url, token, { ...headers, 'Last-Event-ID': broken.ids[0] });
  const answer = await back.next('the answer', ({ id }) => id === 'pick');
  assert.equal(answer.result.structuredContent.id, task.id, 'a broken connection cancels nothing');
  await until('the stream ends with it', () => back.ended);
  const again = await getStream(url, token, { ...headers, 'Last-Event-ID': broken.ids[0] });
  assert.equal((await again.next('the same answer', ({ id }) => id === 'pick')).result.structuredContent.id, task.id);
  assert.equal((await getStream(url, token, { ...headers, 'Last-Event-ID': 's999.1' })).status, 400);
  const stranger = await openSession(url, token);
  assert.equal((await getStream(url, token, { ...stranger, 'Last-Event-ID': broken.ids[0] })).status, 400);

  const cancelled = await postStream(url, token, { ...asked, id: 'other' }, headers);
  await cancelled.next('it waits');
  const notice = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'other' } };
  assert.equal((await post(url, token, notice, stranger)).status, 202);
  assert.equal((await post(url, token, notice, headers)).status, 202);
  await until('it ends', () => cancelled.ended);
  assert.equal(cancelled.messages.at(-1).result.isError, true, 'and no task is kept');
});

test('a stream ends with its credential, with the server, and beyond its number', async (t) => {
  const { place, server, uri } = await openBoard(t);
  const made = await told(place, ['--dir', server.data, 'token', 'create', 'bob', '--json']);
  const bob = { url: server.url, token: made.token };
  const stream = await listen(bob, { resourceSubscriptions: [uri] });
  await stream.next('it is acknowledged');
  await told(place, ['--dir', server.data, 'token', 'revoke', String(made.id)]);
  await until('it ends', () => stream.ended);

  const open = [];
  // A busy server may refuse one for a moment.
  for (let i = 0; i < 64; ++i) {
    open.push(await until(`stream ${i} opens`, async () => {
      const one = await listen(server, {}, `n${i}`);
      return one.next && one;
    }));
  }
  await Promise.all(open.map((one) => one.next('it is acknowledged')));
  const beyond = await listen(server, {}, 'beyond');
  assert.equal(beyond.status, 429);
  const answered = await callTool(server, 'pick_task', { ...kWait, wait: '3s' }, { progressToken: 1 });
  assert.equal(JSON.parse(answered.body).id, 7, 'without room for a stream the answer still comes');
  open[0].close();
  await until('there is room again', async () => (await listen(server, {}, 'again')).status === 200);
  await server.end();
  await until('all end', () => open.slice(1).every(({ ended }) => ended));
  assert.deepEqual(open[1].messages.at(-1), { jsonrpc: '2.0', id: 'n1', result: { _meta: { [kSubscription]: 'n1' }, resultType: 'complete' } });
});

test('of many requests at once no more get a stream than one credential may have, and every call its result', async (t) => {
  const { server } = await openBoard(t);
  const picks = await Promise.all(Array.from({ length: 90 }, (_, n) =>
    callTool(server, 'pick_task', { ...kWait, wait: '5s' }, { progressToken: n }, n + 1)));
  const streams = picks.filter(({ type }) => type === 'text/event-stream');
  assert.ok(streams.length <= 64, `${streams.length} streams`);
  await until('all streams end', () => streams.every(({ ended }) => ended));
  const results = picks.map((pick) => (pick.body ? JSON.parse(pick.body) : pick.messages.at(-1)));
  assert.deepEqual(results.map(({ id }) => id), picks.map((_, n) => n + 1));

  const subscriptions = await Promise.all(Array.from({ length: 90 }, (_, n) => listen(server, {}, `s${n}`)));
  const statuses = subscriptions.map(({ status }) => status);
  assert.deepEqual([...new Set(statuses)].sort(), [200, 429], JSON.stringify(statuses));
  assert.ok(statuses.filter((status) => status === 200).length <= 64);
});

test('wrong requests for changes and progress are refused by name', async (t) => {
  const { server, task, uri } = await openBoard(t);
  const stream = await listen(server, { resourceSubscriptions: Array.from({ length: 250 }, (_, n) => `andon://tasks/${n + 1}`) });
  await stream.next('it is acknowledged');
  const wrong = [
    [{ resourceSubscriptions: 7 }, -32602],
    [{ resourceSubscriptions: [7] }, -32602],
    [{ resourceSubscriptions: Array.from({ length: 300 }, (_, n) => `andon://tasks/${n}`) }, -32602],
  ];
  for (const [notifications, code] of wrong) assert.equal(JSON.parse((await listen(server, notifications)).body).error.code, code);
  const headers = await openSession(server.url, server.token);
  for (const params of [{}, { uri: 7 }]) assert.equal((await post(server.url, server.token, legacy('resources/subscribe', params), headers)).body.error.code, -32602);
  assert.equal((await post(server.url, server.token, legacy('resources/subscribe', { uri }))).body.error.code, -32600, 'only a session can watch');
  assert.equal((await callTool(server, 'get_task', { id: String(task.id) }, { progressToken: {} })).status, 400);
});

test('over standard input changes, progress and cancelling work as well', async (t) => {
  const place = openPlace(t);
  const board = ['--dir', place.path('kanban')];
  await told(place, ['init', '--name', 'Files', ...board]);
  await told(place, [...board, 'create', 'Mend the door']);
  const { ask, say, told: notices, child } = openStdio(place, board);
  const hello = await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } });
  assert.deepEqual(hello.result.capabilities.resources, { subscribe: true });
  await ask('resources/subscribe', { uri: 'andon://tasks/1' });
  await told(place, [...board, 'edit', '1', '--title', 'Mend the gate']);
  await until('it is told', () => notices.some(({ params }) => params.uri === 'andon://tasks/1'));

  const waits = ask('tools/call', { name: 'pick_task', arguments: kWait, _meta: { progressToken: 'p' } });
  await until('it tells its progress', () => notices.some(({ method }) => method === 'notifications/progress'));
  await told(place, [...board, 'move', '1', 'todo']);
  assert.equal((await waits).result.structuredContent.id, 1);

  void ask('tools/call', { name: 'pick_task', arguments: kWait });
  say({ method: 'notifications/cancelled', params: { requestId: 4 } });
  assert.ok((await ask('ping')).result, 'the wait is over');

  say({ id: 'l', ...modern('subscriptions/listen', { notifications: { resourceSubscriptions: ['andon://tasks/1'] } }, 'l') });
  await until('it is acknowledged', () => notices.some(({ params }) => params._meta?.[kSubscription] === 'l'));
  await told(place, [...board, 'edit', '1', '--title', 'Mend the fence', '--force']);
  await until('it is told', () => notices.some(({ method, params }) => method === 'notifications/resources/updated' && params._meta?.[kSubscription] === 'l'));
  child.stdin.end();
  await until('it ends with its input', () => child.exitCode === 0);
});
