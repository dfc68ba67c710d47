// Runners on other hosts: real programs in networks of their own, before a proxy that ends TLS.
import assert from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { test } from 'node:test';
import { installAgent, installProfile, newTask, readTask, runsOf, waitFor } from './support/agents.mjs';
import { andon } from './support/program.mjs';
import { processesNaming } from './support/processes.mjs';
import { makeRepository } from './support/repository.mjs';
import { addRunner, startRunner } from './support/runner_hosts.mjs';
import { addCoder, endedRuns, kCycle, liveRun, openTeam, runnerNamed } from './support/runner_team.mjs';
import { startServer } from './support/server.mjs';
import { until } from './support/until.mjs';
import { WallClock } from './support/wall_clock.mjs';

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

test('a secret that only the host of a run knows does not reach the server', async (t) => {
  const { place, server, add } = await openTeam(t);
  const data = place.path('runner-east');
  installAgent(data, 'coder', 'cat > /dev/null; key=$SHOP_API_KEY; echo "line $key"; andon note $ANDON_TASK "note $key"; andon create "title $key" --body "body $key"; echo "file $key" > notes.txt; andon attachments add $ANDON_TASK notes.txt; andon done --result "made $key"');
  installProfile(data, 'coder', [`${data}/scripts/coder`], { env: { SHOP_API_KEY: 'sk/of "east"-1234' } });
  await add('east', { index: 1 });
  await addCoder(server);
  const task = await newTask(server, 'Make the cart', { status: 'todo' });
  const [run] = await endedRuns(server, task, 1);
  assert.deepEqual([run.outcome, run.result], ['succeeded', 'made [redacted]'], JSON.stringify(run));
  const { items: events } = await server.http.get('/events');
  assert.ok(events.some((event) => event.data?.text === 'note [redacted]'), JSON.stringify(events));
  const { items: tasks } = await server.http.get('/tasks?board=shop');
  assert.ok(tasks.some((each) => each.title === 'title [redacted]'), JSON.stringify(tasks));
  const file = await fetch(`${server.url}/api/v1/tasks/${task.id}/attachments/notes.txt`, { headers: { Authorization: `Bearer ${server.token}` } });
  assert.equal(await file.text(), 'file [redacted]\n');
  const output = await until('the output is here', async () => {
    const { items } = await server.http.get(`/runs/${run.id}/output`);
    return items.length > 0 && items;
  });
  assert.match(JSON.stringify(output), /line \[redacted\]/);
});

test('lines of a run wait while the server cannot keep them, and come once', async (t) => {
  const { place, server, add } = await openTeam(t);
  const go = place.path('go');
  await add('east', { index: 1, script: `cat > /dev/null; echo before; ${waitFor(go)}; echo meanwhile; andon done --result made` });
  await addCoder(server);
  const task = await newTask(server, 'Say much', { status: 'todo' });
  const run = await liveRun(server, task);
  const output = `/runs/${run.id}/output`;
  const texts = async () => (await server.http.get(output)).items.map((item) => item.text).filter((text) => ['before', 'meanwhile'].includes(text));
  const directory = place.path('data', 'work', 'runs', String(run.id));
  await until('the first line is here', async () => (await texts()).length === 1 && existsSync(`${directory}/output.place`));
  const last = readFileSync(`${directory}/output.place`, 'utf8');
  renameSync(directory, `${directory}.away`);
  writeFileSync(directory, '');
  const items = [{ at: new Date().toISOString(), stream: 'text', text: 'lost?' }];
  const refused = await server.http.ask('POST', output, { items, since: '', next: 'x' });
  assert.ok([500, 507].includes(refused.status) && refused.body.error, JSON.stringify(refused.body));
  writeFileSync(go, '');
  await endedRuns(server, task, 1);
  rmSync(directory);
  renameSync(`${directory}.away`, directory);
  await until('the other line came', async () => (await texts()).length === 2);
  await until('its place is known', () => readFileSync(`${directory}/output.place`, 'utf8') !== last);
  assert.deepEqual(await texts(), ['before', 'meanwhile']);
  assert.equal(readdirSync(directory).filter((name) => /^output\.\d+/.test(name)).length, 1, 'the log has one part');
});

test('a kill and a freeze reach a run on another host at once', async (t) => {
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
  await until('the agent stands still', isStill);
  await server.http.post('/dispatch/thaw');
  await until('the agent goes on', async () => !(await isStill()));
  await server.http.post(`/tasks/${task.id}/kill`);
  const [run] = await until('the run has ended', async () => {
    const runs = await runsOf(server, task);
    return runs[0].state === 'ended' && runs;
  });
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

test('a revoked runner ends within seconds, also while an agent waits for an answer and a program hangs in its test', async (t) => {
  const { place, server, add } = await openTeam(t);
  const data = place.path('runner-east');
  const tested = place.path('tested');
  installAgent(data, 'hangs', `[ "$1" = --version ] && { echo 1.0; exit; }; : > ${tested}; exec sleep 600`);
  installProfile(data, 'hangs', [place.path('runner-east', 'scripts', 'hangs')], { detect: { version_argv: ['--version'], help_argv: [['a'], ['b'], ['c']] } });
  const sign = place.path('sign');
  const east = await add('east', { index: 1, script: `cat > /dev/null; echo asks; andon pick --wait 60s; sleep 600; : ${sign}` });
  await addCoder(server, { capacity: 2 });
  const task = await newTask(server, 'Wait for more', { status: 'todo' });
  const run = await liveRun(server, task);
  await until('the agent asks', async () => (await server.http.get(`/runs/${run.id}/output`)).items.some((item) => item.text === 'asks'));
  await until('the program is being tested', () => existsSync(tested));
  await server.andon('runners', 'revoke', 'east', '--yes');
  await until('the revoked runner has ended', () => east.exit, 30_000);
  assert.deepEqual(east.exit, { code: 78, signal: null }, east.log);
  assert.deepEqual(processesNaming(sign), []);
});

test('a runner works through a tunnel that ends at another port', async (t) => {
  const { place, server } = await openTeam(t);
  const sockets = new Set();
  const tunnel = createServer((near) => {
    const far = connect(new URL(server.url).port, '127.0.0.1');
    for (const [from, to] of [[near, far], [far, near]]) {
      sockets.add(from);
      from.on('error', () => {}).on('close', () => to.destroy());
      from.pipe(to);
    }
  });
  await new Promise((ready) => tunnel.listen(0, '127.0.0.1', ready));
  place.atEnd(() => new Promise((closed) => {
    for (const socket of sockets) socket.destroy();
    tunnel.close(closed);
  }));
  const url = `http://127.0.0.1:${tunnel.address().port}`;
  const data = place.path('runner-east');
  installAgent(data, 'coder', `cat > /dev/null; andon note $ANDON_TASK "from $ANDON_URL" > /dev/null && node -e '
fetch(process.env.ANDON_URL + "/mcp", { method: "POST", headers: { authorization: "Bearer " + process.env.ANDON_TOKEN, "content-type": "application/json", accept: "application/json, text/event-stream" }, body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "x", version: "1" } } }) }).then((r) => console.log("mcp", r.status))'
andon done --result made`);
  await startRunner(place, 'east', { url, tokenFile: await addRunner(place, server, 'east'), data });
  await addCoder(server);
  const task = await newTask(server, 'Work from afar', { status: 'todo' });
  const [run] = await endedRuns(server, task, 1);
  assert.deepEqual([run.runner, run.outcome, run.result], ['east', 'succeeded', 'made'], JSON.stringify(run));
  await until('the output is here', async () => (await server.http.get(`/runs/${run.id}/output`)).items.some((item) => item.text === 'mcp 200'));
  const asked = await andon(place, ['--server', url, 'show', String(task.id)], { env: { ANDON_TOKEN: server.token } });
  assert.equal(asked.code, 0, asked.err);
  const page = (headers) => fetch(`${url}/api/v1/boards`, { headers: { authorization: `Bearer ${server.token}`, ...headers } });
  assert.equal((await page({ origin: url })).status, 200);
  assert.equal((await page({ origin: 'http://127.0.0.1:3000' })).status, 403);
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
  clock.stepBy(3600); // earlier, the certificate would not be valid yet
  const go = place.path('go');
  await add('east', { index: 1, env: clock.env, script: `cat > /dev/null; ${waitFor(go)}; andon done --result made` });
  await addCoder(server);
  const task = await newTask(server, 'Work an hour ahead', { status: 'todo' });
  const run = await liveRun(server, task);
  clock.stepBy(-7200);
  clock.stepBy(3600);
  await new Promise((pass) => setTimeout(pass, 12_000));
  assert.equal((await runnerNamed(server, 'east')).alive, true);
  assert.equal((await server.http.get(`/runs/${run.id}`)).state, 'running');
  writeFileSync(go, '');
  const [end] = await endedRuns(server, task, 1);
  assert.deepEqual([end.id, end.outcome], [run.id, 'succeeded']);
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
