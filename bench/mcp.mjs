// The pick of bench/mcp: the same pick as a request and as a tool call, one after the other; then the start of `andon mcp`.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const kProgram = process.env.ANDON_PROGRAM;
const kPicks = Number(process.env.PICKS ?? 400);
const kStarts = 20;
const kMeta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} };

const place = mkdtempSync(join(tmpdir(), 'andon-bench-'));
const server = spawn(kProgram, ['serve', '--data', join(place, 'data'), '--listen', '127.0.0.1:0', '--no-runner'], { stdio: ['ignore', 'pipe', 'ignore'] });
const [line] = await once(createInterface({ input: server.stdout }), 'line');
const url = line.replace('listening on ', '');
const token = readFileSync(join(place, 'data', 'token'), 'utf8').trim();

async function post(path, body, headers = {}) {
  const response = await fetch(`${url}${path}`, {
    method: 'POST', body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', Authorization: `Bearer ${token}`, ...headers },
  });
  return response.json();
}

const kWays = {
  request: async (by) => (await post('/api/v1/pick', { by })).id,
  'tool call': async (by) => {
    const headers = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call', 'Mcp-Name': 'pick_task' };
    const params = { _meta: kMeta, name: 'pick_task', arguments: { by } };
    return (await post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, headers)).result.structuredContent.id;
  },
};

const timed = async (work) => {
  const begun = performance.now();
  const result = await work();
  if (result === undefined) throw new Error('there was no answer');
  return performance.now() - begun;
};
const median = (times) => times.sort((a, b) => a - b)[times.length >> 1];

await post('/api/v1/boards', { name: 'shop' });
for (let made = 0; made < 2 * kPicks; made += 100)
  await post('/api/v1/tasks', Array.from({ length: 100 }, (_, i) => ({ title: `Task ${made + i}`, board: 'shop', status: 'todo' })));
const times = Object.fromEntries(Object.keys(kWays).map((way) => [way, []]));
for (let n = 0; n < kPicks; n++) for (const [way, pick] of Object.entries(kWays)) times[way].push(await timed(() => pick(`${way} ${n}`.replace(' ', '-'))));
const [plain, tool] = Object.values(times).map(median);
server.kill();

execFileSync(kProgram, ['init', '--name', 'Files', '--dir', join(place, 'kanban')], { cwd: place, stdio: 'ignore' });
const call = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_tasks","arguments":{}}}\n';
const starts = [];
for (let n = 0; n < kStarts; n++) starts.push(await timed(() => execFileSync(kProgram, ['mcp', '--dir', join(place, 'kanban')], { input: call })));
rmSync(place, { recursive: true, force: true, maxRetries: 10 });

console.log('| what | p50 ms | ratio |\n| --- | --- | --- |');
console.log(`| pick as a request | ${plain.toFixed(2)} | 1 |`);
console.log(`| pick as a tool call over /mcp | ${tool.toFixed(2)} | ${(tool / plain).toFixed(2)} |`);
console.log(`| \`andon mcp\` on a board of files, from start to its end after one call | ${median(starts).toFixed(1)} | |`);
