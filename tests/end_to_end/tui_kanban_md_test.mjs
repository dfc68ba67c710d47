// The flows that kanban-md's users drive on its screen, on a terminal that says it can do nothing, under both names of the program.
import assert from 'node:assert/strict';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import test from 'node:test';
import { openPlace } from './support/place.mjs';
import { andon, kProgram, told } from './support/program.mjs';
import { openTerminal } from './support/terminal.mjs';
import { until } from './support/until.mjs';

const kStatus = 'cards | ? help';
const kMouse = '| ? help | mouse | create';

async function openBoard(t, name, tasks) {
  const place = openPlace(t);
  const program = place.path(name);
  if (name !== 'andon') symlinkSync(kProgram, program);
  const at = { program: name === 'andon' ? kProgram : program };
  const run = async (...args) => {
    const { code, out, err } = await andon(place, args, at);
    assert.equal(code, 0, err);
    return out;
  };
  await run('init', '--name', 'Test Board');
  for (const [title, ...flags] of tasks) await run('create', title, ...flags);
  return {
    place,
    run,
    directory: place.path('kanban'),
    show: async (id) => JSON.parse(await run('show', String(id), '--json')),
    list: async () => JSON.parse(await run('list', '--json')),
    open: (args = [], size = { columns: 120, rows: 40 }) =>
      openTerminal(place, ['--dir', place.path('kanban'), 'tui', ...args], { ...at, ...size, env: { NO_COLOR: '1', TERM: 'dumb' } }),
  };
}

const kSeeds = [['Task A', '--priority', 'high'], ['Task B', '--priority', 'medium'], ['Task C', '--status', 'in-progress', '--priority', 'high', '--claim', 'seeder'], ['Task D', '--status', 'done', '--priority', 'low']];

// What a flow is given: the board with its tasks, its screen, and `becomes`, which waits for a task to be so.
async function begin(t, name, { tasks = kSeeds, args, size, ready = kStatus } = {}) {
  const board = await openBoard(t, name, tasks);
  const screen = board.open(args, size);
  await screen.waitFor(ready);
  const becomes = (id, expected) =>
    until(`#${id} becomes ${JSON.stringify(expected)}`, async () => {
      const task = await board.show(id);
      return Object.entries(expected).every(([key, value]) => task[key] === value) && task;
    });
  const leave = async (...keys) => {
    for (const key of keys.length ? keys : ['q']) screen.press(key);
    assert.deepEqual(await screen.exit(), { code: 0, mode: 'cooked' });
  };
  return { ...board, screen, becomes, leave };
}

const erase = (screen, text) => screen.press(...[...text].map(() => 'backspace'));

const kFlows = {
  'a task is moved by the picker': async (t, name) => {
    const { screen, becomes, leave } = await begin(t, name);
    screen.press('m');
    await screen.waitFor('Move #1 to:');
    screen.press('j', 'enter');
    await becomes(1, { status: 'todo' });
    await leave();
  },
  'the picker is left without a move': async (t, name) => {
    const { screen, list, leave } = await begin(t, name);
    screen.press('m');
    await screen.waitFor('Move #1 to:');
    screen.press('escape');
    await screen.waitUntilGone('Move #1 to:');
    await leave();
    assert.deepEqual((await list()).map(({ status }) => status), ['backlog', 'backlog', 'in-progress', 'done']);
  },
  'a task goes to the next column and back, and the selection stays where it was': async (t, name) => {
    const { screen, becomes, leave } = await begin(t, name);
    screen.press('n');
    await becomes(1, { status: 'todo' });
    await screen.waitFor('todo (1)');
    screen.press('l', 'p');
    await becomes(1, { status: 'backlog' });
    await leave();
  },
  'the priority is raised and lowered': async (t, name) => {
    const { screen, becomes, leave } = await begin(t, name);
    screen.press('+');
    await becomes(1, { priority: 'critical' });
    await screen.waitFor('critical');
    screen.press('-');
    await becomes(1, { priority: 'high' });
    await leave();
  },
  'a task is deleted after a yes': async (t, name) => {
    const { screen, becomes, leave } = await begin(t, name);
    screen.press('d');
    await screen.waitFor('Delete task?');
    screen.press('y');
    await becomes(1, { status: 'archived' });
    await leave();
  },
  'a task stays after a no': async (t, name) => {
    const { screen, list, leave } = await begin(t, name);
    screen.press('d');
    await screen.waitFor('Delete task?');
    screen.press('n');
    await screen.waitUntilGone('Delete task?');
    assert.equal((await list()).length, 4);
    await leave();
  },
  'the second task of a column is deleted': async (t, name) => {
    const { screen, becomes, leave } = await begin(t, name);
    screen.press('j', 'd');
    await screen.waitFor('#2: Task B');
    screen.press('y');
    await becomes(2, { status: 'archived' });
    await leave();
  },
  'a task is opened and closed': async (t, name) => {
    const { screen, leave } = await begin(t, name);
    screen.press('enter');
    await screen.waitFor('Status:');
    await screen.waitFor('Task #1: Task A');
    screen.press('q');
    await screen.waitFor(kStatus);
    screen.press('j', 'enter');
    await screen.waitFor('Task #2: Task B');
    screen.press('q');
    await screen.waitFor(kStatus);
    await leave();
  },
  'the keys are listed': async (t, name) => {
    const { screen, leave } = await begin(t, name);
    screen.press('?');
    await screen.waitFor('Keyboard Shortcuts');
    screen.press('q');
    await screen.waitFor(kStatus);
    await leave();
  },
  'columns and rows are walked': async (t, name) => {
    const { screen, leave } = await begin(t, name);
    screen.press(...'lhjkhl', 'tab', 'shift-tab', 'up', 'down', 'left', 'right');
    await leave();
  },
  'Escape and Control-C end it': async (t, name) => {
    const { screen, open } = await begin(t, name);
    screen.press('escape');
    assert.deepEqual(await screen.exit(), { code: 0, mode: 'cooked' });
    const other = open();
    await other.waitFor(kStatus);
    other.press('c');
    await other.waitFor('Create task in');
    other.press('ctrl-c');
    assert.deepEqual(await other.exit(), { code: 0, mode: 'cooked' });
  },
  'a task is created in four steps': async (t, name) => {
    const { screen, list, show, leave } = await begin(t, name);
    screen.press('c');
    await screen.waitFor('Create task in backlog');
    screen.type('Create task from TUI');
    screen.press('tab');
    await screen.waitFor('Step 2/4');
    screen.type('Created from interactive hotkeys');
    screen.press('tab');
    await screen.waitFor('Step 3/4');
    screen.press('tab');
    await screen.waitFor('Step 4/4');
    screen.type('e2e,ui,hotkeys');
    screen.press('enter');
    await screen.waitFor('5 cards | ? help');
    await leave();
    const { id } = (await list()).find(({ title }) => title === 'Create task from TUI');
    const { body, tags, status, priority } = await show(id);
    assert.deepEqual({ body: body.trimEnd(), tags, status, priority }, { body: 'Created from interactive hotkeys', tags: ['e2e', 'ui', 'hotkeys'], status: 'backlog', priority: 'medium' });
  },
  'a task is created without a brief, and not at all after Escape': async (t, name) => {
    const { screen, list, leave } = await begin(t, name);
    screen.press('c');
    await screen.waitFor('Create task in');
    screen.type('Not this one');
    screen.press('escape');
    await screen.waitUntilGone('Create task in');
    screen.press('c');
    await screen.waitFor('Create task in');
    screen.type('No body task');
    screen.press('tab', 'tab', 'tab', 'enter');
    await screen.waitFor('5 cards | ? help');
    await leave();
    assert.deepEqual((await list()).map(({ title }) => title), ['Task A', 'Task B', 'Task C', 'Task D', 'No body task']);
  },
  'a title is typed anew': async (t, name) => {
    const { screen, becomes, leave } = await begin(t, name);
    screen.press('e');
    await screen.waitFor('Edit task #1');
    erase(screen, 'Task A');
    screen.type('Reworked');
    screen.press('enter');
    await becomes(1, { title: 'Reworked' });
    await leave();
  },
  'what was asked for is done, although the keys to leave come at once': async (t, name) => {
    const { screen, open, show, list } = await begin(t, name);
    screen.press('e', '!', 'enter', 'q');
    assert.deepEqual(await screen.exit(), { code: 0, mode: 'cooked' });
    assert.equal((await show(1)).title, 'Task A!');
    const other = open();
    await other.waitFor(kStatus);
    other.press('c', 'N', 'e', 'w', 'enter', 'n', '+', 'q');
    assert.deepEqual(await other.exit(), { code: 0, mode: 'cooked' });
    assert.deepEqual((await list()).map(({ title }) => title), ['Task A!', 'Task B', 'Task C', 'Task D', 'New']);
    const { status, priority } = await show(1);
    assert.deepEqual({ status, priority }, { status: 'todo', priority: 'critical' });
  },
  'an edit that is left changes nothing': async (t, name) => {
    const { screen, show, leave } = await begin(t, name);
    screen.press('e');
    await screen.waitFor('Edit task #1');
    erase(screen, '123456789012');
    screen.press('escape');
    await screen.waitUntilGone('Edit task #1');
    await leave();
    assert.equal((await show(1)).title, 'Task A');
  },
  'title, brief and tags are edited': async (t, name) => {
    const { screen, becomes, leave } = await begin(t, name, { tasks: [['Edit target', '--body', 'Original body', '--tag', 'legacy']], ready: '1 card | ? help' });
    screen.press('e');
    await screen.waitFor('Edit task #1');
    erase(screen, 'Edit target');
    screen.type('Edited task from TUI');
    screen.press('tab');
    await screen.waitFor('Original body');
    erase(screen, 'Original body');
    screen.type('Updated body text');
    screen.press('tab', 'tab');
    await screen.waitFor('Step 4/4');
    erase(screen, 'legacy');
    screen.type('e2e,updated');
    screen.press('enter');
    const { body, tags } = await becomes(1, { title: 'Edited task from TUI' });
    assert.deepEqual({ body: body.trimEnd(), tags }, { body: 'Updated body text', tags: ['e2e', 'updated'] });
    await leave();
  },
  'the status line tells of help first': async (t, name) => {
    const small = { columns: 80, rows: 24 };
    const { screen, leave, open } = await begin(t, name, { size: small, ready: '4 cards | ? help | create' });
    assert.doesNotMatch(screen.screen(), /Test Board \||n\/p:status|c:create/);
    await leave();
    const withMouse = open(['--mouse'], small);
    await withMouse.waitFor('4 cards | ? help | mouse | create');
    withMouse.press('q');
    await withMouse.exit();
  },
  'a card is dragged, also with the old reports of a mouse': async (t, name) => {
    const { screen, becomes, leave } = await begin(t, name, { args: ['--mouse'], ready: kMouse });
    screen.drag([1, 2], [25, 0]);
    await becomes(1, { status: 'todo' });
    await screen.waitFor('todo (1)');
    screen.press('enter');
    await screen.waitFor('Task #1: Task A');
    screen.press('q');
    await screen.waitFor(kMouse);
    const x10 = (code, x, y) => `\x1b[M${String.fromCharCode(32 + code, 33 + x, 33 + y)}`;
    screen.type(x10(0, 25, 2) + x10(32, 1, 0) + x10(3, 1, 0));
    await becomes(1, { status: 'backlog' });
    await leave();
  },
  'a full column takes no card': async (t, name) => {
    const { place, screen, show, leave } = await begin(t, name, { tasks: [['Too many', '--priority', 'high'], ['Occupies todo', '--status', 'todo']], args: ['--mouse'], ready: '2 cards' });
    const config = place.path('kanban', 'config.yml');
    writeFileSync(config, `${readFileSync(config, 'utf8').replace(/^wip_limits:.*\n( +.*\n)*/m, '')}wip_limits:\n    todo: 1\n`);
    await screen.waitFor('todo (1/1)');
    screen.drag([1, 2], [25, 0]);
    await screen.waitFor('WIP limit');
    assert.equal((await show(1)).status, 'backlog');
    screen.press('enter');
    await screen.waitFor('Task #1: Too many');
    assert.doesNotMatch(screen.screen(), /Move #1/);
    await leave('q', 'q');
  },
  'a drag may cross its own column': async (t, name) => {
    const { screen, becomes, leave } = await begin(t, name, { tasks: [['Change direction', '--status', 'todo']], args: ['--mouse'], ready: '1 card' });
    const at = (code, x, y, end = 'M') => `\x1b[<${code};${x + 1};${y + 1}${end}`;
    screen.type(at(0, 25, 2) + at(32, 1, 0) + at(32, 25, 0) + at(32, 49, 0) + at(0, 49, 0, 'm'));
    await becomes(1, { status: 'in-progress' });
    await leave();
  },
  'a card that a move claimed moves back with its claim': async (t, name) => {
    const { screen, becomes, leave } = await begin(t, name, { tasks: [['Round trip']], args: ['--mouse'], ready: '1 card' });
    screen.drag([1, 2], [49, 0]);
    const { claimed_by } = await becomes(1, { status: 'in-progress' });
    assert.match(claimed_by, /^tui@/);
    await screen.waitFor('in-progress (1)');
    screen.drag([49, 2], [25, 0]);
    await becomes(1, { status: 'todo', claimed_by });
    await screen.waitFor('todo (1)');
    screen.drag([25, 2], [1, 0]);
    await becomes(1, { status: 'backlog', claimed_by });
    await screen.waitFor('backlog (1)');
    // The claim is one's own: what it keeps others from is possible.
    screen.press('b');
    await screen.waitFor('Mark a task as blocked');
    screen.type('waits for parts');
    screen.press('enter');
    await becomes(1, { blocked: true });
    await leave();
  },
  'a card of somebody else is moved, and stays theirs; edits and deletes are refused': async (t, name) => {
    const { screen, run, becomes, show, leave } = await begin(t, name, { tasks: [['Claimed elsewhere', '--status', 'in-progress', '--claim', 'other-agent']], args: ['--mouse'], ready: '1 card' });
    await run('edit', '1', '--claim', 'other-agent');
    screen.drag([49, 2], [25, 0]);
    await becomes(1, { status: 'todo', claimed_by: 'other-agent' });
    await screen.waitFor('todo (1)');
    screen.press('d');
    await screen.waitFor('Delete task?');
    screen.press('y');
    await screen.waitFor(/claimed by/);
    screen.press('e');
    await screen.waitFor('Edit task #1');
    screen.type('!');
    screen.press('enter');
    await screen.waitFor(/claimed by/);
    screen.press('escape');
    await screen.waitUntilGone('Edit task #1');
    await leave();
    assert.equal((await show(1)).title, 'Claimed elsewhere');
  },
  'a double click opens, a click on the last row goes back': async (t, name) => {
    const { screen, leave } = await begin(t, name, { args: ['--mouse'], ready: kMouse });
    assert.ok(screen.raw().includes('\x1b[?1002h'));
    screen.resize(120, 40);
    screen.click(49, 2);
    screen.click(49, 2);
    await screen.waitFor('Task #3: Task C');
    screen.click(1, 39);
    await screen.waitFor(kMouse);
    screen.press('enter');
    await screen.waitFor('Task #3: Task C');
    await leave('q', 'q');
  },
  'the wheel goes through a column and scrolls a task': async (t, name) => {
    const lines = Array.from({ length: 45 }, (_, i) => `detail line ${i + 1}`);
    const body = ['DETAIL-TOP-MARKER', ...lines, 'DETAIL-BOTTOM-MARKER'].join('\n');
    const tasks = [['Short first card', '--priority', 'critical'], ['A deliberately long second card title that wraps', '--priority', 'high'], ['Newly revealed task', '--priority', 'medium', '--body', body]];
    const { screen, leave } = await begin(t, name, { tasks, args: ['--mouse'], size: { columns: 100, rows: 14 }, ready: '3 cards' });
    screen.wheel(1, 2);
    screen.wheel(2, 2);
    await screen.waitFor('revealed task');
    screen.click(2, 8);
    screen.click(2, 8);
    await screen.waitFor('Task #3: Newly revealed task');
    for (let i = 0; i < 35; i++) screen.wheel(2, 5);
    await screen.waitFor('DETAIL-BOTTOM-MARKER');
    for (let i = 0; i < 35; i++) screen.wheel(2, 5, 'up');
    await screen.waitFor('Task #3: Newly revealed task');
    await leave('q', 'q');
  },
  'the filter finds titles and numbers while it is typed': async (t, name) => {
    const { screen, leave } = await begin(t, name);
    screen.press('/');
    screen.type('task b');
    await screen.waitFor('backlog (1)');
    screen.press('enter');
    await screen.waitFor('1 card | ? help | filter:"task b"');
    screen.press('escape');
    await screen.waitFor('4 cards');
    screen.press('/');
    screen.type('#4 ');
    await screen.waitFor('backlog (0)');
    screen.press('escape');
    await screen.waitFor('4 cards | ? help | create');
    await leave();
  },
  'the order is chosen and turned round': async (t, name) => {
    const { screen, leave } = await begin(t, name);
    screen.press('s');
    await screen.waitFor('sort[created↓]');
    screen.press('s', 's');
    await screen.waitFor('sort[title↑]');
    assert.ok(screen.find('Task A').y < screen.find('Task B').y);
    screen.press('S');
    await screen.waitFor('sort[title↓]');
    assert.ok(screen.find('Task A').y > screen.find('Task B').y);
    await leave();
  },
  'empty columns are left out, and a narrow screen shows one column': async (t, name) => {
    const { screen, run, leave, open } = await begin(t, name, { args: ['--hide-empty-columns'] });
    assert.doesNotMatch(screen.screen(), /todo|review/);
    await leave();
    await run('config', 'set', 'tui.hide_empty_columns', 'true');
    const shown = open(['--show-empty-columns']);
    await shown.waitFor('review (0)');
    shown.press('q');
    await shown.exit();
    await run('config', 'set', 'tui.hide_empty_columns', 'false');
    const narrow = open([], { columns: 60, rows: 20 });
    await narrow.waitFor('[backlog 2]');
    assert.doesNotMatch(narrow.screen(), /Task C/);
    narrow.press('l', 'l');
    await narrow.waitFor('[in-progress 1]');
    await narrow.waitFor('Task C');
    narrow.press('q');
    await narrow.exit();
  },
  'changes of others come by themselves': async (t, name) => {
    const { screen, run, leave } = await begin(t, name);
    await run('move', '1', 'todo');
    await screen.waitFor('todo (1)');
    await run('create', 'From outside');
    await screen.waitFor('From outside');
    await leave();
  },
};

for (const name of ['andon', 'kanban-md'])
  for (const [title, flow] of Object.entries(kFlows)) test(`${name}: ${title}`, (t) => flow(t, name));

test('flags that exclude each other are refused, and so is a screen without a terminal', async (t) => {
  const place = openPlace(t);
  await told(place, ['init', '--name', 'x']);
  const both = await andon(place, ['tui', '--hide-empty-columns', '--show-empty-columns']);
  assert.equal(both.code, 1);
  assert.match(both.err, /cannot use/);
  const none = await andon(place, ['tui']);
  assert.equal(none.code, 1);
  assert.match(none.err, /needs a terminal/);
});

test('where there is no board, one is offered', async (t) => {
  const place = openPlace(t);
  const no = openTerminal(place, ['tui']);
  await no.waitFor('Create one here?');
  no.type('n\n');
  assert.equal((await no.exit()).code, 1);
  const yes = openTerminal(place, ['tui']);
  await yes.waitFor('Create one here?');
  yes.type('y\n');
  await yes.waitFor('.gitignore');
  yes.type('n\n');
  await yes.waitFor('0 cards | ? help');
  yes.press('q');
  assert.equal((await yes.exit()).code, 0);
});
