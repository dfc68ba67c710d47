import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FlowBoard } from './support/flow_board.mjs';
import { openPlace } from './support/place.mjs';

// The board's summary in lanes: one for each value of a field.

async function boardOfTwo(t) {
  const board = await FlowBoard.open(openPlace(t), '--statuses', 'backlog,todo:5,in-progress:3,done');
  await board.create('One', '--assignee', 'alice', '--tags', 'api,web', '--status', 'todo');
  await board.create('Two', '--assignee', 'alice', '--tags', 'api', '--class', 'intangible');
  await board.create('Three', '--assignee', 'bob', '--status', 'todo', '--class', 'expedite');
  await board.create('Four');
  return board;
}

async function lanes(board, field) {
  const { groups } = await board.asks('board', '--group-by', field);
  return Object.fromEntries(groups.map((lane) => [lane.key, Object.fromEntries(
    [['total', lane.total], ...lane.statuses.filter((column) => column.count > 0).map((column) => [column.status, column.count])])]));
}

test('BoardGroupByAssignee: a lane for each assignee with its counts', async (t) => {
  const board = await boardOfTwo(t);
  const { alice, bob } = await lanes(board, 'assignee');
  assert.deepEqual(alice, { total: 2, backlog: 1, todo: 1 });
  assert.deepEqual(bob, { total: 1, todo: 1 });
  assert.match(await board.does('board', '--group-by', 'assignee'), /^alice \(2 tasks\)$/m);
});

test('BoardGroupByTag: a task with two tags is in both lanes', async (t) => {
  const board = await boardOfTwo(t);
  assert.deepEqual(await lanes(board, 'tag'), {
    api: { total: 2, backlog: 1, todo: 1 },
    web: { total: 1, todo: 1 },
    '(untagged)': { total: 2, backlog: 1, todo: 1 },
  });
});

test('BoardGroupByClass: a lane for each class of service', async (t) => {
  const board = await boardOfTwo(t);
  const { expedite, standard, intangible } = await lanes(board, 'class');
  assert.deepEqual([expedite.total, standard.total, intangible.total], [1, 2, 1]);
});

test('BoardGroupByUnassigned: what nobody has is in the lane (unassigned)', async (t) => {
  const board = await boardOfTwo(t);
  assert.deepEqual((await lanes(board, 'assignee'))['(unassigned)'], { total: 1, backlog: 1 });
});

test('BoardGroupByJSON: the answer is {groups: [{key, statuses, total}]} with every column', async (t) => {
  const board = await boardOfTwo(t);
  const answer = await board.asks('board', '--group-by', 'assignee');
  assert.deepEqual(Object.keys(answer), ['groups']);
  const alice = answer.groups.find((lane) => lane.key === 'alice');
  assert.deepEqual(alice, {
    key: 'alice',
    statuses: [
      { status: 'backlog', name: 'backlog', count: 1, blocked: 0, overdue: 0 },
      { status: 'todo', name: 'todo', count: 1, wip_limit: 5, blocked: 0, overdue: 0 },
      { status: 'in-progress', name: 'in-progress', count: 0, wip_limit: 3, blocked: 0, overdue: 0 },
      { status: 'done', name: 'done', count: 0, blocked: 0, overdue: 0 },
    ],
    total: 2,
  });
});
