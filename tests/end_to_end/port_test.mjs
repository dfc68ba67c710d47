// The server alone answers on its port: no agent can take the port, and a program that has it gets no secret.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { newTask, runsOf } from './support/agents.mjs';
import { kHello, openStdio } from './support/mcp.mjs';
import { openPlace } from './support/place.mjs';
import { andon, cleanEnvironment, kProgram } from './support/program.mjs';
import { addRunner, startRunner } from './support/runner_hosts.mjs';
import { startServer } from './support/server.mjs';
import { until } from './support/until.mjs';

const kRefused = 13; // EACCES
const portOf = (server) => Number(new URL(server.url).port);
const listenAt = (port) => ({ listen: `127.0.0.1:${port}` });

// Records every byte of every connection, and answers each request with `answer`.
async function takePort(place, port, answer) {
  const taken = { bytes: '' };
  const sockets = new Set();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('data', (data) => {
      taken.bytes += data.toString('latin1');
      if (answer === undefined) socket.destroy();
      else socket.write(`HTTP/1.1 ${answer}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`);
    });
  });
  await new Promise((ready, failed) => server.once('error', failed).listen(port, '127.0.0.1', ready));
  taken.end = () => new Promise((closed) => {
    for (const socket of sockets) socket.destroy();
    server.close(closed);
  });
  place.atEnd(taken.end);
  return taken;
}

// Every program of ours that sends a credential to an address.
async function tryAllClients(place, url, token, runnerToken) {
  const env = { ANDON_TOKEN: token, ANDON_URL: url };
  for (const words of ['list', 'create x', 'pick', 'done 1', 'log --json', 'runs', 'boards list', 'board', 'config', 'token list'])
    await andon(place, ['--server', url, ...words.split(' ')], { env });
  await andon(place, ['list', '--server', url, '--token', token]);
  await andon(place, ['list'], { env });
  const hook = JSON.stringify({ session_id: 's', hook_event_name: 'Stop', cwd: place.root });
  for (const event of ['session-start', 'post-tool-use', 'stop'])
    await andon(place, ['hooks', 'run', event, '--claim', 'a'], { env: { ...env, ANDON_TASK: '1', ANDON_EPOCH: '1' }, input: hook });
  const { child, ask } = openStdio(place, ['--server', url], { ANDON_TOKEN: token });
  await ask('initialize', kHello);
  await ask('tools/call', { name: 'list_tasks', arguments: {} });
  child.kill();
  const runner = await startRunner(place, 'far', { url, tokenFile: runnerToken, isReady: false });
  await until('the runner has asked', () => /trying again/.test(runner.log));
  return runner;
}

for (const [name, answer] of Object.entries({ 'takes everything': '200 OK', 'knows no such route': '404 Not Found', 'hangs up': undefined }))
  test(`a program on the server's port that ${name} gets no token of any client, and all go on with the server`, async (t) => {
    const place = openPlace(t);
    const first = await startServer(place);
    await first.http.post('/boards', { name: 'shop' });
    const [url, token, port] = [first.url, first.token, portOf(first)];
    const file = await addRunner(place, first, 'far');
    await first.end();

    const thief = await takePort(place, port, answer);
    const runner = await tryAllClients(place, url, token, file);
    assert.match(thief.bytes, /POST \/api\/v1\/proof /);
    for (const secret of [token, readFileSync(file, 'utf8').trim(), 'uthorization', 'earer'])
      assert.ok(!thief.bytes.includes(secret), `the impostor got ${secret.slice(0, 12)}`);
    await thief.end();

    const second = await startServer(place, listenAt(port));
    assert.equal((await andon(place, ['--server', url, 'list'], { env: { ANDON_TOKEN: token } })).code, 0);
    await until('the runner takes work', () => runner.out.includes('takes work of'));
    assert.ok(second.url);
  });

// Listens on the port of the server as soon as it is free, records what it gets, and writes how that went.
const kThief = `use Socket; $| = 1; my ($port) = $ENV{ANDON_URL} =~ /:(\\d+)/; my $s; my $error;
for (1 .. 600) { socket($s, AF_INET, SOCK_STREAM, 0); setsockopt($s, SOL_SOCKET, SO_REUSEADDR, 1);
  $error = bind($s, sockaddr_in($port, INADDR_LOOPBACK)) && listen($s, 9) ? 0 : $! + 0; last if $error != 98; select(undef, undef, undef, 0.05); }
socket(my $other, AF_INET, SOCK_STREAM, 0); my $free = bind($other, sockaddr_in(0, INADDR_LOOPBACK)) && listen($other, 9) ? 1 : 0;
open(my $out, '>', "$ENV{TMPDIR}/taken.new"); print $out "$error $free"; close $out; rename "$ENV{TMPDIR}/taken.new", "$ENV{TMPDIR}/taken";
if ($error == 0) { open(my $log, '>>', "$ENV{TMPDIR}/bytes"); $log->autoflush(1);
  while (accept(my $c, $s)) { my $got; while (sysread($c, $got, 65536)) { print $log $got; syswrite($c, "HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\n{}"); } } }
sleep 60;`;

for (const sandbox of ['auto', 'off'])
  test(`an agent that outlives the server ${sandbox === 'off' ? 'gets no secret on' : 'cannot take'} its port with the sandbox ${sandbox}`, async (t) => {
    const place = openPlace(t);
    mkdirSync(place.path('bin'));
    writeFileSync(place.path('bin/thief.pl'), `use IO::Handle; ${kThief}`);
    writeFileSync(place.path('bin/claude'), `#!/bin/sh\ncat >/dev/null\nexec perl ${place.path('bin/thief.pl')}\n`);
    chmodSync(place.path('bin/claude'), 0o755);
    const env = { PATH: `${place.path('bin')}:${process.env.PATH}` };
    mkdirSync(place.path('data/agents'), { recursive: true, mode: 0o700 });
    chmodSync(place.path('data'), 0o700);
    writeFileSync(place.path('data/agents/thief.json'), JSON.stringify({ schema: 1, id: 'thief', extends: 'claude', sandbox }));
    const server = await startServer(place, { env });
    const landlock = Number(/Landlock (\d+)/.exec(await server.andon('doctor'))?.[1] ?? 0);
    if (sandbox !== 'off' && landlock < 4) return t.skip('the kernel has no rules for ports');
    await server.http.post('/boards', { name: 'shop' });
    await server.http.post('/workers', { name: 'dev', agent: 'thief' });
    const task = await newTask(server, 'Look', { status: 'todo', assignee: 'dev' });
    const run = await until('the agent runs', async () => (await runsOf(server, task)).find((each) => each.state === 'running' && each.pid));
    const [url, token, port] = [server.url, server.token, portOf(server)];
    const tmp = place.path('data/work/runs', String(run.id), 'tmp');
    await server.end();
    await until('the agent has tried', () => existsSync(`${tmp}/taken`));
    const [error, free] = readFileSync(`${tmp}/taken`, 'utf8').split(' ').map(Number);
    assert.equal(free, 1, 'any other port is open');
    if (sandbox === 'off') {
      assert.equal(error, 0);
      const { code, err } = await andon(place, ['--server', url, 'list'], { env: { ANDON_TOKEN: token } });
      assert.equal(code, 1);
      assert.match(err, /did not prove that it knows this token/);
      const bytes = readFileSync(`${tmp}/bytes`, 'latin1');
      assert.match(bytes, /api\/v1\/proof/);
      assert.ok(!bytes.includes(token));
    } else {
      assert.equal(error, kRefused);
      const next = await startServer(place, { env, ...listenAt(port) });
      assert.equal(next.url, url);
    }
  });

// Listens as a service manager does and starts a program with that socket for each line that it reads.
const kManager = `use Socket; use POSIX; $| = 1; $^F = 20; socket(my $s, AF_INET, SOCK_STREAM, 0) or die; setsockopt($s, SOL_SOCKET, SO_REUSEADDR, 1);
bind($s, sockaddr_in(0, INADDR_LOOPBACK)) or die; listen($s, 1000) or die; my ($port) = sockaddr_in(getsockname($s)); print "port $port\\n"; $SIG{CHLD} = 'IGNORE';
while (my $line = <STDIN>) { chomp $line; my $pid = fork(); if (!$pid) { POSIX::dup2(fileno($s), 3); $ENV{LISTEN_PID} = $$; $ENV{LISTEN_FDS} = 1; exec split(/\\t/, $line); die; } print "pid $pid\\n"; }`;

test('a server that is started again on a passed socket refuses no connection, and nobody takes its port', async (t) => {
  const place = openPlace(t);
  const manager = spawn('perl', ['-e', kManager], { cwd: place.root, env: cleanEnvironment(place), stdio: ['pipe', 'pipe', 'inherit'] });
  place.atEnd(() => manager.kill('SIGKILL'));
  const lines = [];
  createInterface({ input: manager.stdout }).on('line', (line) => lines.push(line));
  const told = (pattern) => until(`${pattern} is printed`, () => lines.map((line) => pattern.exec(line)?.[1]).filter(Boolean).at(-1));
  const port = await told(/^port (\d+)$/);
  const start = async (address = `127.0.0.1:${port}`) => {
    lines.length = 0;
    manager.stdin.write(`${[kProgram, 'serve', '--data', place.path('data'), '--listen', address].join('\t')}\n`);
    return Number(await told(/^pid (\d+)$/));
  };
  let pid = await start();
  place.atEnd(() => { try { process.kill(pid, 'SIGKILL'); } catch { /* it has ended */ } });
  assert.equal(await told(/^listening on (\S+)$/), `http://127.0.0.1:${port}`);
  const ask = () => fetch(`http://127.0.0.1:${port}/healthz`, { headers: { Connection: 'close' } }).then((answer) => answer.status, (error) => error.cause?.code ?? String(error));
  assert.equal(await ask(), 200);

  process.kill(pid, 'SIGTERM');
  await until('the server has ended', () => { try { return !process.kill(pid, 0); } catch { return true; } });
  const waiting = Array.from({ length: 20 }, ask);
  const thief = createServer();
  const taken = await new Promise((done) => thief.once('error', (error) => done(error.code)).listen(Number(port), '127.0.0.1', () => done('taken')));
  assert.equal(taken, 'EADDRINUSE');
  pid = await start();
  assert.deepEqual(new Set(await Promise.all(waiting)), new Set([200]));

  process.kill(pid, 'SIGTERM');
  await until('the server has ended', () => { try { return !process.kill(pid, 0); } catch { return true; } });
  pid = await start('127.0.0.1:0');
  await until('a server of another address does not start', () => { try { return !process.kill(pid, 0); } catch { return true; } });
  assert.ok(!lines.some((line) => line.startsWith('listening')));
});
