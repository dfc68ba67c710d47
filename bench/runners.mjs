// The scenes of bench/runners. First a client with the token of a runner picks, in turns over loopback and through a proxy that ends
// TLS, each on one kept connection. The request of /healthz in the same turns is the round trip. Then a real runner has agents that print.
import { readFileSync } from 'node:fs';
import { Agent, request as plain } from 'node:http';
import { Agent as SecureAgent, request as secure } from 'node:https';
import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { installAgent } from '../tests/end_to_end/support/agents.mjs';
import { openPlace } from '../tests/end_to_end/support/place.mjs';
import { addRunner, openTlsProxy, startRunner } from '../tests/end_to_end/support/runner_hosts.mjs';
import { startServer } from '../tests/end_to_end/support/server.mjs';
import { until } from '../tests/end_to_end/support/until.mjs';

const kPicks = Math.min(Number(process.env.PICKS ?? 100), 100); // as many as a worker may hold
const kTalkers = Number(process.env.TALKERS ?? 50);
const kSeconds = Number(process.env.SECONDS_EACH ?? 15);
const kLinesPerSecond = 10; // of each agent
const kTicksPerSecond = 100;

const at = (values, share) => values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))];
const median = (values) => at(values, 0.5);

function cpuSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').replace(/.*\) /, '').split(' ');
  return (Number(fields[11]) + Number(fields[12])) / kTicksPerSecond;
}

// The shares of one core that processes use while time passes.
async function sharesOf(pids) {
  const before = pids.map(cpuSeconds);
  const begun = performance.now();
  await pause(kSeconds * 1000);
  const seconds = (performance.now() - begun) / 1000;
  return pids.map((pid, i) => (cpuSeconds(pid) - before[i]) / seconds);
}

// A client on one kept connection, with the credential of a runner.
function clientOf(ask, agent, origin, token) {
  const call = (method, path, body) => new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${token}`, 'Andon-Incarnation': '1', 'Content-Type': 'application/json' };
    const asked = ask(`${origin}${path}`, { method, agent, headers }, (answer) => {
      let text = '';
      answer.on('data', (part) => (text += part)).on('end', () => {
        if (answer.statusCode >= 300) reject(new Error(`${path} answered ${answer.statusCode}: ${text}`));
        else resolve(text);
      });
    });
    asked.on('error', reject).end(body && JSON.stringify(body));
  });
  return {
    post: (path, body) => call('POST', `/api/v1${path}`, body),
    timed: async (...request) => {
      const begun = performance.now();
      await call(...request);
      return performance.now() - begun;
    },
  };
}

async function comparePicks(place, server, proxy) {
  const token = readFileSync(await addRunner(place, server, 'probe'), 'utf8').trim();
  const agents = { loopback: new Agent({ keepAlive: true, maxSockets: 1 }), proxy: new SecureAgent({ keepAlive: true, maxSockets: 1, ca: readFileSync(proxy.certificates) }) };
  const clients = { loopback: clientOf(plain, agents.loopback, server.url, token), proxy: clientOf(secure, agents.proxy, `https://127.0.0.1:${proxy.port}`, token) };
  await clients.loopback.post('/runners/register', { protocol: 1, host: 'probe', place: 'probe', slots: 1000 });
  await clients.loopback.post('/runners/report', { agents: [{ id: 'coder' }], unusable: [] });
  for (const way of Object.keys(clients)) await server.http.post('/workers', { name: way, agent: 'coder', capacity: 100, takes_unassigned: true });
  await server.http.post('/tasks', Array.from({ length: 2 * kPicks }, (_, i) => ({ board: 'shop', title: `Part ${i}`, status: 'todo' })));
  const times = Object.fromEntries(Object.keys(clients).map((way) => [way, { trip: [], pick: [] }]));
  for (let round = 0; round < kPicks; round++)
    for (const [way, client] of Object.entries(clients)) {
      times[way].trip.push(await client.timed('GET', '/healthz'));
      times[way].pick.push(await client.timed('POST', '/api/v1/runs', { worker: way }));
    }
  for (const agent of Object.values(agents)) agent.destroy();
  await server.andon('runners', 'revoke', 'probe', '--yes');
  const { loopback, proxy: far } = times;
  const expected = median(loopback.pick) + median(far.trip) - median(loopback.trip);
  console.log('| request | p50 ms | p99 ms | ratio |\n| --- | --- | --- | --- |');
  for (const [name, values, base] of [
    ['round trip over loopback', loopback.trip, median(loopback.trip)],
    ['round trip through the proxy', far.trip, median(loopback.trip)],
    ['pick over loopback', loopback.pick, median(loopback.pick)],
    ['pick through the proxy', far.pick, median(loopback.pick)],
  ]) console.log(`| ${name} | ${median(values).toFixed(2)} | ${at(values, 0.99).toFixed(2)} | ${(median(values) / base).toFixed(2)} |`);
  console.log(`| the same, to a pick over loopback with the longer round trip | ${expected.toFixed(2)} | | ${(median(far.pick) / expected).toFixed(2)} |\n`);
}

async function listen(place, server, proxy) {
  const data = place.path('runner-east');
  const line = 'x'.repeat(80);
  installAgent(data, 'talker', `cat > /dev/null; exec perl -e '$| = 1; until (-e "${place.path('enough')}") { print "${line}\\n"; select(undef, undef, undef, ${1 / kLinesPerSecond}) }'`);
  const tokenFile = await addRunner(place, server, 'east');
  const runner = await startRunner(place, 'east', { url: `https://127.0.0.1:${proxy.port}`, tokenFile, data, flags: ['--ca-file', proxy.certificates, '--slots', `${kTalkers}`] });
  const east = async () => (await server.http.get('/runners')).items.find(({ name }) => name === 'east');
  await until('the server knows the agent', async () => (await east()).agents?.some(({ id, problem }) => id === 'talker' && !problem));
  await server.http.post('/boards', { name: 'talk' });
  await server.http.post('/workers', { name: 'talker', agent: 'talker', boards: ['talk'], capacity: Math.min(kTalkers, 100), takes_unassigned: true });
  const idle = await sharesOf([server.pid, runner.child.pid]);
  await server.http.post('/tasks', Array.from({ length: kTalkers }, (_, i) => ({ board: 'talk', title: `Talk ${i}`, status: 'todo' })));
  const live = async () => (await server.http.get('/runs?live=true')).items.filter((run) => run.runner === 'east' && run.pid);
  await until('all talk', async () => (await live()).length === kTalkers, 120_000);
  await pause(2_000);
  const talking = await sharesOf([server.pid, runner.child.pid]);
  const [run] = await live();
  const { items } = await server.http.get(`/runs/${run.id}/output`);
  if (items.length < kSeconds) throw new Error(`only ${items.length} lines of run ${run.id} came to the server`);
  console.log(`| share of one core | idle | ${kTalkers} runs, ${kTalkers * kLinesPerSecond} lines/s | for each 100 lines/s |\n| --- | --- | --- | --- |`);
  for (const [i, name] of ['server', "the runner's program"].entries()) {
    const more = (talking[i] - idle[i]) / ((kTalkers * kLinesPerSecond) / 100);
    console.log(`| ${name} | ${(idle[i] * 100).toFixed(1)} % | ${(talking[i] * 100).toFixed(1)} % | ${(more * 100).toFixed(2)} % |`);
  }
}

const ends = [];
const place = openPlace({ after: (end) => ends.push(end) });
try {
  const server = await startServer(place, { flags: ['--no-runner'] });
  const proxy = await openTlsProxy(place);
  proxy.server = server;
  await server.http.post('/boards', { name: 'shop' });
  await comparePicks(place, server, proxy);
  await listen(place, server, proxy);
  console.log(`\nload of the machine ${loadavg()[0].toFixed(1)}`);
} finally {
  for (const end of ends.reverse()) await end();
}
