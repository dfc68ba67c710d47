import assert from 'node:assert/strict';
import { request } from 'node:http';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { openPlace } from './support/place.mjs';
import { startServer } from './support/server.mjs';

const kJson = { 'Content-Type': 'application/json' };
const kMiB = 1024 * 1024;
const nested = (depth) => '['.repeat(depth) + ']'.repeat(depth);

// One request as it is given, and the answer with its body as text.
function send(server, { method = 'GET', path, headers = {}, body, token = server.token }) {
  const { hostname, port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    const asked = request({ hostname, port, method, path, headers: { ...(token && { Authorization: `Bearer ${token}` }), ...headers } });
    asked.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part) => (text += part)).on('end', () => resolve({ status: response.statusCode, headers: response.headers, text }));
    });
    asked.on('error', reject);
    asked.end(body);
  });
}

// Bytes that no client library would send.
function sendRaw(server, bytes) {
  const { hostname, port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) });
    let text = '';
    socket.setEncoding('utf8').on('data', (part) => (text += part)).on('end', () => socket.end()).on('error', reject);
    socket.on('close', () => resolve(text));
    socket.write(bytes);
  });
}

const post = (path, value, more = {}) => ({ method: 'POST', path: `/api/v1${path}`, body: typeof value === 'string' || Buffer.isBuffer(value) ? value : JSON.stringify(value), ...more, headers: { ...kJson, ...more.headers } });
const patch = (path, value, more = {}) => ({ ...post(path, value, more), method: 'PATCH' });
const get = (path, more = {}) => ({ path: `/api/v1${path}`, ...more });
const move = (id, status, more = {}) => post(`/tasks/${id}/move`, { status, ...more });

// Tasks 1 to 6 as `prepare` makes them.
const kRefusals = [
  ['text that is no JSON', post('/tasks', '{"board":'), 400, 'MALFORMED'],
  ['a key twice', post('/tasks', '{"board":"shop","title":"a","title":"b"}'), 400, 'MALFORMED'],
  ['bytes that are no UTF-8', post('/tasks', Buffer.from('{"board":"shop","title":"\xff"}', 'latin1')), 400, 'MALFORMED'],
  ['a value nested too deep', post('/tasks', nested(5000)), 400, 'MALFORMED'],
  ['text after the value', post('/tasks', '{"board":"shop","title":"a"} x'), 400, 'MALFORMED'],
  ['a bad If-Match', patch('/tasks/1', { title: 'x' }, { headers: { 'If-Match': 'seven' } }), 400, 'MALFORMED'],
  ['no token', get('/boards', { token: '' }), 401, 'UNAUTHENTICATED'],
  ['a wrong token', get('/boards', { token: 'andon_a_0000' }), 401, 'UNAUTHENTICATED'],
  ['no token on a route that is not there', get('/nothing', { token: '' }), 401, 'UNAUTHENTICATED'],
  ['no token for a change', post('/tasks', { board: 'shop', title: 'x' }, { token: '' }), 401, 'UNAUTHENTICATED'],
  ['a foreign Origin', post('/tasks', { board: 'shop', title: 'x' }, { headers: { Origin: 'http://evil.example' } }), 403, 'FOREIGN_ORIGIN'],
  ['a foreign Host', get('/boards', { headers: { Host: 'evil.example' } }), 403, 'FOREIGN_ORIGIN'],
  ['a wrong sign-in code', post('/session', { code: 'andon_c_wrong' }, { token: '' }), 401, 'UNAUTHENTICATED'],
  ['an unknown route', get('/nothing'), 404, 'NOT_FOUND'],
  ['an unknown verb', post('/tasks/1/explode', {}), 404, 'NOT_FOUND'],
  ['an unknown task', get('/tasks/999'), 404, 'TASK_NOT_FOUND'],
  ['an unknown board', get('/boards/nowhere'), 404, 'BOARD_NOT_FOUND'],
  ['an unknown worker', get('/workers/nobody'), 404, 'WORKER_NOT_FOUND'],
  ['an unknown run', get('/runs/999'), 404, 'RUN_NOT_FOUND'],
  ['a wrong method', { method: 'PUT', path: '/api/v1/tasks/1', body: '{}', headers: kJson }, 405, 'METHOD_NOT_ALLOWED'],
  ['a claim of somebody else', post('/tasks/2/claim', { by: 'agent-2' }), 409, 'TASK_CLAIMED'],
  ['an edit of what somebody holds', patch('/tasks/2', { title: 'x' }), 409, 'TASK_CLAIMED'],
  ['an old epoch', post('/tasks/2/complete', { epoch: 99 }), 409, 'STALE_CLAIM'],
  ['a full column', move(4, 'in_progress'), 409, 'WIP_LIMIT_EXCEEDED'],
  ['a transition the board does not know', move(5, 'completed'), 409, 'ILLEGAL_TRANSITION'],
  ['a claim with an open dependency', post('/tasks/6/claim', { by: 'agent-3' }), 409, 'DEPENDENCY_OPEN'],
  ['a column that wants a claim', move(7, 'in-progress'), 409, 'CLAIM_REQUIRED'],
  ['a board that is there already', post('/boards', { name: 'shop' }), 409, 'BOARD_ALREADY_EXISTS'],
  ['a worker that is there already', post('/workers', { name: 'ann', agent: 'generic' }), 409, 'WORKER_ALREADY_EXISTS'],
  ['a revision of the past', patch('/tasks/1', { title: 'x' }, { headers: { 'If-Match': '"999"' } }), 412, 'REV_MISMATCH'],
  ['a body that is too large', post('/tasks', JSON.stringify({ board: 'shop', title: 'x', body: 'x'.repeat(3 * kMiB) })), 413, 'TOO_LARGE'],
  ['a path that is too long', get(`/tasks?q=${'x'.repeat(20_000)}`), 414, 'URI_TOO_LONG'],
  ['a header that is too large', get('/boards', { headers: { 'X-Long': 'x'.repeat(40_000) } }), 431, 'HEAD_TOO_LARGE'],
  ['a form instead of JSON', post('/tasks', 'title=x', { headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }), 415, 'UNSUPPORTED_MEDIA'],
  ['an unknown field', post('/tasks', { board: 'shop', title: 'x', colour: 'red' }), 422, 'UNKNOWN_FIELD', 'colour'],
  ['an unknown parameter', get('/tasks?colour=red'), 422, 'UNKNOWN_FIELD', 'colour'],
  ['a value of the wrong type', post('/tasks', { board: 'shop', title: 7 }), 422, 'INVALID_INPUT', 'title'],
  ['no title', post('/tasks', { board: 'shop' }), 422, 'INVALID_INPUT', 'title'],
  ['an empty title', post('/tasks', { board: 'shop', title: '' }), 422, 'INVALID_INPUT', 'title'],
  ['a title that is too long', post('/tasks', { board: 'shop', title: 'x'.repeat(501) }), 422, 'INVALID_INPUT', 'title'],
  ['an unknown status', move(1, 'nowhere'), 422, 'INVALID_STATUS', 'status'],
  ['an unknown priority', post('/tasks', { board: 'shop', title: 'x', priority: 'urgent' }), 422, 'INVALID_PRIORITY', 'priority'],
  ['an unknown class', post('/tasks', { board: 'shop', title: 'x', class: 'vip' }), 422, 'INVALID_CLASS', 'class'],
  ['a date that is none', post('/tasks', { board: 'shop', title: 'x', due: '2026-02-30' }), 422, 'INVALID_DATE', 'due'],
  ['a cycle', patch('/tasks/1', { depends_on: [6] }), 422, 'DEPENDENCY_CYCLE', 'depends_on'],
  ['a task that waits for itself', patch('/tasks/1', { depends_on: [1] }), 422, 'SELF_REFERENCE', 'depends_on'],
  ['a dependency that is not there', post('/tasks', { board: 'shop', title: 'x', depends_on: [999] }), 422, 'DEPENDENCY_NOT_FOUND', 'depends_on'],
  ['an id that is no number', get('/tasks/abc'), 404, 'TASK_NOT_FOUND'],
  ['a heartbeat without its epoch', post('/tasks/2/heartbeat', {}), 422, 'INVALID_INPUT', 'epoch'],
  ['one bad task among good ones', post('/tasks', [{ board: 'shop', title: 'good' }, { board: 'shop', title: '' }]), 422, 'INVALID_INPUT'],
  ['too many tasks at once', post('/tasks', Array.from({ length: 1001 }, () => ({ board: 'shop', title: 'x' }))), 422, 'INVALID_INPUT'],
  ['a wait that is too long', post('/pick', { by: 'agent-4', wait: 3600 }), 422, 'INVALID_INPUT', 'wait'],
];

async function prepare({ http }) {
  await http.post('/boards', { name: 'shop', columns: [
    { name: 'backlog' }, { name: 'todo', stage: 'ready' }, { name: 'in_progress', stage: 'active', wip_limit: 1 }, { name: 'done', stage: 'done' },
  ] });
  await http.post('/boards', { name: 'strict', template: 'queue' });
  await http.post('/boards', { name: 'flow', template: 'flow' });
  await http.post('/workers', { name: 'ann', agent: 'generic' });
  for (const fields of [{}, {}, { status: 'in_progress' }, {}, { board: 'strict' }, { depends_on: [1], status: 'todo' }, { board: 'flow' }])
    await http.post('/tasks', { board: 'shop', title: 'A task', ...fields });
  await http.post('/tasks/2/claim', { by: 'agent-1' });
}

describe('a bad request', () => {
  let server;
  let seq;
  const endings = [];
  before(async () => {
    server = await startServer(openPlace({ after: (end) => endings.push(end) }), { flags: ['--no-runner'] });
    await prepare(server);
    seq = (await server.http.events()).at(-1).seq;
  });
  after(async () => {
    for (const end of endings) await end();
  });

  for (const [what, asked, status, code, field] of kRefusals) {
    test(`with ${what} is refused with ${status}`, async () => {
      const answer = await send(server, asked);
      assert.equal(answer.status, status, answer.text);
      assert.match(answer.headers['content-type'], /^application\/json/);
      const refusal = JSON.parse(answer.text);
      assert.equal(refusal.code, code, answer.text);
      assert.ok(refusal.error.length > 5 && refusal.request_id, answer.text);
      if (field) assert.equal(refusal.field, field, answer.text);
      if (status === 401) assert.match(answer.headers['www-authenticate'] ?? '', /Bearer/);
      if (status === 405) assert.match(answer.headers.allow, /GET.*PATCH|PATCH.*GET/);
      assert.equal((await server.http.events()).at(-1).seq, seq, 'a refusal leaves no trace');
    });
  }

  test('of two lengths or none is refused while it is read', async () => {
    const head = `Host: ${new URL(server.url).host}\r\nAuthorization: Bearer ${server.token}\r\n`;
    for (const bytes of [
      'NONSENSE\r\n\r\n',
      `POST /api/v1/tasks HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n{}`,
      `POST /api/v1/tasks HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}`,
      `GET /api/v1/boards HTTP/1.1\r\nAuthorization: Bearer ${server.token}\r\n\r\n`,
    ]) assert.match(await sendRaw(server, bytes), /^HTTP\/1\.1 40[03] /, bytes);
    assert.equal((await server.http.events()).at(-1).seq, seq);
  });

  test('nothing to pick is no refusal', async () => {
    const answer = await send(server, post('/pick', { by: 'agent-5', boards: ['strict'] }));
    assert.equal(answer.status, 204);
    assert.equal(answer.text, '');
  });

  test('a key used again with another body is refused, with the same body repeated', async () => {
    const headers = { 'Idempotency-Key': 'once' };
    const first = await send(server, post('/tasks', { board: 'strict', title: 'Once' }, { headers }));
    assert.equal(first.status, 201, first.text);
    assert.match(first.headers.location, /\/tasks\/\d+$/);
    const again = await send(server, post('/tasks', { board: 'strict', title: 'Once' }, { headers }));
    assert.deepEqual([again.status, again.text], [201, first.text]);
    const other = await send(server, post('/tasks', { board: 'strict', title: 'Twice' }, { headers }));
    assert.equal(other.status, 422, other.text);
    assert.equal((await server.http.get('/tasks?board=strict')).items.filter((task) => task.title === 'Once').length, 1);
  });
});
