import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { ended, moveTo, newTask, openShop } from './support/agents.mjs';
import { openPlace } from './support/place.mjs';
import { startServer } from './support/server.mjs';
import { until } from './support/until.mjs';

// Clients that want much and give nothing: the memory of the server stays within bounds and comes back, and meanwhile
// the owner signs in and an agent keeps its claim. ANDON_FLOOD=3 makes every flood three times as large.

const kDose = Number(process.env.ANDON_FLOOD ?? 1);
const kMost = 64 << 20; // bytes that a flood may cost
const kLarge = 1 << 20; // bytes that are sent of a body
const kTasks = 2000; // a snapshot of them has about a megabyte
const kPerAddress = 200; // connections; the server takes 256 of one address
// Freed memory stays with the sanitizer.
const kIsSanitized = Boolean(process.env.ANDON_SANITIZED);

const kilobytes = (pid, row) => Number(new RegExp(`^${row}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]);
const memory = (server) => kilobytes(server.pid, 'RssAnon') * 1024;

class Flood {
  sockets = [];

  constructor(server, t) {
    this.server = server;
    t.after(() => this.end());
  }

  // Connections of many addresses of this machine, each with `bytes` sent; `keep` reads what comes back.
  async open(count, bytes, { reads = true } = {}) {
    const { port } = new URL(this.server.url);
    for (let n = 0; n < count; ++n) {
      const socket = connect({ port, host: '127.0.0.1', localAddress: `127.0.1.${1 + Math.floor(n / kPerAddress)}` });
      socket.on('error', () => {});
      socket.received = 0;
      if (reads) socket.on('data', (data) => (socket.received += data.length));
      else socket.pause();
      socket.write(bytes);
      this.sockets.push(socket);
      if (n % 50 === 49) await pause(1);
    }
  }

  end() {
    for (const socket of this.sockets) socket.destroy();
  }
}

const request = (server, method, path, headers, body = '') =>
  `${method} /api/v1${path} HTTP/1.1\r\nHost: ${new URL(server.url).host}\r\n${headers.map((header) => `${header}\r\n`).join('')}\r\n${body}`;


async function serverWithClaim(t) {
  const server = await startServer(openPlace(t), { flags: ['--no-runner'] });
  await server.http.post('/boards', { name: 'wide', template: 'flow' });
  for (let first = 0; first < kTasks; first += 1000)
    await server.http.post('/tasks', Array.from({ length: 1000 }, (_, n) => ({ board: 'wide', title: `${first + n} ${'a long title '.repeat(30)}`, status: 'todo' })));
  const { id, epoch } = await server.http.post('/pick', { by: 'admin', boards: ['wide'] });
  const renew = async () => assert.equal((await server.http.ask('POST', `/tasks/${id}/heartbeat`, { epoch })).status, 200);
  return { server, renew };
}

const kFloods = {
  'half of a large body for the sign-in': {
    count: 600,
    bytes: (server) => request(server, 'POST', '/session', ['Content-Type: application/json', 'Content-Length: 2097152'], 'x'.repeat(kLarge)),
  },
  'chunks without end for the sign-in': {
    count: 600,
    bytes: (server) => request(server, 'POST', '/session', ['Content-Type: application/json', 'Transfer-Encoding: chunked'], `80000\r\n${'x'.repeat(0x80000)}\r\n`),
  },
  'a head that does not end': {
    count: 1000,
    bytes: (server) => `GET /api/v1/tasks HTTP/1.1\r\nHost: ${new URL(server.url).host}\r\nX-Long: ${'x'.repeat(8000)}`,
  },
  'idle after a large answer': {
    count: 400,
    bytes: (server) => request(server, 'GET', '/boards/wide/snapshot', [`Authorization: Bearer ${server.token}`]),
  },
  'large answers that nobody reads': {
    count: 400, reads: false,
    bytes: (server) => request(server, 'GET', '/boards/wide/snapshot', [`Authorization: Bearer ${server.token}`]).repeat(2),
  },
};

describe('a flood costs little and is over when it is over', () => {
  for (const [name, { count, bytes, reads }] of Object.entries(kFloods)) {
    test(name, async (t) => {
      const { server, renew } = await serverWithClaim(t);
      const before = memory(server);
      const flood = new Flood(server, t);
      await flood.open(count * kDose, bytes(server), { reads });
      let most = 0;
      for (let n = 0; n < 20; ++n) {
        most = Math.max(most, memory(server));
        if (n % 5 === 0) await renew();
        await pause(100);
      }
      t.diagnostic(`${count * kDose} connections: ${((most - before) >> 10)} kB more`);
      if (!kIsSanitized) assert.ok(most - before <= kMost, `${(most - before) >> 20} MiB more`);
      flood.end();
      await until('the memory is given back', () => kIsSanitized || memory(server) - before <= kMost / 4);
      await renew();
    });
  }
});

test('wrong codes and tokens are slowed down and keep nobody out', async (t) => {
  const { server, renew } = await serverWithClaim(t);
  const ask = (path, init) => fetch(`${server.url}/api/v1${path}`, init);
  const signIn = (code) => ask('/session', { method: 'POST', headers: { 'Content-Type': 'application/json', Origin: server.url }, body: JSON.stringify({ code }) });
  const codes = [];
  for (let n = 0; n < 40 * kDose; ++n) codes.push((await signIn(`andon_c_${n}`)).status);
  assert.deepEqual([...new Set(codes)], [401, 429]);
  const tokens = [];
  for (let n = 0; n < 400 * kDose; ++n) tokens.push((await ask('/boards', { headers: { Authorization: `Bearer andon_t_${n}` } })).status);
  assert.deepEqual([...new Set(tokens)], [401, 429]);
  await renew();
  const link = await server.andon('open');
  const code = /andon_c_\w+/.exec(link)?.[0];
  assert.ok(code, link);
  assert.equal((await signIn(code)).status, 200);
});

test('a long log costs slow readers no more than all connections may hold', async (t) => {
  const server = await startServer(openPlace(t));
  const line = 'x'.repeat(8000);
  await openShop(server, { dev: `cat > /dev/null; yes ${line} | head -n 5500; andon done --result printed` });
  const task = await newTask(server, 'Print much', { assignee: 'dev' });
  await moveTo(server, task, 'todo');
  const run = await ended(server, task);
  const before = memory(server);
  const log = request(server, 'GET', `/runs/${run.id}/log`, [`Authorization: Bearer ${server.token}`]);
  const flood = new Flood(server, t);
  await flood.open(24 * kDose, log, { reads: false });
  let most = 0;
  for (let n = 0; n < 20; ++n) {
    most = Math.max(most, memory(server));
    await pause(100);
  }
  t.diagnostic(`${24 * kDose} readers: ${(most - before) >> 10} kB more`);
  if (!kIsSanitized) assert.ok(most - before <= kMost, `${(most - before) >> 20} MiB more`);
});
