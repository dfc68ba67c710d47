// Runners on other hosts: real programs in networks of their own, before a proxy that ends TLS.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { installAgent, newTask, readTask, runsOf, waitFor } from './support/agents.mjs';
import { openPlace } from './support/place.mjs';
import { andon } from './support/program.mjs';
import { processesNaming } from './support/processes.mjs';
import { addRunner, canMakeHosts, openHost, openTlsProxy, startRunner } from './support/runner_hosts.mjs';
import { startServer } from './support/server.mjs';
import { until } from './support/until.mjs';
import { makeRepository } from './support/repository.mjs';
import { WallClock } from './support/wall_clock.mjs';

const kHosts = canMakeHosts();
const kCycle = 120_000; // ms; longer than a lease and what comes after

// A server without a runner of its own, and a proxy before it.
async function openTeam(t) {
  const place = openPlace(t);
  const server = await startServer(place, { flags: ['--no-runner'] });
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
    const runner = await startRunner(place, name, { url, tokenFile, host, data, ...more, flags: ['--ca-file', proxy.certificates, ...(more.flags ?? [])] });
    await until(`the server knows the agents of ${name}`, async () => (await runnerNamed(server, name)).agents?.some((agent) => agent.id === 'coder' && !agent.problem));
    return Object.assign(runner, { host, url, tokenFile });
  };
  return team;
}

const runnerNamed = async (server, name) => (await server.http.get('/runners')).items.find((runner) => runner.name === name);
const addCoder = (server, fields = {}) => server.http.post('/workers', { name: 'ada', agent: 'coder', takes_unassigned: true, ...fields });
const liveRun = (server, task) => until(`task ${task.id} runs`, async () => (await runsOf(server, task)).find((run) => run.state === 'running' && run.pid));
const endedRuns = (server, task, count) => until(`${count} runs of task ${task.id} end`, async () => {
  const runs = (await runsOf(server, task)).filter((run) => run.state === 'ended');
  return runs.length >= count && runs;
});

test('a runner on another host does the work, and the server has its output', async (t) => {
  const { server, add } = await openTeam(t);
  await add('east', { index: 1, script: 'cat > /dev/null; echo line one; andon note $ANDON_TASK "seen from $ANDON_URL" > /dev/null; echo line two; andon done --result made' });
  await addCoder(server);
  const task = await newTask(server, 'Make the cart', { status: 'todo' });
  const [run] = await endedRuns(server, task, 1);
  assert.deepEqual([run.runner, run.outcome, run.result], ['east', 'succeeded', 'made'], JSON.stringify(run));
  const output = await until('the output is here', async () => {
    const page = await server.http.get(`/runs/${run.id}/output`);
    return page.items.some((item) => item.text === 'line two') && page;
  });
  assert.equal(output.items.filter((item) => item.text === 'line one').length, 1);
  const east = await runnerNamed(server, 'east');
  assert.equal(east.alive, true);
  assert.ok(east.processors >= 1 && east.memory > 0 && east.version && east.host);
});

test('a kill and a freeze reach a run on another host within two seconds', async (t) => {
  const { place, server, add } = await openTeam(t);
  const sign = place.path('sign');
  await add('east', { index: 1, script: `cat > /dev/null; while :; do date +%s%N > ${sign}; sleep 0.1; done` });
  await addCoder(server);
  const task = await newTask(server, 'Run for ever', { status: 'todo' });
  await liveRun(server, task);
  await until('the agent works', () => existsSync(sign));
  const isStill = async () => {
    const before = readFileSync(sign, 'utf8');
    await new Promise((go) => setTimeout(go, 400));
    return readFileSync(sign, 'utf8') === before;
  };
  await server.http.post('/dispatch/freeze');
  await until('the agent stands still', isStill, 3_000);
  await server.http.post('/dispatch/thaw');
  await until('the agent goes on', async () => !(await isStill()), 3_000);
  await server.http.post(`/tasks/${task.id}/kill`);
  const [run] = await until('the run has ended', async () => {
    const runs = await runsOf(server, task);
    return runs[0].state === 'ended' && runs;
  }, 4_000);
  assert.equal(run.outcome, 'killed');
  assert.deepEqual(processesNaming(sign), []);
});

test('an agent cannot end its run, and a runner speaks for its own runs only', async (t) => {
  const { place, server, add } = await openTeam(t);
  const go = place.path('go');
  await add('east', { index: 1, script: `cat > /dev/null
ask() { node -e 'const [path, url, token] = process.argv.slice(1);
fetch(url + path, { method: "POST", headers: { authorization: "Bearer " + token, "content-type": "application/json" }, body: JSON.stringify({ id: Number(process.env.ANDON_RUN), has_result: true, result: "forged" }) }).then(async (r) => console.log(r.status, await r.text()))' "$1" "$ANDON_URL" "$ANDON_TOKEN"; }
ask /api/v1/runs/$ANDON_RUN/finish
${waitFor(go)}; andon done --result honest`, env: { PATH: process.env.PATH } });
  const other = await addRunner(place, server, 'west');
  await addCoder(server);
  const task = await newTask(server, 'Try to cheat', { status: 'todo' });
  const run = await liveRun(server, task);
  const said = await until('the agent was answered', async () => (await server.http.get(`/runs/${run.id}/output`)).items.find((item) => /^\d{3} /.test(item.text)));
  assert.match(said.text, /^403 .*only the process that supervises a run/);
  const west = readFileSync(other, 'utf8').trim();
  const asWest = (method, path, body, incarnation = '1') => fetch(`${server.url}/api/v1${path}`, { method, headers: { authorization: `Bearer ${west}`, 'content-type': 'application/json', 'andon-incarnation': incarnation }, body: body && JSON.stringify(body) });
  assert.equal((await asWest('POST', '/runners/register', { protocol: 1, host: 'west', place: 'w', slots: 1 })).status, 200);
  assert.equal((await asWest('POST', `/runs/${run.id}/finish`, { id: run.id })).status, 404);
  assert.equal((await asWest('GET', `/runs/${run.id}/guard`)).status, 404);
  assert.equal((await asWest('GET', '/tasks')).status, 403);
  assert.equal((await asWest('POST', '/tasks', { board: 'shop', title: 'x' })).status, 403);
  assert.equal((await asWest('POST', '/runners/report', {}, '7')).status, 409);
  assert.deepEqual((await (await asWest('GET', '/runs?live=true')).json()).items, []);
  writeFileSync(go, '');
  const [end] = await endedRuns(server, task, 1);
  assert.deepEqual([end.outcome, end.result], ['succeeded', 'honest']);
});

test('bad tokens, versions and settings get a clear sentence', async (t) => {
  const { place, server, proxy } = await openTeam(t);
  const tokenFile = await addRunner(place, server, 'east');
  const url = `https://127.0.0.1:${proxy.port}`;
  const runner = (...args) => andon(place, ['runner', '--data', place.path('r'), ...args]);
  const cases = [
    [['--server', url], /a runner needs its token/],
    [['--token-file', tokenFile], /name the server/],
    [['--server', url, '--token-file', place.path('none')], /none/],
    [['--server', url, '--token-file', tokenFile, '--slots', '0'], /"--slots" must be from 1 to 1000/],
    [['--server', 'ftp://x', '--token-file', tokenFile], /no address of a server/],
    [['--server', 'http://192.0.2.1:1', '--token-file', tokenFile], /plain http/],
  ];
  for (const [args, sentence] of cases) {
    const { code, err } = await runner(...args);
    assert.notEqual(code, 0);
    assert.match(err, sentence, args.join(' '));
  }
  writeFileSync(place.path('wrong'), 'andon_n_wrong\n', { mode: 0o600 });
  const wrong = await runner('--server', url, '--token-file', place.path('wrong'), '--ca-file', proxy.certificates);
  assert.match(wrong.err, /does not know this token/);
  chmodSync(tokenFile, 0o644);
  assert.match((await runner('--server', url, '--token-file', tokenFile)).err, /others can read/);
  assert.match((await andon(place, ['--dir', server.data, 'runners', 'add', 'east'])).err, /there is a runner "east" already/);
  assert.match((await andon(place, ['--dir', server.data, 'runners', 'add', 'local'])).err, /name of a server/);
  assert.match((await andon(place, ['--dir', server.data, 'runners', 'add', '../x'])).err, /name/);
});

test('a drained runner ends after its last run, and a revoked one ends its agents', async (t) => {
  const { place, server, add } = await openTeam(t);
  const go = place.path('go');
  const script = `cat > /dev/null; ${waitFor(go)}; andon done --result made`;
  const east = await add('east', { index: 1, script });
  await addCoder(server, { capacity: 2 });
  const first = await newTask(server, 'First', { status: 'todo' });
  await liveRun(server, first);
  await server.andon('runners', 'drain', 'east');
  const second = await newTask(server, 'Second', { status: 'todo' });
  await new Promise((pass) => setTimeout(pass, 1_500));
  assert.deepEqual(await runsOf(server, second), []);
  assert.equal(east.exit, undefined);
  writeFileSync(go, '');
  await endedRuns(server, first, 1);
  await until('the drained runner has ended', () => east.exit);
  assert.equal(east.exit.code, 0, east.log);
  rmSync(go);
  const west = await add('west', { index: 2, script });
  await liveRun(server, second);
  await server.andon('runners', 'revoke', 'west', '--yes');
  await until('the revoked runner has ended', () => west.exit, 30_000);
  assert.notEqual(west.exit.code, 0);
  assert.match(west.log, /token|revoked/);
  assert.deepEqual(processesNaming(go), []);
  await until('the task is ready again', async () => (await readTask(server, second)).stage === 'ready', kCycle);
});

test('hosts that are cut off, go dark, are killed or cloned lose no task and do none twice', { skip: !kHosts && 'this machine makes no hosts', timeout: 400_000 }, async (t) => {
  const { place, server, proxy, add } = await openTeam(t);
  const signs = place.path('signs');
  mkdirSync(signs);
  // Each agent notes every tenth of a second that it lives: a ledger outside of the board.
  const script = `cat > /dev/null; echo output of $ANDON_RUN; i=0; while [ $i -lt 3000 ]; do date +%s%3N > ${signs}/$ANDON_TASK.$ANDON_RUN; i=$((i+1)); sleep 0.1; done`;
  const hosts = {};
  for (const [at, name] of ['cut', 'dark', 'dead', 'slow'].entries()) hosts[name] = await add(name, { index: at + 1, script });
  proxy.delays.set(hosts.slow.host.near, { wait: 200, lost: 0.03 });
  await addCoder(server, { capacity: 4 });
  const tasks = [];
  for (let i = 0; i < 4; ++i) tasks.push(await newTask(server, `Part ${i}`, { status: 'todo', max_attempts: 9 }));
  const first = {};
  for (const task of tasks) {
    const run = await liveRun(server, task);
    first[run.runner] = { task, run };
  }
  assert.deepEqual(Object.keys(first).sort(), ['cut', 'dark', 'dead', 'slow']);
  await new Promise((pass) => setTimeout(pass, 3_000));
  const begun = Date.now();
  hosts.cut.host.cutOff();
  hosts.dark.host.loseAnswers();
  await hosts.dead.end('SIGKILL');
  // A copy of the host that is alive is refused.
  cpSync(hosts.slow.data, place.path('clone'), { recursive: true, filter: (from) => !from.endsWith('.sock') });
  const clone = await startRunner(place, 'slow', { url: hosts.slow.url, tokenFile: hosts.slow.tokenFile, host: hosts.slow.host, data: place.path('clone'), flags: ['--ca-file', proxy.certificates], isReady: false });
  await until('the clone is refused', () => clone.exit);
  assert.match(clone.log, /is at work on host/);

  const taken = {};
  await until('the lost tasks are taken by the host that is left', async () => {
    for (const name of ['cut', 'dark', 'dead']) {
      const runs = await runsOf(server, first[name].task);
      const lost = runs.find((run) => run.id === first[name].run.id);
      if (lost.state === 'ended') taken[name] ??= { at: Date.now(), lost };
    }
    return Object.keys(taken).length === 3;
  }, kCycle);
  for (const [name, { at, lost }] of Object.entries(taken)) {
    assert.equal(lost.outcome, 'lost', name);
    assert.ok(at - begun <= 60_000 + 15_000 + 2_000, `${name} was taken over after ${at - begun} ms`);
    const sign = Number(readFileSync(`${signs}/${first[name].task.id}.${first[name].run.id}`, 'utf8'));
    assert.ok(sign < Date.parse(lost.ended), `the agent of ${name} lived until ${sign}, its task was given away at ${lost.ended}`);
  }
  t.diagnostic(`taken over after ${Object.values(taken).map(({ at }) => at - begun).join(', ')} ms`);
  hosts.cut.host.join();
  hosts.dark.host.findAnswers();
  for (const name of ['cut', 'dark'])
    await until(`${name} tells what it did`, async () => (await runsOf(server, first[name].task)).find((run) => run.id === first[name].run.id).told_late, kCycle);
  const slow = (await runsOf(server, first.slow.task)).find((run) => run.id === first.slow.run.id);
  assert.equal(slow.state, 'running');
  assert.equal(readdirSync(signs).length >= 4, true);
});

test('a server that is replaced keeps its runners and their runs', async (t) => {
  const { place, server, proxy, add } = await openTeam(t);
  const go = place.path('go');
  await add('east', { index: 1, script: `cat > /dev/null; echo before; ${waitFor(go)}; echo after; andon done --result made` });
  await addCoder(server);
  const task = await newTask(server, 'Outlive the server', { status: 'todo' });
  const run = await liveRun(server, task);
  await server.end('SIGKILL');
  await new Promise((pass) => setTimeout(pass, 3_000));
  const next = await startServer(place, { flags: ['--no-runner'] });
  proxy.server = next;
  writeFileSync(go, '');
  const [end] = await endedRuns(next, task, 1);
  assert.deepEqual([end.id, end.outcome, end.result], [run.id, 'succeeded', 'made']);
  const texts = await until('all output is here', async () => {
    const { items } = await next.http.get(`/runs/${run.id}/output`);
    const all = items.map((item) => item.text);
    return all.includes('after') && all;
  });
  assert.equal(texts.filter((text) => text === 'before').length, 1);
  assert.equal((await readTask(next, task)).attempt, 1);
});

test('a runner whose clock is an hour wrong works like every other one', async (t) => {
  const { place, server, add } = await openTeam(t);
  const clock = new WallClock(place);
  clock.stepBy(-3600);
  const go = place.path('go');
  await add('east', { index: 1, env: clock.env, script: `cat > /dev/null; ${waitFor(go)}; andon done --result made` });
  await addCoder(server);
  const task = await newTask(server, 'Work an hour ago', { status: 'todo' });
  const run = await liveRun(server, task);
  clock.stepBy(7200);
  await new Promise((pass) => setTimeout(pass, 12_000));
  assert.equal((await runnerNamed(server, 'east')).alive, true);
  assert.equal((await server.http.get(`/runs/${run.id}`)).state, 'running');
  writeFileSync(go, '');
  const [end] = await endedRuns(server, task, 1);
  assert.deepEqual([end.id, end.outcome], [run.id, 'succeeded']);
});

test('a runner with a full disk gives the task back and says why', async (t) => {
  const { server, add } = await openTeam(t);
  const east = await add('east', { index: 1, script: 'cat > /dev/null; andon done --result made' });
  await addCoder(server);
  execFileSync('prlimit', ['--pid', String(east.child.pid), '--fsize=0:unlimited']);
  const task = await newTask(server, 'Need room', { status: 'todo' });
  await until('the runner says that it cannot work', async () => (await runnerNamed(server, 'east')).agents.every((agent) => agent.problem));
  const now = await readTask(server, task);
  assert.deepEqual([now.stage, now.attempt ?? 0, now.blocked ?? false], ['ready', 0, false]);
  assert.equal((await server.http.get('/workers')).items[0].paused ?? false, false);
  execFileSync('prlimit', ['--pid', String(east.child.pid), '--fsize=unlimited']);
  const runs = await until('the task is done', async () => (await readTask(server, task)).stage === 'done' && runsOf(server, task), kCycle);
  assert.equal(runs.filter((run) => run.outcome === 'succeeded').length, 1);
});

test('work in a cloned repository is done on two hosts and lands from the server', async (t) => {
  const { place, server, add } = await openTeam(t);
  const origin = makeRepository(place, 'origin');
  origin.sh('git init -q --bare ../shared.git; git push -q ../shared.git main; git -C ../shared.git symbolic-ref HEAD refs/heads/main');
  const url = `file://${place.path('shared.git')}`;
  await server.http.told('PATCH', '/boards/shop', { repo: url, worktree: true, land: 'auto', checks: { unit: ['test', '-f', 'a.txt'] } });
  const script = 'cat > /dev/null; export GIT_CONFIG_GLOBAL=/dev/null; echo "$ANDON_TASK" > "made-$ANDON_TASK.txt"; git add . && git -c user.name=w -c user.email=w@x.org commit -qm "Make $ANDON_TASK"; sleep 1; andon done --result made';
  await add('east', { index: 1, script });
  await add('west', { index: 2, script });
  await addCoder(server, { capacity: 2 });
  const tasks = [];
  for (let i = 0; i < 4; ++i) tasks.push(await newTask(server, `Make file ${i}`, { status: 'todo' }));
  const settled = async () => {
    const now = await Promise.all(tasks.map((task) => readTask(server, task)));
    for (const task of now) if (task.stage === 'review') await server.http.ask('POST', `/tasks/${task.id}/accept`, {});
    return now.every((task) => task.stage === 'done') && now;
  };
  await until('the work is accepted', settled, kCycle);
  const runs = (await Promise.all(tasks.map((task) => runsOf(server, task)))).flat();
  assert.deepEqual([...new Set(runs.map((run) => run.runner))].sort(), ['east', 'west'], JSON.stringify(runs));
  const there = () => origin.sh('git -C ../shared.git ls-tree --name-only main').split('\n');
  await until('all work has landed on the remote', () => tasks.every((task) => there().includes(`made-${task.id}.txt`)), kCycle);
  for (const run of runs) assert.ok(run.commits?.length === 1 && run.branch, JSON.stringify(run));
});
