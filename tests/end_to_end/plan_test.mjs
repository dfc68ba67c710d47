// Plan first: no agent begins to write before a person has accepted its plan.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { installAgent, moveTo, newTask, readTask, runsOf } from './support/agents.mjs';
import { openPlace } from './support/place.mjs';
import { asWorker, makeRepository } from './support/repository.mjs';
import { startServer } from './support/server.mjs';
import { until } from './support/until.mjs';

const kLong = 120_000; // ms

// An agent that writes files in every run, commits some of them, and plans where its prompt asks for a plan.
const kEager = `${asWorker}
prompt=$(cat)
echo changed > a.txt || true
rm -f b.txt || true
echo new > early.txt || true
mkdir -p deep/er && echo new > deep/er/file.txt || true
git checkout -q -b elsewhere || true
git add -A && git commit -qm early || true
echo late > late.txt || true
case $prompt in
  *'## Plan first'*) printf 'Goal: a cart\\n' | andon plan write - && andon done --result 'the plan is written' ;;
  *'## The accepted plan'*) printf '%s' "$prompt" > prompt.txt; echo work > work.txt; git checkout -q "$(git branch --list 'andon/*' --format '%(refname:short)' | head -1)" 2>/dev/null; git add -A; git commit -qm work; andon done --result worked ;;
  *) andon fail --reason 'no plan in the prompt' ;;
esac`;

async function openYard(server, repository, script) {
  await server.http.post('/boards', { name: 'shop', template: 'flow', repo: repository.directory, worktree: true });
  installAgent(server.data, 'dev', script);
  await server.http.post('/workers', { name: 'dev', agent: 'dev' });
}

const inReview = (server, task) => until(`task ${task.id} is in review`, async () => {
  const now = await readTask(server, task);
  assert.notEqual(now.stage, 'blocked', now.block_reason);
  return now.stage === 'review' && now;
}, kLong);

test('a planning run leaves no file, and the next run gets the accepted plan', async (t) => {
  const place = openPlace(t);
  const repository = makeRepository(place);
  const server = await startServer(place);
  await openYard(server, repository, kEager);
  const task = await newTask(server, 'Cart', { assignee: 'dev', plan: 'required' });
  await moveTo(server, task, 'todo');

  const planned = await inReview(server, task);
  assert.equal(planned.plan_state, 'proposed');
  assert.equal(planned.flag, 'plan');
  const [first] = await runsOf(server, task);
  assert.equal(first.plans, true);
  assert.equal(first.outcome, 'succeeded');
  assert.equal(first.files_changed, 0);
  assert.deepEqual(first.checks ?? [], []);
  const tree = `${server.data}/work/shop/${task.id}-cart`;
  assert.equal(repository.sh(`git -C ${tree} status --porcelain`), '');
  assert.equal(repository.sh(`cat ${tree}/a.txt; ls ${tree}`), 'one\na.txt\nb.txt');
  assert.match(repository.sh(`git -C ${tree} symbolic-ref --short HEAD`), /^andon\//);
  assert.equal(repository.sh(`git -C ${tree} rev-parse HEAD`), repository.sh('git rev-parse main'));

  const plan = await server.http.get(`/tasks/${task.id}/plan`);
  assert.equal(plan.text, 'Goal: a cart\n');
  const accepted = await server.http.post(`/tasks/${task.id}/accept`, { plan_hash: plan.sha256 });
  assert.equal(accepted.plan_state, 'accepted');

  await inReview(server, task);
  const second = (await runsOf(server, task)).at(-1);
  assert.equal(second.plans ?? false, false);
  assert.equal(second.attempt, 1);
  assert.match(repository.sh(`cat ${tree}/prompt.txt`), /## The accepted plan[^]*Goal: a cart/);
  const events = (await server.http.get(`/events?task=${task.id}`)).items;
  assert.ok(events.some((event) => event.kind === 'task.accepted' && JSON.stringify(event).includes(plan.sha256)));
});

test('a plan that is sent back is written again, from the command line', async (t) => {
  const place = openPlace(t);
  const repository = makeRepository(place);
  const server = await startServer(place);
  await openYard(server, repository, `prompt=$(cat)
case $prompt in *'too large'*) text=smaller ;; *) text=large ;; esac
andon plan write "$text" && andon done --result planned`);
  const task = await newTask(server, 'Cart', { assignee: 'dev' });
  const id = String(task.id);
  await server.andon('edit', id, '--plan', 'required');
  await moveTo(server, task, 'todo');
  await inReview(server, task);
  await server.andon('reject', id, '--reason', 'too large');
  await until('the second plan is there', async () => (await server.http.get(`/tasks/${id}/plan`)).text === 'smaller', kLong);
  await inReview(server, task);
  assert.match(await server.andon('plan', 'show', id), /State: +proposed[^]*smaller/);
  const file = place.path('plan.md');
  writeFileSync(file, 'by hand');
  await server.andon('plan', 'write', id, '--file', file);
  assert.match(await server.andon('plan', 'show', id), /by hand/);
});
