// Nights of a company that runs itself on a repository: a planner in the morning and whenever the queue is dry, coders who commit, QA that
// reads and only says what it found. ANDON_NIGHTS nights of ANDON_NIGHT_SECONDS for each board; in the morning nothing waits for a person but
// what an agent asked.
import assert from 'node:assert/strict';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { lastingAddress } from './support/address.mjs';
import { wakeWaiting } from './support/agents.mjs';
import { Chance } from './support/chance.mjs';
import { hireCompanyAgent, kAgent, readStarts, think, unplanned } from './support/company_night.mjs';
import { folded, isGapFree } from './support/history.mjs';
import { openPlace } from './support/place.mjs';
import { agentAndSupervisor, killAll, processesNaming } from './support/processes.mjs';
import { makeRepository } from './support/repository.mjs';
import { startServer } from './support/server.mjs';
import { until } from './support/until.mjs';

const kNights = Number(process.env.ANDON_NIGHTS ?? 1);
const kNight = Number(process.env.ANDON_NIGHT_SECONDS ?? 15) * 1000; // ms
const kSeed = Number(process.env.ANDON_NIGHT_SEED ?? Date.now() % 1_000_000);
const kMorning = 180_000 + kNight; // ms; what was begun is finished
const kBetweenLooks = 150; // ms
const kCompany = fileURLToPath(new URL('../../examples/teams/company', import.meta.url));

// The acts of a worker at its attempts; all but the last kind of these end with work that has landed.
const kWork = [
  'commit', 'work', 'silent', 'commit', 'work', 'silent', 'crash commit', 'exit work', 'fail commit', 'broken work', 'limit silent', 'conflict resolve',
  'conflict resolve', 'hang commit', 'ask',
];
const isAsked = (plan) => plan.endsWith('ask');

const kBoards = {
  company: {
    makers: ['coder', 'coder', 'designer', 'marketing', 'writer', 'operations'],
    talkers: ['support', 'analyst', 'auditor'],
    async open(server, place) {
      const folder = place.path('team');
      cpSync(kCompany, folder, { recursive: true });
      writeFileSync(place.path('team', 'team.yml'), readFileSync(place.path('team', 'team.yml'), 'utf8').replaceAll('agent: claude', `agent: ${kAgent}`));
      await server.andon('apply', folder);
      await server.http.told('PATCH', '/automations/queue-dry', { after: '2s' });
    },
  },
  queue: {
    makers: ['coder'],
    talkers: [],
    async open(server) {
      await server.http.post('/boards', { name: 'queue', template: 'queue' });
      for (const name of ['planner', 'coder', 'qa', 'writer']) await server.http.post('/workers', { name, role: name, agent: kAgent });
      await server.http.post('/automations', { name: 'queue-dry', board: 'queue', after: '2s', template: { title: 'Fill the queue', role: 'planner' } });
    },
  },
};

class CompanyNight {
  constructor(place, chance, board) {
    Object.assign(this, { place, chance, board, plans: new Map(), hurt: new Set(), kills: 0, restarts: 0, seen: new Map() });
  }

  async begin() {
    const { http } = (this.server = await startServer(this.place, { listen: (this.listen = await lastingAddress()) }));
    this.repository = makeRepository(this.place);
    hireCompanyAgent(this.place, this.server.data);
    await kBoards[this.board].open(this.server, this.place);
    await http.told('PATCH', `/boards/${this.board}`, {
      repo: this.repository.directory, worktree: true, checks: { unit: ['sh', '-c', 'test ! -e broken || { echo "it is broken"; exit 1; }'] },
    });
    this.think();
    await http.post('/tasks', { board: this.board, title: 'Plan the day', role: 'planner', status: 'ready' });
    // The tasks of the evening have chains of their own, and nobody wants a verdict on those.
    const items = Array.from({ length: 2 + kNight / 20_000 }, (_, n) => {
      const title = `Evening ${n}`;
      this.plans.set(title, 'commit');
      return {
        title, board: this.board, status: 'ready', role: 'coder', body: 'plan: commit', max_attempts: 9,
        next_tasks: [
          { title: 'Read {{parent.id}}', role: 'qa', review: 'none' },
          { title: 'Tell of {{parent.id}}', role: 'writer', review: 'none', body: `plan: ${n % 2 ? 'words' : 'said'}` },
        ],
      };
    });
    await http.post('/tasks', items);
  }

  // The planner never lacks something to plan while it is night.
  think() {
    while (unplanned(this.place) < 4) {
      const { makers, talkers } = kBoards[this.board];
      const number = this.plans.size;
      const role = this.chance.one([...makers, ...talkers]);
      const plan = talkers.includes(role) ? this.chance.one(['words', 'said']) : this.chance.one(kWork);
      const title = `Work ${number}${this.board === 'company' && this.chance.below(5) === 0 ? ' [picky]' : ''}`;
      this.plans.set(title, plan);
      think(this.place, number, { role, title, plan });
    }
  }

  async tasks() {
    const items = [];
    for (let cursor = ''; ; ) {
      const page = await this.server.http.get(`/tasks?board=${this.board}&archived=true&limit=500${cursor}`);
      items.push(...page.items);
      if (!page.next) return items;
      cursor = `&cursor=${encodeURIComponent(page.next)}`;
    }
  }

  // Tasks that wait by the clock alone go on at once. Nothing else is done for anybody.
  async look() {
    const { http } = this.server;
    const tasks = await this.tasks();
    await wakeWaiting(http, tasks);
    const attention = await http.get('/attention?limit=200');
    assert.deepEqual(attention.orphans ?? [], [], 'no task is without an owner of its next step');
    for (const row of attention.items) {
      const of = tasks.find((task) => task.id === row.id);
      if (!this.isForPeople(row, of)) this.seen.set(`${row.kind} ${row.id ?? row.worker ?? row.account}`, row);
    }
    return { tasks, attention: attention.items };
  }

  // A question that an agent asked; on the plain board also what QA, whom nobody trusts there, wants to have made.
  isForPeople(row, task) {
    if (row.kind === 'limit') return Boolean(row.until); // it ends by itself
    if (row.kind === 'returned') return !this.isMorning; // work that conflicts is tried again by itself
    if (row.kind === 'approval') return this.board === 'queue' && task?.title.startsWith('Fix: ');
    return row.kind === 'question' && isAsked(this.plans.get(task?.title) ?? '');
  }

  isSettled(task) {
    if (['done', 'archived'].includes(task.stage)) return true;
    if (task.blocked) return isAsked(this.plans.get(task.title) ?? '');
    return task.stage === 'backlog' && this.board === 'queue' && task.title.startsWith('Fix: ');
  }

  async untilMorning() {
    const dawn = Date.now() + kNight;
    let next = Date.now() + Math.min(5000, kNight / 5);
    for (let acts = this.chance.below(2); Date.now() < dawn; await pause(kBetweenLooks)) {
      this.think();
      await this.look();
      if (Date.now() < next) continue;
      next = Date.now() + 2000 + this.chance.below(4000);
      if (acts++ % 3 === 1) await this.restart();
      else this.killAgent();
    }
  }

  async restart() {
    this.restarts++;
    await this.server.end(this.chance.below(3) === 0 ? 'SIGTERM' : 'SIGKILL');
    this.server = await startServer(this.place, { listen: this.listen });
  }

  // Two ends by the same signal park a task, and that would be our doing.
  killAgent() {
    const { starts } = readStarts(this.place);
    const crashed = new Set(starts.filter(({ word }) => word === 'crash').map(({ task }) => task));
    const victims = starts.filter(({ task }) => !this.hurt.has(task) && !crashed.has(task))
      .map((start) => ({ task: start.task, pids: agentAndSupervisor(start, this.server) })).filter(({ pids }) => pids.length);
    if (victims.length === 0) return;
    const { task, pids } = this.chance.one(victims);
    this.hurt.add(task);
    this.kills++;
    killAll([this.chance.one(pids)]);
  }

  // The plans in the planner's folder are carried out, then nobody plans any more and everything is finished.
  async end() {
    const { http } = this.server;
    const stuck = async (error) => {
      const { tasks } = await this.look();
      const open = await Promise.all(tasks.filter((task) => !this.isSettled(task)).map(async (task) => ({ ...task, why: await http.get(`/tasks/${task.id}/why`).catch(String) })));
      assert.fail(`${error.message}: ${JSON.stringify(open)}\n${this.server.log.slice(-4000)}`);
    };
    await until('all is planned', async () => (await this.look()) && unplanned(this.place) === 0, kMorning).catch(stuck);
    await http.told('PATCH', '/automations/queue-dry', { enabled: false });
    await until('everything is finished', async () => {
      const { tasks } = await this.look();
      return tasks.every((task) => this.isSettled(task)) && (await http.get('/dispatch')).running === 0;
    }, kMorning).catch(stuck);
    const landing = async (task) => (await http.get(`/tasks/${task.id}/runs`)).items.at(-1)?.landing?.state;
    for (const task of await this.tasks())
      if (task.stage === 'done') await until(`task ${task.id} waits for no landing`, async () => (await landing(task)) !== 'waiting', kMorning);
    this.isMorning = true;
    await until('nobody is left but the server', () => processesNaming(this.place.root).every((pid) => pid === this.server.pid));
  }
}

const isDoneInWords = (task) => ['planner', 'qa'].includes(task.role) || task.review === 'none';

async function checkTask(night, task, landed) {
  const { items: runs } = await night.server.http.get(`/tasks/${task.id}/runs`);
  const told = `${task.title}: ${JSON.stringify(task)} ${JSON.stringify(runs.map(({ id, outcome, reason, landing }) => [id, outcome, reason, landing]))}`;
  assert.ok(runs.every((run) => run.state === 'ended'), told);
  const lacking = runs.filter((run) => run.outcome === 'incomplete' || /no evidence/.test(run.reason ?? ''));
  if (isDoneInWords(task)) assert.deepEqual(lacking, [], told);
  assert.notEqual(task.flag, 'no evidence', told);
  if (task.stage !== 'done') return lacking.length;
  const isMade = runs.some((run) => run.files_changed || run.commits?.length);
  if (isMade || landed.has(`work-${task.id}`)) {
    assert.ok(landed.has(`work-${task.id}`), `it has landed: ${told}`);
    assert.ok(runs.some((run) => run.landing?.state === 'landed'), `its landing is told: ${told}`);
  }
  const plan = night.plans.get(task.title);
  if (plan && !/words|said/.test(plan)) assert.ok(isMade, told);
  return lacking.length;
}

async function checkChains(night, tasks) {
  for (const task of tasks.filter((one) => one.role === 'coder' && one.stage === 'done')) {
    const children = tasks.filter((child) => child.parent === task.id && !child.title.startsWith('Fix: '));
    const wanted = task.title.startsWith('Evening') ? ['Read', 'Tell'] : night.board === 'queue' ? ['QA'] : [];
    const found = children.map(({ title }) => title.split(' ')[0]).filter((word) => word !== 'Review').sort();
    assert.deepEqual(found, wanted, `the chain of ${JSON.stringify(task)}: ${JSON.stringify(children)}`);
  }
}

async function checkMorning(night) {
  const { tasks, attention } = await night.look();
  const waiting = attention.filter((row) => row.kind !== 'limit' && !night.isForPeople(row, tasks.find(({ id }) => id === row.id)));
  assert.deepEqual(waiting, [], 'nothing waits for a person who need not answer');
  assert.deepEqual([...night.seen.values()], [], 'nothing did at night');
  const { starts, doubles } = readStarts(night.place);
  assert.deepEqual(doubles, [], 'no task has two agents at once');
  assert.equal(new Set(starts.map(({ run }) => run)).size, starts.length, 'no run starts its agent twice');
  const landed = new Set(night.repository.sh('git ls-tree --name-only main').split('\n'));
  let lacking = 0;
  for (const task of tasks) lacking += await checkTask(night, task, landed);
  await checkChains(night, tasks);
  assert.ok(!landed.has('broken'));
  assert.equal(night.repository.sh('git status --porcelain'), '');
  const events = await night.server.http.events();
  assert.ok(isGapFree(events));
  const history = folded(events);
  for (const task of tasks) assert.equal(history.tasks.get(task.id), task.status, `the history of task ${task.id}`);
  assert.ok(events.some((event) => event.kind === 'automation.fired'), 'the dry queue was filled');
  const count = (wanted) => tasks.filter(wanted).length;
  return `tasks ${tasks.length}, done ${count(({ stage }) => stage === 'done')}, archived ${count(({ stage }) => stage === 'archived')}, ` +
    `landed ${[...landed].filter((name) => name.startsWith('work-')).length}, agents ${starts.length}, kills ${night.kills}, restarts ${night.restarts}, ` +
    `attention ${attention.length} (${attention.map(({ kind }) => kind).join(' ')}), words of makers ${lacking}, orphans 0`;
}

for (const board of Object.keys(kBoards).filter((name) => (process.env.ANDON_NIGHT_BOARD ?? name) === name))
  for (let seed = kSeed; seed < kSeed + kNights; ++seed)
    test(`a night on the board ${board} needs no person (ANDON_NIGHT_SEED=${seed})`, { timeout: 2 * kMorning + kNight + 120_000 }, async (t) => {
      const night = new CompanyNight(openPlace(t), new Chance(seed), board);
      await night.begin();
      await night.untilMorning();
      await night.end();
      t.diagnostic(await checkMorning(night));
    });
