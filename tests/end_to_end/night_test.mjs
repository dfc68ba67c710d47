import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { lastingAddress } from './support/address.mjs';
import { wakeWaiting } from './support/agents.mjs';
import { Chance } from './support/chance.mjs';
import { folded, isGapFree } from './support/history.mjs';
import { hireAgents, readLedger } from './support/night_shift.mjs';
import { hireLedgerAgents, kDeeds, readDeeds } from './support/ledger_night.mjs';
import { openPlace } from './support/place.mjs';
import { agentAndSupervisor, killAll, processesNaming } from './support/processes.mjs';
import { makeRepository } from './support/repository.mjs';
import { startServer } from './support/server.mjs';
import { until } from './support/until.mjs';

const kTasks = Number(process.env.ANDON_NIGHT_TASKS ?? 48);
const kLedgerTasks = Number(process.env.ANDON_NIGHT_TASKS ?? 30);
const kSeed = Number(process.env.ANDON_NIGHT_SEED ?? Date.now() % 1_000_000);
const kAccounts = ['day', 'night'];
const kBetweenLooks = 150; // ms
const kLongest = 240_000 + kTasks * 2_000; // ms
const kActs = 3 + Math.floor(kTasks / 8); // of violence

// What an agent does at its attempts, and where its task is in the morning.
const kPlans = [
  ['done', 'done'], ['quiet', 'done'], ['fail done', 'done'], ['crash done', 'done'], ['exit quiet', 'done'], ['hang done', 'done'],
  ['limit done', 'done'], ['daemon', 'done'], ['empty', 'done'], ['exit fail done', 'done'], ['fail', 'failed'], ['same', 'failed'],
  ['block', 'blocked'], ['endless', 'killed'],
];

const isSettled = (task) => task.blocked || ['done', 'failed', 'archived'].includes(task.stage) || (task.stage === 'backlog' && !task.approved);

class Night {
  constructor(place, chance) {
    Object.assign(this, { place, chance, morning: new Map(), hurt: new Set(), killed: new Set(), acts: 0 });
  }

  async begin() {
    this.server = await startServer(this.place);
    hireAgents(this.place, this.server.data, kAccounts);
    const { http } = this.server;
    await http.post('/boards', { name: 'night', template: 'queue', review_by: 'role:critic', max_concurrent: 10 });
    await http.told('PATCH', '/boards/night', { chains: [], add_columns: [{ name: 'blocked', stage: 'blocked' }] });
    const team = [['planner', 'planner'], ['critic1', 'critic'], ['critic2', 'critic'], ['tester', 'qa']];
    for (let n = 1; n <= 6; n++) team.push([`coder${n}`, 'coder']);
    for (const [index, [name, role]] of team.entries()) await http.post('/workers', { name, role, agent: kAccounts[index % 2] });
  }

  // Two thirds are there in the evening, the planner thinks of the rest when the queue runs dry.
  async fill() {
    const plans = Array.from({ length: kTasks }, (_, n) => {
      const [plan, end] = n < kPlans.length ? kPlans[n] : this.chance.one(kPlans);
      const title = `Work ${n}${this.chance.below(4) === 0 ? ' [picky]' : ''}`;
      this.morning.set(title, { plan, end, chain: n % 3 === 0 });
      return { title, plan };
    });
    const evening = plans.splice(0, Math.ceil((kTasks * 2) / 3));
    writeFileSync(this.place.path('plans'), plans.map(({ title, plan }) => `${title}|${plan}\n`).join(''));
    const items = evening.map(({ title, plan }) => ({
      title, board: 'night', status: 'ready', role: 'coder', body: `plan: ${plan}`, max_attempts: plan === 'fail' ? 3 : 9,
      ...(this.morning.get(title).chain && { next_tasks: [{ title: `Test {{parent.id}}`, role: 'qa', review: 'none', body: 'plan: done' }] }),
    }));
    await this.server.http.post('/tasks', items);
    await this.server.http.post('/automations', { name: 'refill', board: 'night', after: '1s', template: { title: 'Plan more', role: 'planner' } });
  }

  tasks() {
    return this.server.http.get('/tasks?board=night&archived=true&limit=500').then((page) => page.items);
  }

  isPlanned() {
    return readFileSync(this.place.path('plans'), 'utf8') === '';
  }

  // A look of the one who watches: what waits by the clock alone goes on at once, and who was sent away comes back.
  async look() {
    const { http } = this.server;
    const tasks = await this.tasks();
    await wakeWaiting(http, tasks);
    for (const worker of (await http.get('/workers')).items) if (worker.paused) await http.post(`/workers/${worker.name}/resume`);
    const { starts } = readLedger(this.place);
    for (const { task, word } of starts)
      if (word === 'endless' && !this.killed.has(task)) {
        const { status } = await http.ask('POST', `/tasks/${task}/kill`, {});
        if (status === 202) this.killed.add(task);
      }
    if (this.acts < kActs && starts.length >= (this.acts + 1) * 4) await this.hurtSomebody(starts);
    return tasks;
  }

  async hurtSomebody(starts) {
    this.acts++;
    if (this.acts % 3 === 1) return this.killServer();
    // Two ends by the same signal park a task, and that would be our doing.
    const crashed = new Set(starts.filter(({ word }) => word === 'crash').map(({ task }) => task));
    const victims = starts.filter(({ task, word }) => ['done', 'quiet', 'none'].includes(word) && !this.hurt.has(task) && !crashed.has(task))
      .map((start) => ({ task: start.task, pids: agentAndSupervisor(start, this.server) })).filter(({ pids }) => pids.length);
    if (victims.length === 0) return;
    const { task, pids } = this.chance.one(victims);
    this.hurt.add(task);
    killAll([this.chance.one(pids)]);
  }

  async killServer() {
    await this.server.end('SIGKILL');
    this.server = await startServer(this.place);
  }

  async untilMorning() {
    const deadline = Date.now() + kLongest;
    for (let last = []; ; await pause(kBetweenLooks)) {
      last = await this.look();
      const open = last.filter((task) => !isSettled(task) && task.title !== 'Plan more');
      if (open.length === 0 && this.isPlanned()) return;
      assert.ok(Date.now() < deadline, `still open: ${JSON.stringify(open)}; to be planned: ${readFileSync(this.place.path('plans'), 'utf8')}; ${JSON.stringify(last.filter((task) => task.title === 'Plan more'))}\n${this.server.log}`);
    }
  }

  // Nobody plans any more, and nothing runs.
  async end() {
    await this.server.http.told('PATCH', '/automations/refill', { enabled: false });
    await until('the last run has ended', async () => {
      const tasks = await this.look();
      return tasks.every(isSettled) && (await this.server.http.get('/dispatch')).running === 0;
    });
    await until('nobody is left but the server', () => processesNaming(this.place.root).every((pid) => pid === this.server.pid));
  }
}

async function checkEnds(night, tasks) {
  const stages = { done: 'done', failed: 'failed', killed: 'backlog' };
  for (const [title, { plan, end }] of night.morning) {
    const found = tasks.filter((task) => task.title === title);
    assert.ok(found.length >= 1, `"${title}" was made`);
    for (const task of found) {
      const { items: runs } = await night.server.http.get(`/tasks/${task.id}/runs`);
      const told = `${title} (${plan}): ${JSON.stringify(task)} ${JSON.stringify(runs.map(({ id, outcome, reason }) => [id, outcome, reason]))}`;
      if (end === 'blocked') assert.ok(task.blocked, told);
      else assert.equal(task.stage, stages[end], told);
      assert.equal(task.claimed_by, undefined, told);
      assert.ok(task.attempt <= task.max_attempts, told);
    }
  }
}

function checkChains(night, tasks) {
  for (const task of tasks.filter((one) => night.morning.has(one.title) && one.next_tasks)) {
    const children = tasks.filter((child) => child.parent === task.id && child.title === `Test ${task.id}`);
    assert.equal(children.length, task.stage === 'done' ? 1 : 0, `children of ${JSON.stringify(task)}`);
    for (const child of children) assert.equal(child.stage, 'done', JSON.stringify(child));
  }
}

async function checkRuns(night, tasks, history) {
  const { starts, doubles } = readLedger(night.place);
  assert.deepEqual(doubles, [], 'no task has two agents at once');
  assert.equal(new Set(starts.map((start) => start.run)).size, starts.length, 'no run starts its agent twice');
  for (const task of tasks)
    for (const run of (await night.server.http.get(`/tasks/${task.id}/runs`)).items) {
      assert.equal(run.state, 'ended', JSON.stringify(run));
      const told = history.runs.get(run.id);
      assert.deepEqual([told.ends, told.outcome], [1, run.outcome], `the history of run ${run.id}`);
      assert.ok(told.starts <= 1, `run ${run.id} started ${told.starts} times`);
    }
}

test(`a night with crashes ends as the rules say (ANDON_NIGHT_SEED=${kSeed})`, { timeout: kLongest + 240_000 }, async (t) => {
  const night = new Night(openPlace(t), new Chance(kSeed));
  await night.begin();
  await night.fill();
  await night.untilMorning();
  await night.end();

  const tasks = await night.tasks();
  const events = await night.server.http.events();
  t.diagnostic(`${tasks.length} tasks, ${readLedger(night.place).starts.length} agents, ${events.length} events, ${night.acts} acts of violence`);
  await checkEnds(night, tasks);
  checkChains(night, tasks);
  assert.ok(isGapFree(events));
  const history = folded(events);
  for (const task of tasks) assert.equal(history.tasks.get(task.id), task.status, `the history of task ${task.id}`);
  await checkRuns(night, tasks, history);
  const fired = events.filter((event) => event.kind === 'automation.fired');
  assert.ok(fired.length > 0, 'the dry queue was filled');
  assert.equal(tasks.filter((task) => task.title === 'Plan more').length, fired.length);
});

// ---- The ledger: work in a repository, by agents that lie, conflict, hang and crash.

const kLastWords = Object.keys(kDeeds).filter((word) => kDeeds[word].end);
const kFirstWords = ['broken', 'crash', 'exit', 'hang', 'limit', 'conflict'];

// A plan is what an agent does at its attempts; after a conflict it joins its work with the others'.
function makePlan(chance, n) {
  const last = n < kLastWords.length ? kLastWords[n] : chance.one(kLastWords);
  if (['fail'].includes(last) || n < kLastWords.length) return [last];
  // Failing twice for one reason parks a task, and what an attempt broke stays broken until a later one changes it.
  const drawn = new Set(Array.from({ length: chance.below(3) }, () => chance.one(kFirstWords)));
  const words = [...drawn].filter((word) => word !== 'broken' || kDeeds[last].change);
  if (words.includes('conflict')) return [...words.filter((word) => word !== 'conflict'), 'conflict', 'resolve'];
  return [...words, last];
}

class LedgerNight {
  constructor(place, chance) {
    Object.assign(this, { place, chance, plans: new Map(), kills: 0 });
  }

  async begin() {
    this.repository = makeRepository(this.place);
    this.listen = await lastingAddress(); // its agents know it, also after a crash
    this.server = await startServer(this.place, { listen: this.listen });
    hireLedgerAgents(this.place, this.server.data, kAccounts);
    const { http } = this.server;
    await http.post('/boards', {
      name: 'shop', template: 'classic', repo: this.repository.directory, worktree: true, max_concurrent: 8,
      checks: { unit: ['sh', '-c', 'test ! -e broken || { echo "it is broken"; exit 1; }'] },
    });
    for (let n = 0; n < 8; n++) await http.post('/workers', { name: `dev${n}`, role: 'coder', agent: kAccounts[n % 2] });
    const items = Array.from({ length: kLedgerTasks }, (_, n) => {
      const plan = makePlan(this.chance, n);
      this.plans.set(`Piece ${n}`, plan);
      return { title: `Piece ${n}`, board: 'shop', status: 'todo', role: 'coder', body: `plan: ${plan.join(' ')}`, max_attempts: plan[0] === 'fail' ? 2 : 12 };
    });
    await http.post('/tasks', items);
  }

  tasks() {
    return this.server.http.get('/tasks?board=shop&archived=true&limit=500').then((page) => page.items);
  }

  async look() {
    const { http } = this.server;
    const tasks = await this.tasks();
    for (const task of tasks)
      if (task.stage === 'ready' && task.not_before && Date.parse(task.not_before) > Date.now())
        await http.ask('PATCH', `/tasks/${task.id}`, { not_before: new Date().toISOString() });
    for (const worker of (await http.get('/workers')).items) if (worker.paused) await http.post(`/workers/${worker.name}/resume`);
    if (this.kills < 2 && readDeeds(this.place).size >= (this.kills + 1) * 8 + this.chance.below(4)) {
      this.kills++;
      await this.server.end('SIGKILL');
      this.server = await startServer(this.place, { listen: this.listen });
    }
    return tasks;
  }

  async untilMorning() {
    const deadline = Date.now() + 240_000 + kLedgerTasks * 2_000;
    for (;;) {
      const tasks = await this.look();
      const open = tasks.filter((task) => !isSettled(task));
      if (open.length === 0 && (await this.server.http.get('/dispatch')).running === 0) return tasks;
      assert.ok(Date.now() < deadline, `stuck: ${JSON.stringify(open)}\n${this.server.log}`);
      await pause(kBetweenLooks);
    }
  }
}

// A run of which no agent started: the server was killed before, or its account closed between the pick and the
// start. The second kind is taken back without a counted attempt.
const wasTakenBack = (run) => run.outcome === 'killed' && !run.process;
const neverStarted = (run) => run.outcome === 'lost' || wasTakenBack(run);

// The board says of every run what its agent did, and of every task what its runs came to.
async function checkLedger(night, tasks, events) {
  const deeds = readDeeds(night.place);
  const history = folded(events);
  const landed = new Set(night.repository.sh('git ls-tree --name-only main').split('\n'));
  for (const task of tasks) {
    const plan = night.plans.get(task.title);
    const { end } = kDeeds[plan.at(-1)];
    const { items: runs } = await night.server.http.get(`/tasks/${task.id}/runs`);
    const told = `${plan.join(' ')}: ${JSON.stringify(task)} ${JSON.stringify(runs)}`;
    for (const run of runs) {
      const deed = deeds.get(run.id);
      assert.ok(deed || neverStarted(run), `run ${run.id} is in the ledger: ${told}`);
      if (!deed) continue;
      assert.equal(deed.starts, 1, told);
      assert.deepEqual([run.state, run.outcome], ['ended', kDeeds[deed.word].outcome], `${deed.word}: ${told}`);
      if (run.outcome === 'succeeded') assert.ok(deed.changed || deed.word === 'unchanged', `nothing was done: ${told}`);
      if (run.files_changed || run.commits?.length) assert.ok(deed.changed, `no change was made: ${told}`);
      assert.deepEqual([history.runs.get(run.id).ends, history.runs.get(run.id).outcome], [1, run.outcome], `the history of run ${run.id}`);
      if (run.outcome !== 'succeeded') assert.ok(run.reason, `a reason: ${told}`);
    }
    assert.equal(task.blocked ? 'blocked' : task.stage, end, told);
    assert.equal(task.claimed_by, undefined, told);
    if (end === 'blocked') assert.ok(task.block_reason, told);
    const counted = runs.filter((run) => run.outcome !== 'rate_limited' && !wasTakenBack(run)).length;
    assert.equal(task.attempt, counted, `attempts: ${told}`);
    const isThere = landed.has(`work-${task.id}`);
    assert.equal(isThere, end === 'done' && plan.at(-1) !== 'unchanged', `what landed: ${told}`);
    assert.equal(history.tasks.get(task.id), task.status, `the history of task ${task.id}`);
  }
  return deeds;
}

test(`a night of work agrees with its ledger (ANDON_NIGHT_SEED=${kSeed})`, { timeout: 480_000 + kLedgerTasks * 2_500 }, async (t) => {
  const night = new LedgerNight(openPlace(t), new Chance(kSeed));
  await night.begin();
  const tasks = await night.untilMorning();
  const events = await night.server.http.events();
  assert.ok(isGapFree(events));
  const deeds = await checkLedger(night, tasks, events);
  t.diagnostic(`${tasks.length} tasks, ${deeds.size} runs, ${events.length} events, ${night.kills} kills of the server`);
  await until('nobody is left but the server', () => processesNaming(night.place.root).every((pid) => pid === night.server.pid));
});
