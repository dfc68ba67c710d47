import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ended, installAgent, readTask } from './support/agents.mjs';
import { FlowBoard } from './support/flow_board.mjs';
import { openPlace } from './support/place.mjs';
import { makeRepository } from './support/repository.mjs';
import { startServer } from './support/server.mjs';
import { until } from './support/until.mjs';

// The teams under examples/ are what users copy: they apply as they are, and what their role documents say works.

const kTeams = fileURLToPath(new URL('../../examples/teams', import.meta.url));

const kExpected = {
  studio: {
    opus: ['developer', 'frontend', 'frontend-2'],
    sonnet: ['security', 'web-tester', 'web-tester-2'],
    haiku: ['assistant', 'media'],
    documents: 6,
  },
  company: {
    opus: ['coder', 'designer', 'planner'],
    sonnet: ['analyst', 'auditor', 'marketing', 'operations', 'qa', 'writer'],
    haiku: ['support'],
    documents: 10,
  },
};

for (const [name, expected] of Object.entries(kExpected)) {
  test(`the team ${name} is applied once, and exported it is the same team elsewhere`, async (t) => {
    const board = new FlowBoard(openPlace(t));
    const { place } = board;
    const team = join(kTeams, name);
    assert.match(await board.does('apply', team, '--dry-run'), /Nothing was written/);
    assert.deepEqual(readdirSync(place.path('.')).filter((entry) => entry === '.andon'), []);
    assert.match(await board.does('apply', team), new RegExp(`^\\+ board ${name} `));
    assert.equal(await board.does('apply', team), 'Nothing to change.\n');
    assert.deepEqual((await board.asks('apply', team, '--prune', '--dry-run')).changes, []);

    const workers = await board.asks('workers', 'list');
    for (const model of ['opus', 'sonnet', 'haiku'])
      assert.deepEqual(workers.filter((worker) => worker.model === model).map((worker) => worker.name).sort(), expected[model]);
    const documents = readdirSync(place.path('.andon', 'roles'));
    assert.equal(documents.length, expected.documents);
    for (const worker of workers) assert.ok(existsSync(place.path('.andon', worker.prompt_file)), worker.prompt_file);

    await board.does('export', 'copy');
    const other = place.path('other');
    await board.does('apply', 'copy', '--dir', other);
    await board.does('export', 'again', '--dir', other);
    assert.equal(readFileSync(place.path('again', 'team.yml'), 'utf8'), readFileSync(place.path('copy', 'team.yml'), 'utf8'));
    for (const document of documents)
      assert.equal(readFileSync(place.path('again', 'roles', document), 'utf8'), readFileSync(join(team, 'roles', document), 'utf8'));
  });
}

// The commands of a role document that create tasks, as an agent would type them: set off, or within a line.
function commandsOf(document) {
  const blocks = [...document.matchAll(/(?:^|\n)\n((?: {4,}.*\n|\n)+)/g)].map(([, block]) => {
    const lines = block.split('\n');
    const indent = Math.min(...lines.filter(Boolean).map((line) => line.search(/\S/)));
    return lines.map((line) => line.slice(indent)).join('\n').trim();
  });
  const inline = [...document.matchAll(/`(andon create [^`]*)`/g)].map(([, command]) => command.replace(/\s+/g, ' '));
  return [...blocks, ...inline].filter((block) => block.startsWith('andon create'));
}

// The commands that the level of a worker lets its agent run in every built-in profile.
const kAllowed = /^(andon|git (add|commit|status|diff|log))\b/;

test('role documents name no command that the level of their workers refuses', () => {
  for (const name of Object.keys(kExpected)) {
    const roles = join(kTeams, name, 'roles');
    for (const document of readdirSync(roles)) {
      const text = readFileSync(join(roles, document), 'utf8');
      for (const [, command] of text.matchAll(/`([a-z]+ [^`]*)`/g)) assert.match(command, kAllowed, `${name}/${document}`);
      const blocks = [...text.matchAll(/^ {4,}([a-z]+ .*)$/gm)].map(([, line]) => line);
      for (const line of blocks) assert.match(line, kAllowed, `${name}/${document}`);
    }
  }
});

// The team with a script in the place of the agents: each worker does what its role document tells it to.
async function openTeam(t, name, { place = openPlace(t), script } = {}) {
  const server = await startServer(place);
  const folder = place.path('team');
  cpSync(join(kTeams, name), folder, { recursive: true });
  const file = join(folder, 'team.yml');
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll('agent: claude', 'agent: script'));
  mkdirSync(place.path('commands'));
  for (const document of readdirSync(join(folder, 'roles')))
    writeFileSync(place.path('commands', document.replace('.md', '')), commandsOf(readFileSync(join(folder, 'roles', document), 'utf8')).join('\n'));
  installAgent(server.data, 'script', script ?? `role=\${ANDON_WORKER%-2}
prompt=$(cat)
set -e
. "${place.path('commands')}/$role"
judged=$(printf '%s\\n' "$prompt" | sed -n 's/.*andon accept \\([0-9][0-9]*\\).*/\\1/p' | head -n 1)
if [ -n "$judged" ]; then andon accept "$judged"; else andon done --result "as the role document says"; fi`);
  await server.andon('apply', folder);
  return server;
}

async function work(server, board, role, fields = {}) {
  const task = await server.http.post('/tasks', { board, title: `Work of ${role}`, role, ...fields });
  await server.http.post(`/tasks/${task.id}/approve`);
  const run = await ended(server, task);
  assert.equal(run.outcome, 'succeeded', `${role}: ${JSON.stringify(run)}`);
  const { items } = await server.http.get(`/tasks?board=${board}`);
  return { task, made: items.filter((other) => other.created_by === `worker:${run.worker}`) };
}

test('the workers of the studio hand over to each other as their role documents say', async (t) => {
  const server = await openTeam(t, 'studio');
  const { task, made: [brief] } = await work(server, 'studio', 'developer');
  assert.deepEqual([brief.role, brief.parent, brief.board, brief.status], ['web-tester', task.id, 'studio', 'backlog']);
  assert.match((await server.http.get(`/tasks/${brief.id}`)).body, /## What must work/);

  const frontend = await work(server, 'studio', 'frontend');
  assert.match(frontend.made[0].title, /^Visual regression/);
  assert.deepEqual([frontend.made[0].role, frontend.made[0].parent], ['web-tester', frontend.task.id]);
});

test('the company plans, works and reviews by itself', async (t) => {
  const server = await openTeam(t, 'company');
  const { made: [planned] } = await work(server, 'company', 'planner');
  assert.deepEqual([planned.role, planned.priority], ['coder', 'P1']);
  const done = await ended(server, planned);
  assert.equal(done.outcome, 'succeeded');
  const review = await until('QA is asked for a verdict', async () =>
    (await server.http.get('/tasks?board=company&role=qa')).items.find((task) => task.parent === planned.id));
  assert.equal((await ended(server, review)).outcome, 'succeeded');
  assert.equal((await readTask(server, planned)).stage, 'done', 'nobody but QA was asked');
  const fix = (await server.http.get('/tasks?board=company')).items.find((task) => task.title.startsWith('Fix: '));
  assert.equal(fix.parent, review.id);
  assert.notEqual(fix.stage, 'backlog', 'what QA asks for needs no approval');
});

// A night of the company on a repository: every worker does once what its role document tells it to; QA forgets its verdict once and
// rejects once.
const kNightWorker = (commands, once) => `role=\${ANDON_WORKER%-2}
prompt=$(cat)
set -e
first() { mkdir "${once}/$1" 2>/dev/null; }
judged=$(printf '%s\\n' "$prompt" | sed -n 's/.*andon accept \\([0-9][0-9]*\\).*/\\1/p' | head -n 1)
if [ "$role" = planner ] && ! first planner; then
  exec andon done --no-change "nothing is worth doing"
fi
if [ "$role" = planner ]; then
  for one in coder designer marketing writer support analyst auditor operations; do
    andon create "Do what a $one does" --status ready --role $one --body "Do it." > /dev/null
  done
  exec andon done --result "planned for everybody"
fi
first "created-$role" && . "${commands}/$role"
if [ "$role" = qa ]; then
  # Once it forgets the verdict. A task that names no work to judge leaves it without one as well.
  first forgot && { echo "I have looked at it."; exit 0; }
  [ -n "$judged" ] || { echo "There is nothing to judge."; exit 0; }
  first rejected && exec andon reject "$judged" --reason "a line is missing"
  exec andon accept "$judged"
fi
case $role in
  support|analyst|auditor) ;; # their answer is words
  *) mkdir -p work; echo "$ANDON_RUN" >> "work/$ANDON_TASK" ;;
esac
andon done --result "as the role document says"`;

test('a night of the company waits for no person', { timeout: 540_000 }, async (t) => {
  const place = openPlace(t);
  mkdirSync(place.path('once'));
  const server = await openTeam(t, 'company', { place, script: kNightWorker(place.path('commands'), place.path('once')) });
  const repository = makeRepository(place);
  await server.http.told('PATCH', '/boards/company', { repo: repository.directory, worktree: true, checks: { unit: ['true'] } });
  const plan = await server.http.post('/tasks', { board: 'company', title: 'Plan the day', role: 'planner', review: 'none' });
  await server.http.post(`/tasks/${plan.id}/approve`);
  const settled = ['done', 'archived'];
  const all = async () => (await server.http.get('/tasks?board=company&archived=true&limit=500')).items;
  const open = async () => (await all()).filter((task) => !settled.includes(task.stage));
  await until('all work is done', async () => (await all()).length > 8 && (await open()).length === 0, 480_000)
    .catch(async (error) => assert.fail(`${error.message}: ${JSON.stringify(await open())}`));
  const again = await server.http.post('/tasks', { board: 'company', title: 'Fill the queue', role: 'planner', review: 'none', status: 'ready' });
  assert.equal((await ended(server, again)).outcome, 'succeeded');
  await until('a plan of nothing is done', async () => (await open()).length === 0);

  const tasks = await all();
  const made = (role) => tasks.filter((task) => task.role === role && !task.title.startsWith('Review '));
  for (const role of ['coder', 'designer', 'marketing', 'writer', 'support', 'analyst', 'auditor', 'operations'])
    assert.ok(made(role).length >= 1 && made(role).every((task) => task.stage === 'done'), `${role}: ${JSON.stringify(made(role))}`);
  const events = await server.http.events();
  const people = events.filter(({ actor, kind }) => actor.startsWith('user:') && /approved|accepted|rejected|answered|unblocked|retried/.test(kind));
  assert.deepEqual(people.filter(({ task }) => task !== plan.id), [], 'no person was needed');
  assert.equal(events.filter(({ kind }) => kind === 'task.rejected').length, 1);
  const reviews = tasks.filter(({ role }) => role === 'qa');
  assert.deepEqual(reviews.filter(({ title }) => !title.startsWith('Review ')), [], 'one review task for each piece of work');
  assert.equal(reviews.filter(({ attempt }) => attempt === 2).length, 1, 'a review without a verdict is tried again');
  for (const task of tasks.filter(({ role }) => role !== 'planner' && role !== 'qa'))
    assert.equal(events.filter(({ kind, task: id }) => kind === 'task.accepted' && id === task.id).length, 1, `QA judged ${task.title} once`);
  assert.deepEqual(tasks.filter(({ flag }) => flag).map(({ title, flag }) => `${title}: ${flag}`), ['Fill the queue: no change']);
});
