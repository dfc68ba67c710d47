// A runner before servers that share a database, behind a proxy that ends TLS.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { installAgent, newTask, waitFor } from './support/agents.mjs';
import { openPlace } from './support/place.mjs';
import { kWithoutPostgres, startPostgres } from './support/postgres.mjs';
import { addRunner, openTlsProxy, startRunner } from './support/runner_hosts.mjs';
import { addCoder, endedRuns, liveRun, runnerNamed } from './support/runner_team.mjs';
import { startServer } from './support/server.mjs';
import { until } from './support/until.mjs';

const kReported = 40_000; // ms; an end that nobody reports comes after a lease of a minute

test('servers that share a PostgreSQL store take over from each other before a runner', { skip: kWithoutPostgres }, async (t) => {
  const place = openPlace(t);
  const postgres = await startPostgres(place);
  const start = (name) => startServer(place, { data: place.path(name), flags: ['--no-runner', '--name', name, '--store', postgres.url()] });
  const east = await start('east');
  const west = await start('west');
  const proxy = await openTlsProxy(place);
  proxy.server = east;
  await east.http.post('/boards', { name: 'shop' });
  const go = place.path('go');
  const data = place.path('runner-build');
  installAgent(data, 'coder', `cat > /dev/null; echo before; ${waitFor(go)}; echo after; andon done --result made`);
  const tokenFile = await addRunner(place, east, 'build');
  const url = `https://127.0.0.1:${proxy.port}`;
  await startRunner(place, 'build', { url: `https://127.0.0.1:1,${url}`, tokenFile, data, flags: ['--ca-file', proxy.certificates] });
  await until('the agents are known', async () => (await runnerNamed(east, 'build')).agents?.some((agent) => agent.id === 'coder' && !agent.problem));
  await addCoder(east);
  const task = await newTask(east, 'Outlive a server', { status: 'todo' });
  const run = await liveRun(east, task);
  const output = `/runs/${run.id}/output`;
  const there = await west.http.ask('GET', output);
  assert.deepEqual([there.status, there.body.details], [404, { server: 'east' }], JSON.stringify(there.body));
  await east.end('SIGKILL');
  proxy.server = west;
  writeFileSync(go, '');
  const [end] = await endedRuns(west, task, 1, kReported);
  assert.deepEqual([end.id, end.outcome, end.result, end.runner], [run.id, 'succeeded', 'made', 'build']);
  const texts = await until('the other server has all output', async () => {
    const { status, body } = await west.http.ask('GET', output);  // 404 until the runner has sent it there
    const all = status === 200 ? body.items.map((item) => item.text) : [];
    return all.includes('after') && all;
  });
  assert.deepEqual(texts.filter((text) => ['before', 'after'].includes(text)), ['before', 'after']);
});
