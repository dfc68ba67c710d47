import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Agent, request as ask } from 'node:http';
import { createServer } from 'node:https';
import { cleanEnvironment, kProgram } from './program.mjs';
import { until } from './until.mjs';

// Networks of this process alone: several test files run at once.
const networkOf = (index) => `10.${process.pid % 251}.${(Math.floor(process.pid / 251) % 24) * 10 + index}`;
const ip = (...args) => execFileSync('ip', args, { stdio: ['ignore', 'pipe', 'pipe'] });

// Whether this machine lets a test make hosts of its own: network namespaces joined by cables.
export function canMakeHosts() {
  const name = `andon-can-${process.pid}`;
  if (spawnSync('ip', ['netns', 'add', name]).status !== 0) return false;
  const isMade = spawnSync('ip', ['link', 'add', `ac${process.pid}`, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name]).status === 0;
  spawnSync('ip', ['netns', 'del', name]);
  spawnSync('ip', ['link', 'del', `ac${process.pid}`]);
  return isMade;
}

// What a team has before its server: a proxy that ends TLS, with a certificate of the team's own authority. The server
// behind it may be replaced. It can be slow to each host.
export async function openTlsProxy(place) {
  const addresses = ['127.0.0.1', ...Array.from({ length: 9 }, (_, i) => `${networkOf(i + 1)}.1`)];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2',
    '-keyout', place.path('key.pem'), '-out', place.path('cert.pem'), '-subj', '/CN=andon test',
    '-addext', `subjectAltName=${addresses.map((address) => `IP:${address}`).join(',')}`], { stdio: 'ignore' });
  const proxy = { server: undefined, delays: new Map(), requests: 0, certificates: place.path('cert.pem') };
  const agent = new Agent({ keepAlive: true, maxSockets: 1000 });
  const listener = createServer({ key: readFileSync(place.path('key.pem')), cert: readFileSync(place.path('cert.pem')) }, async (incoming, answer) => {
    proxy.requests++;
    const { wait = 0, lost = 0, again = 1_000 } = proxy.delays.get(incoming.socket.localAddress) ?? {};
    // A lost packet is sent again after a moment.
    if (wait || lost) await new Promise((go) => setTimeout(go, wait + (Math.random() < lost ? again : 0)));
    const url = new URL(proxy.server.url);
    const outgoing = ask({ host: url.hostname, port: url.port, method: incoming.method, path: incoming.url, agent,
      headers: { ...incoming.headers, host: url.host } }, (response) => {
      answer.writeHead(response.statusCode, response.headers);
      response.pipe(answer);
    });
    outgoing.on('error', () => (answer.headersSent ? answer.destroy() : answer.writeHead(502).end()));
    answer.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  });
  await new Promise((ready) => listener.listen(0, '0.0.0.0', ready));
  place.atEnd(() => new Promise((closed) => {
    listener.closeAllConnections();
    agent.destroy();
    listener.close(closed);
  }));
  proxy.port = listener.address().port;
  return proxy;
}

// A host with a network of its own and a cable to the proxy. Without one it is this machine.
export function openHost(place, index) {
  const name = `andon-${process.pid}-${index}`;
  const cable = `an${process.pid % 100_000}x${index}`;
  const near = `${networkOf(index)}.1`;
  ip('netns', 'add', name);
  place.atEnd(() => {
    spawnSync('ip', ['netns', 'del', name]);
    spawnSync('ip', ['link', 'del', cable]);
  });
  ip('link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
  ip('addr', 'add', `${near}/24`, 'dev', cable);
  ip('link', 'set', cable, 'up');
  for (const args of [['addr', 'add', `${networkOf(index)}.2/24`, 'dev', 'eth0'], ['link', 'set', 'eth0', 'up'], ['link', 'set', 'lo', 'up']])
    ip('netns', 'exec', name, 'ip', ...args);
  return {
    near,
    under: ['ip', 'netns', 'exec', name],
    // Nothing of what is sent arrives, in either direction, and nobody is told.
    cutOff: () => ip('link', 'set', cable, 'down'),
    join: () => ip('link', 'set', cable, 'up'),
    // What the host sends arrives; no answer comes back.
    loseAnswers: () => ip('route', 'add', 'blackhole', `${networkOf(index)}.2/32`),
    findAnswers: () => ip('route', 'del', 'blackhole', `${networkOf(index)}.2/32`),
  };
}

// `andon runners add`: the token of a new runner, in a file that only its owner reads.
export async function addRunner(place, server, name) {
  const token = (await server.andon('runners', 'add', name)).trim().split('\n').at(-1);
  const file = place.path(`${name}.token`);
  writeFileSync(file, `${token}\n`, { mode: 0o600 });
  return file;
}

// A running `andon runner`, ready for work if not told otherwise.
export async function startRunner(place, name, { url, tokenFile, host, data = place.path(`runner-${name}`), flags = [], env = {}, isReady = true } = {}) {
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const [program, ...args] = [...(host?.under ?? []), kProgram, 'runner', '--server', url, '--token-file', tokenFile, '--data', data, ...flags];
  const child = spawn(program, args, { cwd: place.root, env: cleanEnvironment(place, env), stdio: ['ignore', 'pipe', 'pipe'] });
  const runner = { name, data, child, out: '', log: '', exit: undefined };
  child.stdout.setEncoding('utf8').on('data', (text) => (runner.out += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (runner.log += text));
  child.on('close', (code, signal) => (runner.exit = { code, signal }));
  runner.end = async (signal = 'SIGTERM') => {
    if (!runner.exit) child.kill(signal);
    return until(`the runner ${name} ends`, () => runner.exit);
  };
  place.atEnd(() => runner.end('SIGKILL'));
  if (isReady)
    await until(`the runner ${name} takes work`, () => {
      if (runner.exit) throw new Error(`the runner ended with ${JSON.stringify(runner.exit)}: ${runner.log}`);
      return runner.out.includes('takes work of');
    });
  return runner;
}
