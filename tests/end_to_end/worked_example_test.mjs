import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FlowBoard } from './support/flow_board.mjs';
import { openPlace } from './support/place.mjs';

// docs/worked-example.md tells this story: six tasks, three agents, one board, commands alone.

const kTasks = [
  ['Design new API schema', 'critical', ''],
  ['Implement auth endpoints', 'high', '1'],
  ['Implement CRUD endpoints', 'high', '1'],
  ['Write integration tests', 'medium', '2,3'],
  ['Update documentation', 'low', '2,3'],
  ['Migrate old clients', 'high', '2,3'],
];
const kPick = ['pick', '--status', 'todo', '--move', 'in-progress', '--claim'];

async function openBoard(t, ...kind) {
  const board = new FlowBoard(openPlace(t));
  await board.does('init', ...kind, '--name', 'API Rewrite', '--statuses', 'backlog,todo:5,in-progress:3,review:2,done');
  for (const [title, priority, before] of kTasks)
    await board.does('create', title, '--priority', priority, ...(before ? ['--depends-on', before] : []));
  return board;
}

test('limits stand in --statuses as NAME:LIMIT, for init and for boards create', async (t) => {
  const board = await openBoard(t, '--sqlite');
  await board.does('boards', 'create', 'second', '--statuses', 'backlog,todo:5,in-progress:3,review:2,done');
  for (const name of ['api-rewrite', 'second']) {
    const { columns } = await board.asks('boards', 'show', name);
    assert.deepEqual(columns.map((column) => [column.name, column.stage, column.wip_limit ?? 0]), [
      ['backlog', 'backlog', 0], ['todo', 'ready', 5], ['in-progress', 'active', 3], ['review', 'review', 2], ['done', 'done', 0],
    ], name);
  }
  for (const wrong of ['todo:x', 'todo:', 'todo:-1', 'todo:5:6'])
    assert.equal((await board.refusal('boards', 'create', 'third', '--statuses', `backlog,${wrong},done`)).code, 'INVALID_INPUT', wrong);
});

async function workOff(board) {

  // Five fit into todo; the sixth waits in the backlog until there is room.
  const batch = await board.refusal('move', '1,2,3,4,5,6', 'todo');
  assert.deepEqual(batch.map((entry) => entry.ok), [true, true, true, true, true, false]);
  assert.equal(batch[5].code, 'WIP_LIMIT_EXCEEDED');

  assert.equal((await board.asks(...kPick, 'agent-1')).id, 1);
  await board.does('move', '6', 'todo');
  assert.equal((await board.refusal(...kPick, 'agent-2')).code, 'NOTHING_TO_PICK');

  // Whoever holds a claim says so when it moves the task.
  assert.equal((await board.refusal('move', '1', 'done')).code, 'TASK_CLAIMED');
  await board.does('move', '1', 'done', '--claim', 'agent-1');

  assert.equal((await board.asks(...kPick, 'agent-2')).id, 2);
  assert.equal((await board.asks(...kPick, 'agent-3')).id, 3);

  // Two of three places are taken: the open dependencies are what stops agent-1, not the limit.
  const { code, error } = await board.refusal(...kPick, 'agent-1');
  assert.equal(code, 'NOTHING_TO_PICK');
  assert.match(error, /3 .*dependenc/);

  await board.does('move', '2', 'done', '--claim', 'agent-2');
  await board.does('move', '3', 'done', '--claim', 'agent-3');

  assert.equal((await board.asks(...kPick, 'agent-1')).id, 6);
  assert.equal((await board.asks(...kPick, 'agent-2')).id, 4);
  assert.equal((await board.asks(...kPick, 'agent-3')).id, 5);

  const { statuses } = await board.asks('board');
  const active = statuses.find((column) => column.status === 'in-progress');
  assert.deepEqual([active.count, active.wip_limit], [3, 3]);
  await board.does('create', 'One more', '--status', 'todo');
  assert.equal((await board.refusal(...kPick, 'agent-4')).code, 'WIP_LIMIT_EXCEEDED');
}

for (const [place, kind] of [['a database', ['--sqlite']], ['Markdown files', []]])
  test(`three agents work off six tasks in ${place} and get exactly what the rules give`, async (t) => workOff(await openBoard(t, ...kind)));
