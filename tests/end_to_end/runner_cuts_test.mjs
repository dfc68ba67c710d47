// Runners that are drained, revoked, cut off, killed, cloned or without disk.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { newTask, readTask, runsOf, waitFor } from './support/agents.mjs';
import { FastTime } from './support/fast_time.mjs';
import { processesNaming } from './support/processes.mjs';
import { startRunner } from './support/runner_hosts.mjs';
import { addCoder, endedRuns, kCycle, kHosts, liveRun, openTeam, runnerNamed } from './support/runner_team.mjs';
import { until } from './support/until.mjs';

// Leases of a minute and what follows take a third of that.
const kRate = 3;

// Side by side, each on hosts of its own: they wait for leases to end.
describe('runners:', { concurrency: true }, () => {
  test('a drained runner ends after its last run, and a revoked one ends its agents', async (t) => {
    const { place, server, add } = await openTeam(t, new FastTime(kRate));
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
    const time = new FastTime(kRate);
    const { place, server, proxy, add } = await openTeam(t, time);
    const signs = place.path('signs');
    mkdirSync(signs);
    // Each agent notes every tenth of a second that it lives: a ledger outside of the board.
    const script = `cat > /dev/null; echo output of $ANDON_RUN; i=0; while [ $i -lt 3000 ]; do date +%s%3N > ${signs}/$ANDON_TASK.$ANDON_RUN; i=$((i+1)); sleep 0.1; done`;
    const hosts = {};
    for (const [at, name] of ['cut', 'dark', 'dead', 'slow'].entries()) hosts[name] = await add(name, { index: at + 3, script });
    proxy.delays.set(hosts.slow.host.near, { wait: 200 / kRate, lost: 0.03, again: 1_000 / kRate });
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
    const begun = time.now;
    hosts.cut.host.cutOff();
    hosts.dark.host.loseAnswers();
    await hosts.dead.end('SIGKILL');
    // A copy of the host that is alive is refused.
    cpSync(hosts.slow.data, place.path('clone'), { recursive: true, filter: (from) => !from.endsWith('.sock') });
    const clone = await startRunner(place, 'slow', { url: hosts.slow.url, tokenFile: hosts.slow.tokenFile, host: hosts.slow.host, data: place.path('clone'), env: time.env, flags: ['--ca-file', proxy.certificates], isReady: false });
    await until('the clone is refused', () => clone.exit);
    assert.match(clone.log, /is at work on host/);

    const taken = {};
    await until('the lost tasks are taken by the host that is left', async () => {
      for (const name of ['cut', 'dark', 'dead']) {
        const runs = await runsOf(server, first[name].task);
        const lost = runs.find((run) => run.id === first[name].run.id);
        if (lost.state === 'ended') taken[name] ??= { at: time.now, lost };
      }
      return Object.keys(taken).length === 3;
    }, kCycle);
    for (const [name, { at, lost }] of Object.entries(taken)) {
      assert.equal(lost.outcome, 'lost', name);
      assert.ok(at - begun <= 60_000 + 15_000 + 10_000, `${name} was taken over after ${at - begun} ms`);
      const sign = time.at(Number(readFileSync(`${signs}/${first[name].task.id}.${first[name].run.id}`, 'utf8')));
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

  test('a runner with a full disk gives the task back and says why', async (t) => {
    const { server, add } = await openTeam(t, new FastTime(kRate));
    const east = await add('east', { index: 7, script: 'cat > /dev/null; andon done --result made' });
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
});
