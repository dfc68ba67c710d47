// A night of many agents on five runners, three of which have a bad time. Each agent writes a ledger outside of the board:
// the board agrees with it in every run. ANDON_RUNNER_NIGHT=600 makes it last ten minutes, with a hundred agents at once.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Chance } from './support/chance.mjs';
import { installAgent } from './support/agents.mjs';
import { openPlace } from './support/place.mjs';
import { processesNaming } from './support/processes.mjs';
import { addRunner, canMakeHosts, openHost, openTlsProxy, startRunner } from './support/runner_hosts.mjs';
import { startServer } from './support/server.mjs';
import { until } from './support/until.mjs';

const kSeconds = Number(process.env.ANDON_RUNNER_NIGHT ?? 25);
const kSeed = Number(process.env.ANDON_NIGHT_SEED ?? Date.now() % 1_000_000);
const kRunners = 5;
const kAtOnce = kSeconds >= 300 ? 100 : 30; // agents

const scriptOf = (ledger) => `cat > /dev/null
echo "start $(date +%s%3N)" >> ${ledger}/$ANDON_RUN
echo "out of run $ANDON_RUN"
i=0; while [ $i -lt $((ANDON_RUN % 5 * 5 + 5)) ]; do date +%s%3N > ${ledger}/$ANDON_RUN.alive; i=$((i+1)); sleep 0.2; done
case $((ANDON_RUN % 10)) in 7) echo "fail" >> ${ledger}/$ANDON_RUN; exit 3 ;; esac
echo "work" >> ${ledger}/$ANDON_RUN
andon done --result "made by run $ANDON_RUN" > /dev/null || { echo "unheard" >> ${ledger}/$ANDON_RUN; exit 3; }`;

test(`many agents on five runners agree with their ledger (ANDON_NIGHT_SEED=${kSeed})`, { skip: !canMakeHosts() && 'this machine makes no hosts', timeout: (kSeconds + 400) * 1000 }, async (t) => {
  const place = openPlace(t);
  const chance = new Chance(kSeed);
  const ledger = place.path('ledger');
  mkdirSync(ledger);
  let server = await startServer(place, { flags: ['--no-runner'] });
  const proxy = await openTlsProxy(place);
  proxy.server = server;
  await server.http.post('/boards', { name: 'shop' });
  const runners = [];
  for (let i = 1; i <= kRunners; ++i) {
    const name = `r${i}`;
    const host = openHost(place, i);
    const data = place.path(`runner-${name}`);
    installAgent(data, 'coder', scriptOf(ledger));
    const tokenFile = await addRunner(place, server, name);
    const start = () => startRunner(place, name, { url: `https://${host.near}:${proxy.port}`, tokenFile, host, data, flags: ['--ca-file', proxy.certificates, '--slots', String(kAtOnce / kRunners)] });
    runners.push({ name, host, start, running: await start() });
  }
  proxy.delays.set(runners[3].host.near, { wait: 100, lost: 0.03 });
  await until('the server knows all agents', async () => (await server.http.get('/runners')).items.filter((runner) => runner.agents?.some((agent) => agent.id === 'coder' && !agent.problem)).length === kRunners);
  for (let i = 0; i < kAtOnce / 10; ++i) await server.http.post('/workers', { name: `w${i}`, agent: 'coder', takes_unassigned: true, capacity: 10 });
  const count = Math.max(kAtOnce * 2, Math.floor(kSeconds * kAtOnce / 6));
  const tasks = [];
  for (let i = 0; i < count; i += 100) {
    const items = Array.from({ length: Math.min(100, count - i) }, (_, at) => ({ board: 'shop', title: `Part ${i + at}`, status: 'todo', max_attempts: 50 }));
    tasks.push(...(await server.http.post('/tasks', items)).items);
  }

  const until_ = Date.now() + kSeconds * 1000;
  while (Date.now() < until_) {
    await pause(2_000 + chance.below(3_000));
    const victim = runners[chance.below(3)];
    const deed = chance.below(4);
    if (deed === 0) {
      victim.host.cutOff();
      await pause(1_000 + chance.below(kSeconds >= 300 ? 90_000 : 4_000));
      victim.host.join();
    } else if (deed === 1) {
      await victim.running.end('SIGKILL');
      await pause(chance.below(3_000));
      victim.running = await victim.start();
    } else if (deed === 2) {
      victim.host.loseAnswers();
      await pause(1_000 + chance.below(3_000));
      victim.host.findAnswers();
    } else {
      await server.end(chance.below(2) ? 'SIGKILL' : 'SIGTERM');
      server = await startServer(place, { flags: ['--no-runner'] });
      proxy.server = server;
    }
  }
  const open = async () => {
    const { columns } = await server.http.get('/boards/shop');
    const unfinished = columns.filter((column) => column.count && column.stage !== 'done').map((column) => `&status=${column.name}`);
    return unfinished.length === 0 ? [] : (await server.http.get(`/tasks?board=shop&limit=500${unfinished.join('')}`)).items;
  };
  for (const end = Date.now() + 300_000; ; await pause(500)) {
    const left = await open();
    for (const task of left) if (task.not_before) await server.http.ask('PATCH', `/tasks/${task.id}`, { not_before: new Date().toISOString() });
    if (left.length === 0 && (await server.http.get('/dispatch')).running === 0) break;
    assert.ok(Date.now() < end, `stuck: ${JSON.stringify(left.slice(0, 5))}\n${runners.map((runner) => runner.running.log.slice(-1500)).join('\n')}`);
  }

  // Reports of what was given up may come a moment later.
  let runs = 0;
  let lost = 0;
  const told = new Set();
  for (const { id } of tasks) {
    const { items } = await server.http.get(`/tasks/${id}/runs`);
    assert.equal(items.filter((run) => run.outcome === 'succeeded').length, 1, `task ${id}: ${JSON.stringify(items)}`);
    for (const run of items) {
      ++runs;
      told.add(String(run.id));
      const file = `${ledger}/${run.id}`;
      const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
      assert.ok(lines.filter((line) => line.startsWith('start')).length <= 1, `run ${run.id} started twice`);
      if (run.outcome === 'succeeded') assert.ok(lines.includes('work'), `run ${run.id} succeeded without work`);
      if (run.outcome === 'failed') assert.ok(lines.includes('fail') || lines.includes('unheard'), `run ${run.id} failed: ${run.reason}, ${lines}`);
      if (run.outcome === 'lost') ++lost;
      assert.ok(['succeeded', 'failed', 'lost', 'killed'].includes(run.outcome), JSON.stringify(run));
      if (run.outcome === 'killed') assert.deepEqual(lines, [], JSON.stringify(run));
      const alive = existsSync(`${file}.alive`) ? Number(readFileSync(`${file}.alive`, 'utf8')) : 0;
      assert.ok(alive <= Date.parse(run.ended) + 500, `the agent of run ${run.id} lived at ${alive}, the board ended it at ${run.ended}`);
    }
  }
  for (const name of readdirSync(ledger)) if (/^\d+$/.test(name)) assert.ok(told.has(name), `run ${name} is not on the board`);
  t.diagnostic(`${tasks.length} tasks, ${runs} runs, ${lost} lost, ${proxy.requests} requests`);
  for (const runner of runners) await runner.running.end();
  await until('no agent is left', () => processesNaming(ledger).length === 0);
});
