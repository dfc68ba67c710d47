// Each program at each unusual end: what the board says is what happened, and nothing of the program survives.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runsOf } from '../end_to_end/support/agents.mjs';
import { isAlive, parentOf, processesNaming } from '../end_to_end/support/processes.mjs';
import { startServer } from '../end_to_end/support/server.mjs';
import { until } from '../end_to_end/support/until.mjs';
import { kLimitResets } from '../support/stand_in_model/scenarios.mjs';
import { kOffline } from './offline.mjs';
import { begin, endOf, kRunTime, openShop, reasonToSkip, runOf } from './shop.mjs';

// The run's directory of work, when its agent has written that file there.
async function atWork({ server, data }, task, file) {
  return until(`the agent writes ${file}`, async () => {
    const [run] = await runsOf(server, task);
    const directory = run && join(data, 'work', 'runs', String(run.id), 'work');
    const path = directory && join(directory, file);
    return path && existsSync(path) && readFileSync(path, 'utf8').endsWith('\n') && { run, directory, pid: Number(readFileSync(path, 'utf8')) };
  }, kRunTime);
}

// The agent's program: the ancestor of its shell that the supervising process started.
function programAbove(pid, supervisor) {
  let one = pid;
  while (parentOf(one) !== supervisor && parentOf(one) > 1) one = parentOf(one);
  return one;
}

const nothingIsLeft = ({ data }, run) =>
  until('nothing of the run is left', () => processesNaming(`ANDON_RUN_DIR=${data}/work/runs/${run.id}`).length === 0, 20_000);

const kEnds = {
  'is killed in the middle of a tool call': async (opened) => {
    const task = await begin(opened.server);
    const { run, pid } = await atWork(opened, task, 'shell');
    await opened.server.http.post(`/tasks/${task.id}/kill`, {});
    const end = await endOf(opened.server, task);
    assert.deepEqual([end.run.outcome, end.task.stage], ['killed', 'backlog'], end.output);
    assert.equal(isAlive(pid), false, 'its shell has ended');
    await nothingIsLeft(opened, run);
  },
  'goes on while the server is dead, and reports to the next one': async (opened) => {
    const { place, data, env } = opened;
    const task = await begin(opened.server);
    const { directory, pid } = await atWork(opened, task, 'shell');
    const { port } = new URL(opened.server.url);
    await opened.server.end('SIGKILL');
    assert.equal(isAlive(pid), true, 'its shell goes on');
    const server = await startServer(place, { data, env, listen: `127.0.0.1:${port}` });
    writeFileSync(join(directory, 'go'), '');
    const end = await endOf(server, task);
    assert.deepEqual([end.run.outcome, end.run.result, end.task.stage], ['succeeded', 'said hello', 'done'], end.output);
  },
  'dies in the middle of a tool call': async (opened) => {
    const task = await begin(opened.server);
    const { run, pid } = await atWork(opened, task, 'shell');
    process.kill(programAbove(pid, (await runsOf(opened.server, task))[0].pid), 'SIGKILL');
    const end = await endOf(opened.server, task);
    assert.ok(['failed', 'lost'].includes(end.run.outcome), `${end.run.outcome}: ${end.run.reason}\n${end.output}`);
    assert.notEqual(end.task.stage, 'done');
    assert.equal(isAlive(pid), false, 'its shell has ended');
    await nothingIsLeft(opened, run);
  },
  'leaves a process behind': async (opened) => {
    const task = await begin(opened.server);
    const { run, pid } = await atWork(opened, task, 'daemon');
    const end = await endOf(opened.server, task);
    assert.deepEqual([end.run.outcome, end.task.stage], ['succeeded', 'done'], end.output);
    assert.equal(isAlive(pid), false, 'what it left has ended');
    await nothingIsLeft(opened, run);
  },
  'hears only the beginning of each answer': async ({ server }) => {
    const { run, task, output } = await runOf(server);
    assert.notEqual(run.outcome, 'succeeded', output);
    assert.notEqual(task.stage, 'done', output);
  },
  'at a usage limit that tells when it ends': async ({ server, name }) => {
    const { run, task, output } = await runOf(server);
    if (kWaitsInSilence.includes(name)) return assert.deepEqual([run.outcome, task.stage === 'done'], ['timed_out', false], output);
    assert.equal(run.outcome, 'rate_limited', `${run.reason}\n${output}`);
    assert.equal(task.attempt, 0);
    const [account] = (await server.http.get('/accounts')).items;
    const until = Date.parse(account.limited_until);
    assert.ok(until > Date.now(), JSON.stringify(account));
    if (kTellsReset.includes(name)) assert.ok(Math.abs(until - kLimitResets * 1000) < 1000, `${account.limited_until}\n${output}`);
  },
  'takes a pulled main for its work': async (opened) => {
    const task = await begin(opened.server);
    await until('it works', async () => (await runsOf(opened.server, task)).find(({ pid }) => pid), kRunTime);
    const tree = join(opened.data, 'work', 'shop', `${task.id}-say-hello`);
    await until('it has a work tree', () => existsSync(join(tree, 'README')), kRunTime);
    const git = (...args) => execFileSync('git', ['-C', opened.place.path('repo'), '-c', 'user.name=A', '-c', 'user.email=a@example.invalid', ...args]);
    writeFileSync(join(opened.place.path('repo'), 'README'), 'a better shop\n');
    git('commit', '-qam', 'Mend');
    const end = await endOf(opened.server, task);
    assert.deepEqual([end.run.outcome, end.run.commits ?? [], end.run.files_changed ?? 0], ['incomplete', [], 0], end.output);
    assert.equal(end.task.flag, 'no evidence');
  },
};

const kScenarios = ['works', 'works', 'works', 'leaves', 'cut', 'resets', 'pulls'];
// The programs whose events name the time at which a limit ends. Others tell it in words alone, or not at all.
const kTellsReset = ['claude'];
// A program that waits for the end of a limit and prints nothing about it: the limit of silence ends it.
const kWaitsInSilence = ['opencode'];
// Claude's limits of a subscription are told to those that signed in with one.
const kSubscribed = { claude: { without: ['ANTHROPIC_API_KEY'], more: { CLAUDE_CODE_OAUTH_TOKEN: 'dummy' } } };

for (const name of Object.keys(kOffline))
  for (const [index, [title, check]] of Object.entries(kEnds).entries())
    test(`${name} ${title}`, { skip: reasonToSkip(name) }, async (t) => {
      const scenario = kScenarios[index];
      const shop = { repo: scenario === 'pulls', timeouts: { silence_s: 60 }, ...(scenario === 'resets' && kSubscribed[name]) };
      await check({ ...(await openShop(t, name, scenario, shop)), name });
    });
