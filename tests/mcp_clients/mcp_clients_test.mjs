// The server before clients that others wrote. The conformance suite runs the scenarios that need no fixtures of its own.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { openPlace } from '../end_to_end/support/place.mjs';
import { cleanEnvironment, kProgram, told } from '../end_to_end/support/program.mjs';
import { startServer } from '../end_to_end/support/server.mjs';
import { until } from '../end_to_end/support/until.mjs';

const kClients = process.env.ANDON_MCP_CLIENTS;
const kFixtureServer = join(dirname(kProgram), 'tests', 'mcp_fixture_server');
const kBin = join(kClients, 'node_modules', '.bin');
const run = promisify(execFile);
const resolve = createRequire(join(kClients, 'index.js')).resolve;
const load = (name) => import(pathToFileURL(resolve(name)).href);

async function openShop(t) {
  const place = openPlace(t);
  const server = await startServer(place);
  await server.http.post('/boards', { name: 'shop' });
  await server.http.post('/tasks', { board: 'shop', title: 'Mend the door', status: 'todo' });
  return { place, server };
}

// The suite can show no token, so this server in between shows it.
async function openProxy(place, { url, token }) {
  const to = new URL(url);
  const proxy = createServer((asked, answer) => {
    const own = `127.0.0.1:${proxy.address().port}`;
    const as = (value) => value?.replace(own, to.host).replace(own.replace('127.0.0.1', 'localhost'), to.host);
    const headers = { ...asked.headers, host: as(asked.headers.host), authorization: `Bearer ${token}` };
    if (headers.origin) headers.origin = as(headers.origin);
    const passed = request({ host: to.hostname, port: to.port, method: asked.method, path: asked.url, headers }, (told) => {
      answer.writeHead(told.statusCode, told.headers);
      told.pipe(answer);
    });
    passed.on('error', () => answer.destroy());
    answer.on('close', () => passed.destroy());
    asked.pipe(passed);
  });
  await new Promise((ready) => proxy.listen(0, '127.0.0.1', ready));
  place.atEnd(() => proxy.close());
  return `http://127.0.0.1:${proxy.address().port}/mcp`;
}

// A server with the tools of the suite, on the same protocol library.
async function openFixtures(place) {
  const child = spawn(kFixtureServer, { stdio: ['pipe', 'pipe', 'inherit'] });
  place.atEnd(() => child.stdin.end());
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  return { url: line, token: 'fixture' };
}

// What the fixture server does not pass, with the reason. Scenarios of extensions are run but never counted.
const kNotOffered = {
  '2025-11-25': {
    'logging-set-level': 'logging is deprecated since 2026-07-28, and the board has a history of its own',
    'tools-call-with-logging': 'the same',
  },
  '2026-07-28': {},
};

for (const [version, notOffered] of Object.entries(kNotOffered))
  test(`conformance ${version}: every requirement, before the tools that the suite asks for`, async (t) => {
    const place = openPlace(t);
    const url = await openProxy(place, await openFixtures(place));
    const args = ['server', '--url', url, '--requirements', version, '-o', place.path('out')];
    const out = await run(join(kBin, 'conformance'), args, { cwd: place.root, timeout: 300_000, maxBuffer: 64 << 20 })
      .then(({ stdout }) => stdout, (error) => error.stdout);
    const summary = out.slice(out.indexOf('=== SUMMARY ==='));
    const [counted, rest = ''] = summary.split('Not scored');
    const notScored = new Set([...rest.matchAll(/^\s+[✓✗] (\S+)/gm)].map(([, name]) => name));
    const rows = [...counted.matchAll(/^([✓✗]) (\S+): \d+ passed, (\d+) failed/gm)].filter(([, , name]) => !notScored.has(name));
    assert.ok(rows.length >= 28, out);
    assert.deepEqual(rows.filter(([, , , failed]) => failed !== '0').map(([, , name]) => name).sort(), Object.keys(notOffered).sort(), out);
  });

const kScenarios = {
  '2025-11-25': ['server-initialize', 'server-session-lifecycle', 'ping', 'tools-list', 'resources-list', 'prompts-list',
    'dns-rebinding-protection', 'server-sse-multiple-streams'],
  '2026-07-28': ['tools-list', 'resources-list', 'prompts-list', 'dns-rebinding-protection', 'caching', 'sep-2164-resource-not-found',
    'http-header-validation', 'server-sse-multiple-streams', 'server-stateless'],
};
// Checks that look for a tool of the suite's own, which a board does not have.
const kNeedFixtures = /test_missing_capability|test_streaming_elicitation|test_logging_tool|test_trigger_\w+/;

for (const [version, scenarios] of Object.entries(kScenarios))
  for (const scenario of scenarios)
    test(`conformance ${version}: ${scenario}`, async (t) => {
      const { place, server } = await openShop(t);
      const url = await openProxy(place, server);
      const args = ['server', '--url', url, '--scenario', scenario, '--spec-version', version];
      const out = await run(join(kBin, 'conformance'), args, { cwd: place.root, timeout: 120_000, maxBuffer: 64 << 20 })
        .then(({ stdout }) => stdout, (error) => error.stdout);
      const counts = /Passed: \d+\/\d+, (\d+) failed/.exec(out);
      assert.ok(counts, out);
      const errors = [...out.matchAll(/^\s+Error: (.*)$/gm)].map(([, text]) => text);
      assert.deepEqual(errors.filter((text) => !kNeedFixtures.test(text)), [], out);
      assert.ok(Number(counts[1]) <= errors.length, out);
    });

// What a client does with a board: it lists, reads, works and finishes.
async function work(client) {
  const { tools } = await client.listTools();
  assert.ok(tools.some(({ name }) => name === 'pick_task'));
  const picked = await client.callTool({ name: 'pick_task', arguments: {} });
  assert.equal(picked.structuredContent.title, 'Mend the door');
  const id = String(picked.structuredContent.id);
  const done = await client.callTool({ name: 'complete_task', arguments: { id, result: 'mended' } });
  assert.ok(['done', 'review'].includes(done.structuredContent.stage));
  assert.equal((await client.callTool({ name: 'get_task', arguments: { id: '99' } })).isError, true);
  const { resources } = await client.listResources();
  const read = await client.readResource({ uri: resources[0].uri });
  assert.equal(read.contents[0].mimeType, 'application/json');
  const { prompts } = await client.listPrompts();
  assert.ok(prompts.some(({ name }) => name === 'daily-standup'));
  const prompt = await client.getPrompt({ name: 'review-task', arguments: { id } });
  assert.equal(prompt.messages.length, 2);
  const completed = await client.complete({ ref: { type: 'ref/prompt', name: 'plan-work' }, argument: { name: 'board', value: '' } });
  assert.equal(completed.completion.values.length, 1);
  await client.close();
}

const kInfo = { name: 'test', version: '1' };
const asCaller = ({ token }) => ({ requestInit: { headers: { Authorization: `Bearer ${token}` } } });

test('the TypeScript SDK v1 works over HTTP', async (t) => {
  const { server } = await openShop(t);
  const { Client } = await load('@modelcontextprotocol/sdk/client/index.js');
  const { StreamableHTTPClientTransport } = await load('@modelcontextprotocol/sdk/client/streamableHttp.js');
  const client = new Client(kInfo);
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), asCaller(server)));
  await work(client);
});

test('the TypeScript SDK v1 works over standard input on a board of files', async (t) => {
  const place = openPlace(t);
  await told(place, ['init', '--name', 'Files', '--dir', place.path('kanban')]);
  await told(place, ['--dir', place.path('kanban'), 'create', 'Mend the door', '--status', 'todo']);
  const { Client } = await load('@modelcontextprotocol/sdk/client/index.js');
  const { StdioClientTransport } = await load('@modelcontextprotocol/sdk/client/stdio.js');
  const client = new Client(kInfo);
  await client.connect(new StdioClientTransport({ command: kProgram, args: ['mcp', '--dir', place.path('kanban')], cwd: place.root, env: cleanEnvironment(place, {}) }));
  await work(client);
});

for (const mode of ['legacy', 'auto', { pin: '2026-07-28' }])
  test(`the TypeScript SDK v2 works over HTTP, version ${JSON.stringify(mode)}`, async (t) => {
    const { server } = await openShop(t);
    const { Client, StreamableHTTPClientTransport } = await load('@modelcontextprotocol/client');
    const client = new Client(kInfo, { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), asCaller(server)));
    await work(client);
  });

const kWait = { name: 'pick_task', arguments: { wait: '60s', tags: ['never'] } };
const kUri = 'andon://tasks/1';

test('the TypeScript SDK v1 is told of changes and progress, and cancels a wait', async (t) => {
  const { server } = await openShop(t);
  const { Client } = await load('@modelcontextprotocol/sdk/client/index.js');
  const { StreamableHTTPClientTransport } = await load('@modelcontextprotocol/sdk/client/streamableHttp.js');
  const { ResourceUpdatedNotificationSchema, ResourceListChangedNotificationSchema } = await load('@modelcontextprotocol/sdk/types.js');
  const client = new Client(kInfo);
  const told = [];
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => told.push(params.uri));
  client.setNotificationHandler(ResourceListChangedNotificationSchema, () => told.push('list'));
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), asCaller(server)));
  await client.subscribeResource({ uri: kUri });
  await until('it is told', async () => {
    await server.http.post('/tasks/1/note', { text: 'half way' });
    return told.includes(kUri);
  });
  await server.http.post('/boards', { name: 'garden' });
  await until('the list is told', () => told.includes('list'));
  const abort = new AbortController();
  const steps = [];
  const waiting = client.callTool(kWait, undefined, { signal: abort.signal, onprogress: (step) => steps.push(step) });
  await until('it tells its progress', () => steps.length > 0);
  assert.equal(steps[0].total, 60);
  abort.abort('enough');
  await assert.rejects(waiting, /enough/);
  await client.close();
});

test('the TypeScript SDK v2 listens, is told of progress, and cancels a wait', async (t) => {
  const { server } = await openShop(t);
  const { Client, StreamableHTTPClientTransport } = await load('@modelcontextprotocol/client');
  const client = new Client(kInfo, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  const told = [];
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => void told.push(params.uri));
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), asCaller(server)));
  const subscription = await client.listen({ resourceSubscriptions: [kUri], toolsListChanged: true });
  assert.deepEqual(subscription.honoredFilter, { resourceSubscriptions: [kUri] });
  await server.http.post('/tasks/1/note', { text: 'half way' });
  await until('it is told', () => told.includes(kUri));
  const abort = new AbortController();
  const steps = [];
  const waiting = client.callTool(kWait, { signal: abort.signal, onprogress: (step) => steps.push(step) });
  await until('it tells its progress', () => steps.length > 0);
  abort.abort(new Error('enough'));
  await assert.rejects(waiting, /enough/);
  await subscription.close();
  assert.equal((await client.callTool({ name: 'get_task', arguments: { id: '1' } })).structuredContent.claimed_by, undefined);
  await client.close();
});

test('the Inspector lists and calls tools, and finds no fault in their schemas', async (t) => {
  const { server } = await openShop(t);
  const ask = async (...args) => {
    const { stdout } = await run(join(kBin, 'mcp-inspector'),
      ['--cli', `${server.url}/mcp`, '--transport', 'http', '--header', `Authorization: Bearer ${server.token}`, ...args],
      { timeout: 120_000, maxBuffer: 64 << 20 });
    return JSON.parse(stdout);
  };
  const { tools } = await ask('--method', 'tools/list');
  assert.ok(tools.length > 20);
  const { structuredContent } = await ask('--method', 'tools/call', '--tool-name', 'get_task', '--tool-arg', 'id=1');
  assert.equal(structuredContent.title, 'Mend the door');
});
