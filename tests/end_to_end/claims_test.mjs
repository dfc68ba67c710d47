import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newTask, readTask } from './support/agents.mjs';
import { FlowBoard } from './support/flow_board.mjs';
import { openPlace } from './support/place.mjs';
import { startServer } from './support/server.mjs';
import { until } from './support/until.mjs';

// What several agents on one board rely on: claims, as the command line tells of them.

async function boardWith(t, ...titles) {
  const board = await FlowBoard.open(openPlace(t));
  for (const title of titles) await board.create(title, '--status', 'todo');
  return board;
}

test('ClaimTask: --claim sets claimed_by and claimed_at', async (t) => {
  const board = await boardWith(t, 'Task');
  const before = Date.now();
  await board.does('edit', '1', '--claim', 'agent-1');
  const task = await board.task(1);
  assert.equal(task.claimed_by, 'agent-1');
  assert.ok(Date.parse(task.claimed_at) >= before - 1 && Date.parse(task.claimed_at) <= Date.now());
  assert.match(await board.does('show', '1'), /Claimed by: +agent-1 \(since [^)]+\)\n +Claimed at: +\d{4}-\d\d-\d\d \d\d:\d\d \(expires in (1h|59m)/);
});

test('ClaimBlocksOtherAgent: a different claimant cannot edit, move or delete', async (t) => {
  const board = await boardWith(t, 'Task');
  await board.does('edit', '1', '--claim', 'agent-1');
  const said = await board.refusedWords('edit', '1', '--claim', 'agent-2');
  assert.match(said, /task #1 is claimed by "agent-1" \(expires in (1h|59m)[^)]*\)\. Use --force to override\./);
  for (const command of [
    ['edit', '1', '--claim', 'agent-2'],
    ['edit', '1', '--title', 'Mine now', '--as', 'agent-2'],
    ['move', '1', 'done', '--claim', 'agent-2'],
    ['delete', '1', '--yes', '--claim', 'agent-2'],
  ]) {
    const { code, details } = await board.refusal(...command);
    assert.equal(code, 'TASK_CLAIMED', command.join(' '));
    assert.equal(details.claimed_by, 'agent-1');
  }
  const task = await board.task(1);
  assert.deepEqual([task.title, task.status, task.claimed_by], ['Task', 'todo', 'agent-1']);
});

test('ClaimSameAgentAllowed: the claimant can edit and move', async (t) => {
  const board = await boardWith(t, 'Task');
  const { epoch } = await board.asks('edit', '1', '--claim', 'agent-1');
  await board.does('edit', '1', '--claim', 'agent-1', '--title', 'Better');
  await board.does('move', '1', 'in-progress', '--claim', 'agent-1');
  const task = await board.task(1);
  assert.deepEqual([task.title, task.status, task.claimed_by, task.epoch], ['Better', 'in-progress', 'agent-1', epoch]);
});

test('ClaimForceOverride: --force overrides a claim and the history says so', async (t) => {
  const board = await boardWith(t, 'Task');
  await board.does('edit', '1', '--claim', 'agent-1');
  await board.does('edit', '1', '--claim', 'agent-2', '--force');
  assert.equal((await board.task(1)).claimed_by, 'agent-2');
  const log = JSON.stringify(await board.asks('log', '--task', '1'));
  assert.match(log, /forced?/);
});

test('ClaimRelease: --release clears the claim, whoever asks', async (t) => {
  const board = await boardWith(t, 'Task');
  await board.does('edit', '1', '--claim', 'agent-1');
  await board.does('edit', '1', '--release', '--as', 'agent-2');
  const task = await board.task(1);
  assert.equal(task.claimed_by, undefined);
  assert.equal(task.claimed_at, undefined);
});

test('ClaimExpiration: an expired claim allows a new one', async (t) => {
  const board = await boardWith(t, 'Task');
  await board.does('boards', 'edit', 'shop', '--claim-timeout', '1ms');
  await board.does('edit', '1', '--claim', 'agent-1');
  await until('the claim is over', async () => (await board.titles('--unclaimed')).includes('Task'));
  await board.does('boards', 'edit', 'shop', '--claim-timeout', '1h');
  await board.does('edit', '1', '--claim', 'agent-2');
  assert.equal((await board.task(1)).claimed_by, 'agent-2');
});

test('ListUnclaimed: --unclaimed leaves out what is claimed', async (t) => {
  const board = await boardWith(t, 'Free', 'Held', 'Elsewhere');
  await board.does('edit', '2', '--claim', 'agent-1');
  await board.does('move', '3', 'backlog');
  assert.deepEqual(await board.titles('--unclaimed', '--status', 'todo'), ['Free']);
  assert.deepEqual(await board.titles('--claimed-by', 'agent-1'), ['Held']);
});

test('ClaimAndEdit: --claim goes with other changes in one command', async (t) => {
  const board = await FlowBoard.open(openPlace(t));
  await board.create('Task');
  await board.does('edit', '1', '--claim', 'agent-1', '--status', 'in-progress', '--priority', 'high');
  const task = await board.task(1);
  assert.deepEqual([task.claimed_by, task.status, task.priority], ['agent-1', 'in-progress', 'high']);
});

test('a server that starts no agents puts back work whose claim is over', async (t) => {
  const server = await startServer(openPlace(t), { flags: ['--no-runner'] });
  await server.http.post('/boards', { name: 'queue', template: 'queue', workflow: 'strict', claim_timeout: '1s' });
  const task = await newTask(server, 'Work', { board: 'queue' });
  await server.http.post(`/tasks/${task.id}/approve`, {});
  await server.http.post(`/tasks/${task.id}/claim`, { by: 'eve' });
  const back = await until('it waits again', async () => {
    const now = await readTask(server, task);
    return now.status === 'ready' && now;
  });
  assert.equal(back.claimed_by ?? '', '');
  const { items } = await server.http.get(`/events?task=${task.id}`);
  assert.match(JSON.stringify(items), /the claim was over/);
});
