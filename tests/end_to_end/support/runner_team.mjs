import { installAgent, runsOf } from './agents.mjs';
import { openPlace } from './place.mjs';
import { addRunner, canMakeHosts, openHost, openTlsProxy, startRunner } from './runner_hosts.mjs';
import { startServer } from './server.mjs';
import { until } from './until.mjs';

export const kHosts = canMakeHosts();
export const kCycle = 120_000; // ms; longer than a lease and what comes after

// A server without a runner of its own, and a proxy before it. `time` is that of the server and its runners, if not the usual one.
export async function openTeam(t, time) {
  const place = openPlace(t);
  const server = await startServer(place, { flags: ['--no-runner'], env: time?.env });
  const proxy = await openTlsProxy(place);
  proxy.server = server;
  await server.http.post('/boards', { name: 'shop' });
  const team = { place, server, proxy, runners: [] };
  team.add = async (name, { index, script, ...more } = {}) => {
    const host = index && kHosts ? openHost(place, index) : undefined;
    const data = place.path(`runner-${name}`);
    if (script) installAgent(data, 'coder', script);
    const tokenFile = await addRunner(place, server, name);
    const url = `https://${host?.near ?? '127.0.0.1'}:${proxy.port}`;
    const runner = await startRunner(place, name, { url, tokenFile, host, data, env: time?.env, ...more, flags: ['--ca-file', proxy.certificates, ...(more.flags ?? [])] });
    await until(`the server knows the agents of ${name}`, async () => (await runnerNamed(server, name)).agents?.some((agent) => agent.id === 'coder' && !agent.problem));
    return Object.assign(runner, { host, url, tokenFile });
  };
  return team;
}

export const runnerNamed = async (server, name) => (await server.http.get('/runners')).items.find((runner) => runner.name === name);
export const addCoder = (server, fields = {}) => server.http.post('/workers', { name: 'ada', agent: 'coder', takes_unassigned: true, ...fields });
export const liveRun = (server, task) => until(`task ${task.id} runs`, async () => (await runsOf(server, task)).find((run) => run.state === 'running' && run.pid));
export const endedRuns = (server, task, count, within) => until(`${count} runs of task ${task.id} end`, async () => {
  const runs = (await runsOf(server, task)).filter((run) => run.state === 'ended');
  return runs.length >= count && runs;
}, within);
