// `andon tui` and what ends, stops or disturbs it: signals, a hang-up, a crash, a board that goes away. The terminal is always left clean.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import test from 'node:test';
import { openPlace } from './support/place.mjs';
import { isAlive, processesNaming } from './support/processes.mjs';
import { andon, kProgram, told } from './support/program.mjs';
import { startServer } from './support/server.mjs';
import { openTerminal } from './support/terminal.mjs';
import { makeBoard, openBoard, ticksOf, untilQuiet, untilScreen, writeTask } from './support/tui_board.mjs';
import { until } from './support/until.mjs';

const kSoon = 60_000; // ms
const kIdle = 3_000; // ms
const kMostIdleTicks = 2;

function assertClean(terminal) {
  assert.deepEqual([...terminal.emulator.modes].sort(), ['?25', '?7']);
  assert.deepEqual(terminal.emulator.style, {});
}

const stateOf = (pid) => /^State:\s+(\S)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))[1];
const untilStopped = (pid) => until('the process is stopped', () => stateOf(pid) === 'T', kSoon);

// All signals that end a process by default and can be handled; the program ignores SIGPIPE.
const kEnding = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGSEGV', 'SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGILL', 'SIGSYS', 'SIGTRAP',
  'SIGXCPU', 'SIGXFSZ', 'SIGUSR1', 'SIGUSR2', 'SIGALRM', 'SIGVTALRM', 'SIGPROF', 'SIGPOLL', 'SIGPWR', 'SIGSTKFLT'];
for (const signal of kEnding)
  test(`${signal} ends it and gives the terminal back`, async (t) => {
    const place = openPlace(t);
    await makeBoard(place);
    const terminal = await openBoard(place, { flags: ['--mouse'] });
    terminal.press('c');
    await terminal.waitFor('Step 1/4');
    process.kill(terminal.pid, signal);
    assert.deepEqual(await terminal.exit(), { code: 128 + constants.signals[signal], mode: 'cooked' });
    assertClean(terminal);
  });

test('what was to be said before a crash is said after it', async (t) => {
  const place = openPlace(t);
  await makeBoard(place);
  writeFileSync(place.path('kanban', 'tasks', '009-broken.md'), 'no front matter\x1b[2J');
  const terminal = await openBoard(place);
  await terminal.waitFor('#3');
  process.kill(terminal.pid, 'SIGABRT');
  assert.deepEqual(await terminal.exit(), { code: 134, mode: 'cooked' });
  assert.match(terminal.screen(), /009-broken/);
});

test('ctrl-c ends it from everywhere', async (t) => {
  const place = openPlace(t);
  await makeBoard(place);
  for (const keys of [[], ['c'], ['?'], ['enter'], ['/'], ['m'], ['d']]) {
    const terminal = await openBoard(place);
    terminal.press(...keys, 'ctrl-c');
    assert.deepEqual(await terminal.exit(), { code: 0, mode: 'cooked' });
    assertClean(terminal);
  }
});

test('a hang-up ends it, and nothing of it stays', async (t) => {
  const place = openPlace(t);
  await makeBoard(place);
  for (const keys of [[], ['c'], ['?']]) {
    const terminal = await openBoard(place);
    terminal.press(...keys);
    await untilQuiet(terminal, 50);
    const { pid } = terminal;
    terminal.hangUp();
    assert.equal((await terminal.exit()).code, 129);
    assert.ok(!isAlive(pid));
  }
  await until('no process is left', () => processesNaming(place.root).length === 0, kSoon);
});

test('a hang-up that is not signalled ends it as well', async (t) => {
  const place = openPlace(t);
  await makeBoard(place);
  const terminal = openTerminal(place, ['-c', `trap '' HUP; ${kProgram} tui; echo $? > code`], { program: '/bin/sh' });
  await terminal.waitFor('3 cards');
  terminal.hangUp();
  await terminal.exit();
  assert.equal(readFileSync(place.path('code'), 'utf8').trim(), '129');
});

// A shell with job control, as people have one.
async function inShell(place, flags = '') {
  const terminal = openTerminal(place, ['-c', `set -m; ${kProgram} tui ${flags}; echo "stopped with $?"; read line; fg; echo "ended with $?"; read line`], { program: '/bin/bash' });
  await terminal.waitFor('3 cards');
  return terminal;
}

const boardOf = (place) => processesNaming(place.root).find((pid) => /andon\0tui/.test(readFileSync(`/proc/${pid}/cmdline`, 'latin1')));

for (const [what, stop] of [
  ['ctrl-z', (terminal) => terminal.press('ctrl-z')],
  ['the signal to stop', (_, pid) => process.kill(pid, 'SIGTSTP')],
])
  test(`${what} gives the terminal to the shell, and the picture comes back`, async (t) => {
    const place = openPlace(t);
    await makeBoard(place);
    const terminal = await inShell(place, '--mouse');
    terminal.press('c');
    await terminal.waitFor('Step 1/4');
    terminal.type('half a title');
    await terminal.waitFor('half a title');
    const picture = terminal.screen();
    const pid = boardOf(place);
    for (let round = 0; round < 1; round++) {
      stop(terminal, pid);
      await untilStopped(pid);
      await terminal.waitFor('stopped with 1');
      assertClean(terminal);
      terminal.press('enter');
      await untilScreen(terminal, picture);
      assert.ok(terminal.emulator.modes.has('?1002'));
    }
    terminal.resize(100, 30);
    await terminal.waitFor('half a title');
    terminal.press('ctrl-c');
    await terminal.waitFor('ended with 0');
    assertClean(terminal);
  });

test('ctrl-z does nothing where no shell could bring the board back', async (t) => {
  const place = openPlace(t);
  await makeBoard(place);
  const terminal = await openBoard(place);
  await terminal.waitFor('#3');
  const picture = terminal.screen();
  const mark = terminal.mark();
  terminal.press('ctrl-z');
  await until('the picture is drawn anew', () => terminal.bytesSince(mark).includes('\x1b[2J'), kSoon);
  await untilScreen(terminal, picture);
  assert.notEqual(stateOf(terminal.pid), 'T');
});

test('a process that is stopped and continued by others draws its picture again', async (t) => {
  const place = openPlace(t);
  await makeBoard(place);
  const terminal = await openBoard(place);
  await terminal.waitFor('#3');
  process.kill(terminal.pid, 'SIGSTOP');
  await untilStopped(terminal.pid);
  const mark = terminal.mark();
  process.kill(terminal.pid, 'SIGCONT');
  await until('the picture is drawn anew', () => terminal.bytesSince(mark).includes('\x1b[2J'), kSoon);
});

test('ctrl-z stops the script around it, too', async (t) => {
  const place = openPlace(t);
  await makeBoard(place);
  writeFileSync(place.path('wrapper'), `#!/bin/sh\n${kProgram} tui\ntrue\n`, { mode: 0o755 });
  const terminal = openTerminal(place, ['-c', 'set -m; ./wrapper; echo "stopped with $?"; read line; fg; read line'], { program: '/bin/bash' });
  await terminal.waitFor('3 cards');
  terminal.press('ctrl-z');
  await terminal.waitFor('stopped with 1');
  assertClean(terminal);
  terminal.press('enter');
  await terminal.waitFor('3 cards');
  terminal.press('q');
  await terminal.waitUntilGone('3 cards');
});

test('warnings come after the picture', async (t) => {
  const place = openPlace(t);
  await makeBoard(place);
  writeFileSync(place.path('kanban', 'tasks', '009-broken.md'), 'no front matter\x1b[2J');
  const terminal = await openBoard(place);
  await terminal.waitFor('#3');
  terminal.press('r');
  await untilQuiet(terminal);
  assert.doesNotMatch(terminal.screen(), /009-broken/);
  terminal.press('q');
  assert.equal((await terminal.exit()).code, 0);
  assert.match(terminal.screen(), /009-broken/);
});

test('a board that goes away and comes back is told of', async (t) => {
  const place = openPlace(t);
  await makeBoard(place);
  const terminal = await openBoard(place);
  await terminal.waitFor('#3');
  renameSync(place.path('kanban'), place.path('elsewhere'));
  await terminal.waitUntilGone('3 cards', kSoon);
  terminal.press('down', 'enter');
  await untilQuiet(terminal);
  terminal.press('escape');
  renameSync(place.path('elsewhere'), place.path('kanban'));
  await terminal.waitFor('3 cards', kSoon);
  writeTask(place, 4);
  await terminal.waitFor('4 cards', kSoon);
  rmSync(place.path('kanban'), { recursive: true });
  await terminal.waitUntilGone('4 cards', kSoon);
  await makeBoard(place, 2);
  await terminal.waitFor('2 cards', kSoon);
  terminal.press('q');
  assert.deepEqual(await terminal.exit(), { code: 0, mode: 'cooked' });
});

test('a directory of tasks that is removed and made again is followed', async (t) => {
  const place = openPlace(t);
  await makeBoard(place);
  const terminal = await openBoard(place);
  await terminal.waitFor('#3');
  rmSync(place.path('kanban', 'tasks'), { recursive: true });
  await terminal.waitUntilGone('3 cards', kSoon);
  await told(place, ['create', 'again']).catch(() => {});
  if (!existsSync(place.path('kanban', 'tasks'))) assert.fail('the directory was not made again');
  await terminal.waitFor('again', kSoon);
  await told(place, ['create', 'more']);
  await terminal.waitFor('more', kSoon);
});

test('a wrong configuration is told of until it is mended', async (t) => {
  const place = openPlace(t);
  await makeBoard(place);
  const file = place.path('kanban', 'config.yml');
  const right = readFileSync(file);
  const terminal = await openBoard(place);
  await terminal.waitFor('#3');
  for (const wrong of ['version: [\x1b[2J', '', 'version: 11\nstatuses: 7\n', '\xff\xfe'.repeat(100)]) {
    writeFileSync(file, wrong, 'latin1');
    await terminal.waitFor(/config/, kSoon);
    assert.match(terminal.screen(), /#3/);
    terminal.press('n');
    await untilQuiet(terminal, 100);
    writeFileSync(file, right);
    terminal.press('down');
    await terminal.waitFor('3 cards', kSoon);
  }
});

test('it keeps up with fifty changes a second of another process', async (t) => {
  const place = openPlace(t);
  await makeBoard(place, 20);
  const terminal = await openBoard(place, { shows: '20 cards' });
  let n = 0;
  const writer = setInterval(() => writeTask(place, 1 + (n % 20), { title: `R${++n}` }), 20);
  place.atEnd(() => clearInterval(writer));
  // While the changes go on, they are shown, and keys are obeyed.
  await terminal.waitFor(/R\d+/, kSoon);
  await terminal.waitFor(/R\d{3}/, kSoon);
  assert.ok(n < 3_000);
  terminal.press('?');
  await terminal.waitFor('Keyboard Shortcuts', 30_000);
  terminal.press('q');
  await terminal.waitUntilGone('Keyboard Shortcuts', 30_000);
  clearInterval(writer);
  writeTask(place, 20, { title: 'Last' });
  await terminal.waitFor('Last', kSoon);
});

test('it needs a terminal', async (t) => {
  const place = openPlace(t);
  await makeBoard(place);
  const { code, err, out } = await andon(place, ['tui']);
  assert.notEqual(code, 0);
  assert.match(err + out, /needs a terminal/);
  for (const redirection of ['< /dev/null', '> file']) {
    const terminal = openTerminal(place, ['-c', `${kProgram} tui ${redirection}; echo "ended with $?"; read line`], { program: '/bin/sh' });
    await terminal.waitFor('needs a terminal');
    assertClean(terminal);
  }
});

for (const [answer, makes] of [['y', true], ['Y', true], ['', true], ['yes', true], ['n', false], ['what', false], ['ctrl-d', false]])
  test(`without a board it offers one, and the answer ${JSON.stringify(answer)} ${makes ? 'makes it' : 'leaves everything as it was'}`, async (t) => {
    const place = openPlace(t);
    const terminal = openTerminal(place, ['tui']);
    await terminal.waitFor('Create one here?');
    const before = readdirSync(place.root).filter((name) => !name.startsWith('.'));
    if (answer === 'ctrl-d') terminal.press('ctrl-d');
    else terminal.type(`${answer}\r`);
    if (makes) {
      await terminal.waitFor('to .gitignore?');
      terminal.press('enter');
      await terminal.waitFor('0 cards');
      terminal.press('q');
      assert.equal((await terminal.exit()).code, 0);
    } else {
      assert.equal((await terminal.exit()).code, 1);
      assert.deepEqual(readdirSync(place.root).filter((name) => !name.startsWith('.')), before);
    }
    assertClean(terminal);
  });

test('the offer can be interrupted', async (t) => {
  const terminal = openTerminal(openPlace(t), ['tui']);
  await terminal.waitFor('Create one here?');
  terminal.press('ctrl-c');
  assert.deepEqual(await terminal.exit(), { code: 130, mode: 'cooked' });
});

async function assertIdle(t, terminal) {
  await untilQuiet(terminal, 1_000);
  const before = ticksOf(terminal.pid);
  const begin = performance.now();
  await until('some time has passed', () => performance.now() - begin > kIdle);
  const used = ticksOf(terminal.pid) - before;
  t.diagnostic(`${used} ticks in ${kIdle} ms`);
  assert.ok(used <= kMostIdleTicks, `${used} ticks in ${kIdle} ms`);
}

test('an idle screen of files needs no processor', async (t) => {
  const place = openPlace(t);
  await makeBoard(place);
  await assertIdle(t, await openBoard(place));
});

test('an idle screen of a server needs no processor', async (t) => {
  const place = openPlace(t);
  const server = await startServer(place);
  await server.andon('boards', 'create', 'shop');
  await server.andon('create', 'Of the server');
  const terminal = await openBoard(place, { flags: ['--dir', server.data], shows: /Of the\s+server|1 card/ });
  await assertIdle(t, terminal);
});

test('a server that does not answer is not waited for at the end', async (t) => {
  const place = openPlace(t);
  const server = await startServer(place);
  place.atEnd(() => server.child.kill('SIGCONT'));
  await server.andon('boards', 'create', 'shop');
  await server.andon('create', 'Of the server');
  const ends = [['q', (terminal) => terminal.press('q'), { code: 0, mode: 'cooked' }],
    ['SIGTERM', (terminal) => process.kill(terminal.pid, 'SIGTERM'), { code: 143, mode: 'cooked' }],
    ['a hang-up', (terminal) => terminal.hangUp(), { code: 129, mode: undefined }]];
  for (const [what, end, expected] of ends) {
    const terminal = await openBoard(place, { flags: ['--dir', server.data] });
    server.child.kill('SIGSTOP');
    terminal.press('n');
    await untilQuiet(terminal, 100);
    end(terminal);
    assert.deepEqual(await terminal.exit(), expected, what);
    server.child.kill('SIGCONT');
  }
});

test('a server that ends is told of, and its return as well', async (t) => {
  const place = openPlace(t);
  const server = await startServer(place);
  await server.andon('boards', 'create', 'shop');
  await server.andon('create', 'Of the server');
  const terminal = await openBoard(place, { flags: ['--dir', server.data], shows: /Of the\s+server|1 card/ });
  await server.end();
  await terminal.waitUntilGone(/1 card/, kSoon);
  terminal.press('n');
  await untilQuiet(terminal);
  await startServer(place);
  terminal.press('down'); // takes away what the refused key said
  await terminal.waitFor('1 card', kSoon);
  terminal.press('q');
  assert.deepEqual(await terminal.exit(), { code: 0, mode: 'cooked' });
});
