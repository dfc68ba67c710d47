// The reads of bench/size: starts a server on each database, asks each read once to warm up and then ROUNDS times, one after the
// other on one connection, and prints a row for each: p50 and p95 in milliseconds by size, and the ratio of the p50s.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { loadavg } from 'node:os';
import { createInterface } from 'node:readline';

const [boards, ...sizes] = process.argv.slice(2);
const kRounds = Number(process.env.ROUNDS ?? 15);
const kOrders = ['id', 'title', 'status', 'priority', 'created', 'updated', 'due', 'pick'];
const kGroups = ['assignee', 'tag', 'class', 'priority', 'status', 'role', 'parent'];
const b = 'board=big';

// name, path, goal in ms
const kReads = [
  ...kOrders.map((order) => [`list by ${order}`, `/tasks?${b}&limit=50&sort=${order}`, 20]),
  ...kOrders.map((order) => [`list by ${order}, reversed`, `/tasks?${b}&limit=50&sort=${order}&reverse=true`, 20]),
  ['list of 500', `/tasks?${b}&limit=500`, 20],
  ...['updated', 'title', 'pick', 'priority'].map((order) => [`list of todo by ${order}`, `/tasks?${b}&limit=50&status=todo&sort=${order}`, 20]),
  ['list of a tag', `/tasks?${b}&limit=50&tag=tag3`, 20],
  ['list of a rare tag by title', `/tasks?${b}&limit=50&tag=tag49&sort=title`, 20],
  ['list of a tag without hits', `/tasks?${b}&limit=50&tag=none`, 20],
  ['list of a tag without hits by title', `/tasks?${b}&limit=50&tag=none&sort=title`, 20],
  ['list of an assignee by updated', `/tasks?${b}&limit=50&assignee=person9&sort=updated`, 20],
  ['list of a role', `/tasks?${b}&limit=50&role=qa`, 20],
  ['list of a class by pick', `/tasks?${b}&limit=50&class=fixed-date&sort=pick`, 20],
  ['list of a priority', `/tasks?${b}&limit=50&priority=critical`, 20],
  ['list of what is blocked', `/tasks?${b}&limit=50&blocked=true`, 20],
  ['list of what is claimed by somebody', `/tasks?${b}&limit=50&claimed_by=person0`, 20],
  ['list of what nobody claims', `/tasks?${b}&limit=50&unclaimed=true&sort=pick`, 20],
  ['list of a parent', `/tasks?${b}&limit=50&parent=1201`, 20],
  ['list with q=, a common word', `/tasks?${b}&limit=50&q=lo`, 20],
  ['list with q=, no hits', `/tasks?${b}&limit=50&q=zzzz`, 20],
  ['snapshot', `/boards/big/snapshot`, 60],
  ['snapshot, 50 of a column', `/boards/big/snapshot?column_max=50`, 20],
  ['summary', `/boards/big/summary`, 20],
  ...kGroups.map((group) => [`summary by ${group}`, `/boards/big/summary?group_by=${group}`, 20]),
  ['dispatch status', '/dispatch', 20],
  ['search for a common word', '/search?q=the', 50],
  ['search for two common words', '/search?q=the+kalo', 50],
  ['search for a common and a rare word', '/search?q=the+loqualosun', 50],
  ['search for a rare word', '/search?q=loqualosun', 50],
  ['search for words without another', '/search?q=loqualosun+-the', 50],
  ['search by conditions', '/search?q=status:todo+tag:tag3', 50],
  ['metrics, 30 days', `/metrics/flow?${b}`, 200],
  ['metrics, 400 days', `/metrics/flow?${b}&days=400`, 500],
  ['forecast', `/metrics/forecast?${b}`, 200],
  ['forecast, 365 days of history', `/metrics/forecast?${b}&days=365`, 200],
  ['forecast of 100,000 tasks', `/metrics/forecast?${b}&tasks=100000`, 200],
  ['events', '/events?limit=50', 20],
  ['events of a kind, newest', '/events?kind=task.accepted&newest=true&limit=50', 20],
  ['events of a kind without hits', '/events?kind=task.killed&limit=50', 20],
  ['tokens', '/tokens', 20],
];

async function serve(data) {
  const server = spawn(process.env.ANDON_PROGRAM, ['serve', '--data', data, '--listen', '127.0.0.1:0', '--no-runner'], {
    stdio: ['ignore', 'pipe', process.env.VERBOSE ? 'inherit' : 'ignore'],
  });
  const begun = Date.now();
  for await (const line of createInterface({ input: server.stdout })) {
    const port = /^listening on .*:(\d+)$/.exec(line)?.[1];
    if (port) return { server, port, opened: Date.now() - begun, token: readFileSync(`${data}/token`, 'utf8').trim() };
  }
  throw new Error('the server did not start');
}

function get({ port, token, agent }, path) {
  return new Promise((resolve, reject) => {
    http
      .get({ port, host: '127.0.0.1', agent, path: `/api/v1${path}`, headers: { authorization: `Bearer ${token}` } }, (answer) => {
        let bytes = 0;
        answer.on('data', (piece) => (bytes += piece.length));
        answer.on('end', () => (answer.statusCode === 200 ? resolve(bytes) : reject(new Error(`${path}: ${answer.statusCode}`))));
      })
      .on('error', reject);
  });
}

const at = (times, share) => times.toSorted((x, y) => x - y)[Math.min(times.length - 1, Math.floor(times.length * share))];

async function measure(place, path) {
  const times = [];
  for (let round = -1; round < kRounds; round++) {
    const begun = process.hrtime.bigint();
    await get(place, path);
    if (round >= 0) times.push(Number(process.hrtime.bigint() - begun) / 1e6);
    if (times.reduce((sum, time) => sum + time, 0) > 10_000) break; // a slow read is measured a few times only
  }
  return { p50: at(times, 0.5), p95: at(times, 0.95) };
}

const reads = kReads.filter(([name]) => new RegExp(process.env.ONLY ?? '').test(name));
const results = new Map(reads.map(([name]) => [name, []]));
const opened = [];
const before = loadavg()[0];
for (const size of sizes) {
  const place = { ...(await serve(`${boards}/${size}`)), agent: new http.Agent({ keepAlive: true, maxSockets: 1 }) };
  opened.push(place.opened);
  try {
    for (const [name, path] of reads) results.get(name).push(await measure(place, path).catch((error) => ({ error })));
  } finally {
    place.agent.destroy();
    place.server.kill();
    await once(place.server, 'exit');
  }
}
const ms = (result) => (result.error ? '–' : `${result.p50.toFixed(1)} / ${result.p95.toFixed(1)}`);
console.log(`Opened in ${opened.map((time, n) => `${time} ms (${sizes[n]})`).join(', ')}; load ${before.toFixed(1)} before, ${loadavg()[0].toFixed(1)} after; p50 / p95 in ms of ${kRounds} rounds.\n`);
console.log(`| read | ${sizes.map((size) => `${size} tasks`).join(' | ')} | ratio | goal |\n| --- |${' --- |'.repeat(sizes.length + 2)}`);
for (const [name, path, goal] of reads) {
  const of = results.get(name);
  const ratio = of.some((result) => result.error) ? '–' : (of.at(-1).p50 / of[0].p50).toFixed(1);
  console.log(`| ${name} | ${of.map(ms).join(' | ')} | ${ratio} | ${of.at(-1).p50 > goal ? '**' : ''}${goal}${of.at(-1).p50 > goal ? '**' : ''} |`);
}
