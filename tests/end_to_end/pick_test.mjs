import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FlowBoard } from './support/flow_board.mjs';
import { openPlace } from './support/place.mjs';

// What an agent gets that asks for work, and what classes of service make of that.

const openBoard = (t, ...flags) => FlowBoard.open(openPlace(t), ...flags);

async function picks(board, count, ...flags) {
  const titles = [];
  for (let n = 1; n <= count; ++n) titles.push((await board.pick(`agent-${n}`, ...flags)).title);
  return titles;
}

test('PickHighestPriority: the highest priority is picked and claimed', async (t) => {
  const board = await openBoard(t);
  await board.create('Low', '--status', 'todo', '--priority', 'low');
  await board.create('Critical', '--status', 'todo', '--priority', 'critical');
  await board.create('High', '--status', 'todo', '--priority', 'high');
  const task = await board.pick('agent-1', '--status', 'todo');
  assert.deepEqual([task.title, task.claimed_by, task.status], ['Critical', 'agent-1', 'todo']);
});

test('PickSkipsClaimed: what somebody holds is not picked', async (t) => {
  const board = await openBoard(t);
  await board.create('Held', '--status', 'todo', '--priority', 'critical', '--claim', 'agent-1');
  await board.create('Free', '--status', 'todo');
  assert.equal((await board.pick('agent-2')).title, 'Free');
});

test('PickSkipsBlocked: what is blocked is not picked', async (t) => {
  const board = await openBoard(t);
  await board.create('Stuck', '--status', 'todo', '--priority', 'critical');
  await board.does('edit', '1', '--block', 'waits for a key');
  await board.create('Free', '--status', 'todo');
  assert.equal((await board.pick('agent-1')).title, 'Free');
});

test('PickSkipsDeps: what waits for another task is not picked', async (t) => {
  const board = await openBoard(t);
  await board.create('First', '--status', 'todo', '--priority', 'low');
  await board.create('Second', '--status', 'todo', '--priority', 'critical', '--depends-on', '1');
  assert.equal((await board.pick('agent-1')).title, 'First');
  assert.equal((await board.refusal('pick', '--claim', 'agent-2')).code, 'NOTHING_TO_PICK');
  await board.does('move', '1', 'done', '--claim', 'agent-1');
  assert.equal((await board.pick('agent-2')).title, 'Second');
});

test('PickAndMove: --move moves the task in the same step', async (t) => {
  const board = await openBoard(t);
  await board.create('Task', '--status', 'todo');
  const said = await board.does('pick', '--claim', 'agent-1', '--status', 'todo', '--move', 'in-progress');
  assert.match(said, /^Picked and moved task #1: Task \(todo -> in-progress, claimed by agent-1\)\n/);
  const task = await board.task(1);
  assert.deepEqual([task.status, task.claimed_by], ['in-progress', 'agent-1']);
});

test('PickNoneAvailable: with nothing to pick the command fails and says why', async (t) => {
  const board = await openBoard(t);
  assert.equal((await board.refusal('pick', '--claim', 'agent-1', '--status', 'todo')).code, 'NOTHING_TO_PICK');
  await board.create('Held', '--status', 'todo', '--claim', 'agent-1');
  assert.match(await board.refusedWords('pick', '--claim', 'agent-2', '--status', 'todo'), /no unblocked, unclaimed task/i);
});

test('PickFromSpecificStatus: --status picks from that column only', async (t) => {
  const board = await openBoard(t);
  await board.create('Waiting', '--status', 'backlog', '--priority', 'critical');
  await board.create('Ready', '--status', 'todo', '--priority', 'low');
  assert.equal((await board.pick('agent-1', '--status', 'todo')).title, 'Ready');
  assert.equal((await board.pick('agent-1', '--status', 'backlog')).title, 'Waiting');
});

test('PickWaits: a task is given as soon as its time has come', async (t) => {
  const board = await openBoard(t);
  await board.create('Later', '--status', 'todo', '--not-before', new Date(Date.now() + 3_600_000).toISOString());
  assert.equal((await board.refusal('pick', '--claim', 'agent-1')).code, 'NOTHING_TO_PICK');
  const from = Date.now() + 1500;
  await board.does('edit', '1', '--not-before', new Date(from).toISOString());
  assert.equal((await board.pick('agent-1', '--wait', '60s')).title, 'Later');
  const late = Date.now() - from;
  assert.ok(late >= 0 && late < 30_000, `${late} ms after its time`);
});

test('PickWaits: a task is given as soon as the claim on it is over', async (t) => {
  const board = await openBoard(t);
  await board.does('boards', 'edit', 'shop', '--claim-timeout', '1s');
  await board.create('Held', '--status', 'todo', '--claim', 'agent-1');
  const task = await board.pick('agent-2', '--wait', '60s');
  assert.equal(task.claimed_by, 'agent-2');
  assert.ok(Date.now() - Date.parse(task.claimed_at) < 30_000);
});

test('PickWaits: longer than a minute is refused', async (t) => {
  const board = await openBoard(t);
  const { code, error } = await board.refusal('pick', '--claim', 'agent-1', '--wait', '61s');
  assert.deepEqual([code, error], ['INVALID_INPUT', '"wait" must be from 0 to 60 seconds']);
});

test('CreateWithClass: --class sets the class', async (t) => {
  const board = await openBoard(t);
  await board.create('Hotfix', '--class', 'expedite');
  assert.equal((await board.task(1)).class, 'expedite');
});

test('ExpediteBypassesWIP: an expedite task enters a full column', async (t) => {
  const board = await openBoard(t, '--statuses', 'backlog,todo:1,done');
  await board.create('Fills it', '--status', 'todo');
  await board.create('Ordinary');
  await board.create('Urgent', '--class', 'expedite');
  const { code, details } = await board.refusal('move', '2', 'todo');
  assert.deepEqual([code, details.status, details.limit, details.current], ['WIP_LIMIT_EXCEEDED', 'todo', 1, 1]);
  await board.does('move', '3', 'todo');
  assert.equal((await board.task(3)).status, 'todo');
});

test('ExpediteOwnWIPLimit: a second expedite task is refused until the first is done', async (t) => {
  const board = await openBoard(t);
  await board.create('Urgent', '--class', 'expedite');
  const { code, error } = await board.refusal('create', 'Urgent too', '--class', 'expedite');
  assert.equal(code, 'CLASS_WIP_EXCEEDED');
  assert.match(error, /expedite WIP limit reached \(1\/1 board-wide\)/);
  await board.create('Ordinary');
  assert.equal((await board.refusal('edit', '2', '--class', 'expedite')).code, 'CLASS_WIP_EXCEEDED');
  await board.does('move', '1', 'done');
  await board.does('edit', '2', '--class', 'expedite');
});

test('PickOrdersByClass: expedite, then fixed-date, standard and intangible, whatever the priority', async (t) => {
  const board = await openBoard(t);
  await board.create('Tidy', '--status', 'todo', '--class', 'intangible', '--priority', 'critical');
  await board.create('Feature', '--status', 'todo', '--priority', 'high');
  await board.create('Report', '--status', 'todo', '--class', 'fixed-date', '--due', '2030-03-31', '--priority', 'low');
  await board.create('Hotfix', '--status', 'todo', '--class', 'expedite', '--priority', 'low');
  assert.deepEqual(await picks(board, 4), ['Hotfix', 'Report', 'Feature', 'Tidy']);
});

test('FixedDateOrderedByDue: the sooner date is picked first', async (t) => {
  const board = await openBoard(t);
  await board.create('In May', '--status', 'todo', '--class', 'fixed-date', '--due', '2030-05-01', '--priority', 'critical');
  await board.create('In March', '--status', 'todo', '--class', 'fixed-date', '--due', '2030-03-31', '--priority', 'low');
  await board.create('In April', '--status', 'todo', '--class', 'fixed-date', '--due', '2030-04-15');
  assert.deepEqual(await picks(board, 3), ['In March', 'In April', 'In May']);
});

test('DefaultClassIsStandard: without --class a task is standard', async (t) => {
  const board = await openBoard(t);
  await board.create('Task');
  assert.equal((await board.task(1)).class, 'standard');
});

test('ListFilterByClass: --class lists that class only', async (t) => {
  const board = await openBoard(t);
  await board.create('Hotfix', '--class', 'expedite');
  await board.create('Feature');
  await board.create('Tidy', '--class', 'intangible');
  assert.deepEqual(await board.titles('--class', 'expedite'), ['Hotfix']);
  assert.deepEqual(await board.titles('--class', 'standard'), ['Feature']);
});
