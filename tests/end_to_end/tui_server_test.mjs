// The board of a server on a terminal: live by its stream, with workers, runs, questions, verdicts and the cord.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import test from 'node:test';
import { installAgent, moveTo, newTask, openShop, readTask, runsOf, startRun, waitFor } from './support/agents.mjs';
import { openPlace } from './support/place.mjs';
import { asWorker, makeRepository } from './support/repository.mjs';
import { startServer } from './support/server.mjs';
import { openTerminal } from './support/terminal.mjs';
import { until } from './support/until.mjs';

const kSize = { columns: 120, rows: 40 };
const peek = (screen, name) => process.env.ANDON_SHOW_SCREENS && console.log(`=== ${name}\n${screen.screen()}`);

async function openServer(t) {
  const place = openPlace(t);
  return { place, server: await startServer(place) };
}

const openBoard = (place, server, { args = [], ...size } = {}) =>
  openTerminal(place, ['--dir', server.data, 'tui', ...args], { ...kSize, ...size });

async function leave(screen) {
  screen.press('q');
  assert.deepEqual(await screen.exit(), { code: 0, mode: 'cooked' });
}

test('what happens on the server is on the screen without a key', async (t) => {
  const { place, server } = await openServer(t);
  await openShop(server, { dev: `cat > /dev/null; echo compiling; ${waitFor(place.path('go'))}; echo linked; andon done --result ok` });
  const screen = openBoard(place, server);
  await screen.waitFor('dev');
  const task = await newTask(server, 'Write it', { assignee: 'dev' });
  await screen.waitFor('#1 Write it');
  const run = await startRun(server, task);
  await screen.waitFor('● dev #1');
  await screen.waitFor('compiling');
  peek(screen, 'a run');

  // Its output, live.
  screen.press('l', 'l', 'o');
  await screen.waitFor('Output of #1');
  await screen.waitFor('compiling');
  writeFileSync(place.path('go'), '');
  await screen.waitFor('linked');
  peek(screen, 'output');
  screen.press('escape');
  await screen.waitFor(/Done \(1\)|done \(1\)/);
  assert.equal((await runsOf(server, task))[0].id, run.id);
  await leave(screen);
});

test('a question is answered, a task approved, killed and retried by keys', async (t) => {
  const { place, server } = await openServer(t);
  const question = 'andon block --reason "Which colour?" --choice red --choice green';
  await openShop(server, { dev: `cat > /dev/null; if [ -e "${place.path('asked')}" ]; then ${waitFor(place.path('go'))}; else touch "${place.path('asked')}"; ${question}; fi` });
  const task = await newTask(server, 'Paint it', { assignee: 'dev' });
  const screen = openBoard(place, server);
  await screen.waitFor('#1 Paint it');
  screen.press('a');
  await screen.waitFor('Approved task #1: Paint it');
  await screen.waitFor('? Which colour?');
  await screen.waitFor('1 need');
  peek(screen, 'a question');
  screen.press('i');
  await screen.waitFor('Needs you (1)');
  peek(screen, 'inbox');
  screen.press('a');
  await screen.waitFor('2) green');
  peek(screen, 'answer');
  screen.press('2');
  await until('it is answered', async () => !(await readTask(server, task)).question);
  await screen.waitFor('Nothing waits for you.');
  screen.press('escape');
  await screen.waitFor('● dev #1');

  // The selection stays in its column; the task is where the agent works.
  await screen.waitFor(/In Progress \(1\)|in_progress \(1\)|in-progress \(1\)/i);
  screen.press('l', 'l');
  screen.press('K');
  await screen.waitFor('Stop the work on a task?');
  screen.press('y');
  await until('it is in the backlog', async () => (await readTask(server, task)).stage === 'backlog');
  await screen.waitFor('○ dev');

  // What cannot be done is said in the server's words.
  screen.press('h', 'h');
  await screen.waitFor('#1 Paint it');
  screen.press('t');
  await screen.waitFor('retry: ');
  peek(screen, 'refused');
  await leave(screen);
});

test('work is reviewed: the diff, a reason that sends it back, an acceptance', async (t) => {
  const { place, server } = await openServer(t);
  const repository = makeRepository(place);
  await server.http.post('/boards', { name: 'shop', template: 'queue', repo: repository.directory, worktree: true, land: 'auto', review_by: 'person' });
  installAgent(server.data, 'dev', `${asWorker}\ncat > prompt.txt; rm prompt.txt; echo "the second colour" >> a.txt; git commit -qam work; andon done --result "wrote it"`);
  await server.http.post('/workers', { name: 'dev', agent: 'dev' });
  const task = await newTask(server, 'Write a', { assignee: 'dev' });
  await server.http.post(`/tasks/${task.id}/approve`);
  await until('it is in review', async () => (await readTask(server, task)).stage === 'review');
  const screen = openBoard(place, server, { columns: 160 });
  await screen.waitFor('1 file +1');
  peek(screen, 'review');
  screen.press('i');
  await screen.waitFor('review');
  screen.press('v');
  await screen.waitFor('+the second colour');
  peek(screen, 'diff');
  screen.press('x');
  await screen.waitFor('Send finished work back with a reason');
  screen.type('the third one');
  screen.press('enter');
  await until('it was sent back', async () => (await readTask(server, task)).attempt === 2);
  await until('it is in review again', async () => (await readTask(server, task)).stage === 'review');

  // The changes on the screen are those of the new attempt before anybody accepts them.
  await screen.waitFor('#1 was worked on again');
  screen.press('escape');
  await screen.waitFor('Needs you (1)');
  screen.press('a');
  await until('it is done', async () => (await readTask(server, task)).stage === 'done');
  await screen.waitFor('Nothing waits for you.');
  await until('it landed', () => repository.sh('git show main:a.txt').includes('the second colour'));
  screen.press('escape');
  await screen.waitFor('? help');
  await leave(screen);
});

test('the cord stops the agents of the board and lets them go on; dispatch is paused', async (t) => {
  const { place, server } = await openServer(t);
  await openShop(server, { dev: `cat > /dev/null; ${waitFor(place.path('go'))}` });
  const screen = openBoard(place, server);
  await screen.waitFor('○ dev');
  screen.press('!');
  await screen.waitFor('STOPPED by');
  screen.press('!');
  await screen.waitFor('Let all agents of this board go on?');
  screen.press('y');
  await screen.waitUntilGone('STOPPED by');
  screen.press('P');
  await screen.waitFor('dispatch paused');
  const task = await newTask(server, 'Wait', { assignee: 'dev' });
  await moveTo(server, task, 'todo');
  await screen.waitFor(/~ .*paused/);
  peek(screen, 'why');
  screen.press('P');
  await screen.waitUntilGone('dispatch paused');
  await screen.waitFor('● dev #1');
  screen.press('l', 'l', 'f');
  await screen.waitFor('dev stands still');
  await until('the worker is frozen', async () => (await server.http.get('/dispatch/frozen')).workers.includes('dev'));
  screen.press('f');
  await screen.waitFor('dev goes on');
  screen.press('w');
  await screen.waitFor('Workers');
  await screen.waitFor('working');
  peek(screen, 'workers');
  screen.press('escape');
  await screen.waitUntilGone('working ');
  await leave(screen);
});

test('the server decides about claims: one takes a task, others are refused', async (t) => {
  const { place, server } = await openServer(t);
  await server.http.post('/boards', { name: 'shop', template: 'flow' });
  const mine = await newTask(server, 'Mine', { status: 'todo', priority: 'high' });
  const held = await newTask(server, 'Held', { status: 'todo', priority: 'low' });
  await server.http.post(`/tasks/${held.id}/claim`, { by: 'somebody' });
  const screen = openBoard(place, server);
  await screen.waitFor('@somebody');
  screen.press('n');
  await screen.waitFor('requires a claim');
  screen.press('C');
  await screen.waitFor('Claimed task #1');
  screen.press('n');
  await until('it is in work', async () => (await readTask(server, mine)).status === 'in-progress');
  await screen.waitFor('In Progress (1)');
  for (const key of ['n', '+']) {
    screen.press(key);
    await screen.waitFor('is claimed by "somebody"');
    screen.press('k');
    await screen.waitUntilGone('is claimed by "somebody" (');
  }
  assert.deepEqual(((task) => [task.status, task.claimed_by, task.priority])(await readTask(server, held)), ['todo', 'somebody', 'low']);
  await leave(screen);
});

test('a server that goes away and comes back is told, and the board is live again', async (t) => {
  const { place, server } = await openServer(t);
  await server.http.post('/boards', { name: 'shop' });
  await newTask(server, 'First');
  const screen = openBoard(place, server);
  await screen.waitFor('#1 First');
  await server.end();
  await screen.waitFor('Not live');
  // What is asked for meanwhile is refused; it does not take the store, on which the server starts again.
  screen.press('r', '+');
  await screen.waitFor(/no server is live on|cannot be reached/);
  const again = await startServer(place);
  await screen.waitUntilGone('Not live');
  await newTask(again, 'Second');
  await screen.waitFor('#2 Second');
  screen.press('+');
  await until('it was changed', async () => (await readTask(again, { id: 1 })).priority !== 'medium' || (await readTask(again, { id: 2 })).priority !== 'medium');
  await leave(screen);
});

test('boards are chosen, and a column longer than a page is there as a whole', async (t) => {
  const { place, server } = await openServer(t);
  await server.http.post('/boards', { name: 'shop' });
  await server.http.post('/boards', { name: 'other' });
  const tasks = Array.from({ length: 1_200 }, (_, i) => ({ board: 'other', title: `Thing ${i + 1}` }));
  for (let i = 0; i < tasks.length; i += 300) await server.http.post('/tasks', tasks.slice(i, i + 300));
  const screen = openBoard(place, server);
  await screen.waitFor('0 cards');
  screen.press('B');
  await screen.waitFor('Go to board:');
  screen.press('j', 'enter');
  await screen.waitFor('1200 cards');
  screen.press('/');
  screen.type('thing 1199');
  await screen.waitFor('#1199 Thing 1199');
  screen.press('enter');
  await screen.waitFor('1 card |');
  screen.press('escape');
  await screen.waitFor('1200 cards');
  screen.press('G');
  await screen.waitFor('#1 Thing 1');
  await leave(screen);
});
