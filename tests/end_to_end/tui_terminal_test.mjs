// `andon tui` on terminals of every size, with few colours, on slow lines, and with what hostile people write into a board. The screen
// of these tests knows only what Andon may write; whatever else gets through fails them.
import assert from 'node:assert/strict';
import test from 'node:test';
import { openPlace } from './support/place.mjs';
import { isAlive } from './support/processes.mjs';
import { told } from './support/program.mjs';
import { editConfig, makeBoard, openBoard, placesBeyond, resize, untilQuiet, untilScreen, writeTask } from './support/tui_board.mjs';
import { until } from './support/until.mjs';

// An Escape that no later key can make an Alt of: what follows at once is a sequence without a meaning.
const kEscape = '\x1b\x1b[0z';

const kDialogs = [
  ['the board', [], /3 cards/],
  ['the page of a task', ['enter'], /Status: +backlog/],
  ['the choice of a column', ['m'], /Move #3 to:/],
  ['the question before a deletion', ['d'], /Delete task\?/],
  ['the keys', ['?'], /Keyboard Shortcuts/],
  ['the filter', ['/'], /^ \/$/m],
  ['the debug page', ['ctrl-d'], /Happenings/],
  ['the form at its title', ['c'], /Step 1\/4/],
  ['the form at its body', ['c', 'tab'], /Step 2\/4/],
  ['the form at its priority', ['c', 'tab', 'tab'], /Step 3\/4/],
  ['the form at its tags', ['c', 'tab', 'tab', 'tab'], /Step 4\/4/],
  ['the form of an existing task', ['e'], /Edit task #3/],
];

// Every way in which a text can lie to a terminal or a reader.
const kHostile = {
  sequences: 'a\x1b[31mred\x1b[0m\x1b]0;title\x07\x1b[2J\x1bPq\x1b\\\x1b[6n\x1b[?1049l',
  controls: 'a\x07\x08\x0b\x0c\x0e\x0f\x7fb',
  c1: 'a\u0085\u009b31m\u009d0;x\u009cb',
  bidi: 'a\u202egnp.exe\u2066x\u2069\u200f\u061cb',
  hidden: 'a\u200bb\u2060c\ufeffd\u00ade\u{e0041}f\u2028g\u2029h',
  zalgo: 'Z\u0351\u0363\u036b\u0300\u0301\u0302\u0303\u0304\u0305\u0306\u0307\u0308a\u0338\u0339l\u034cgo'.repeat(4),
  marks: '\u0301\u0302\u20dd alone',
  wide: '漢字かなカナ한글ﾊﾝｶｸ全角ＡＢＣ'.repeat(3),
  emoji: '👩‍💻👨‍👩‍👧‍👦🏳️‍🌈❤️👍🏽🇨🇭🇩🇪🇦1️⃣😀'.repeat(2),
  indic: 'क्षत्रिय தமிழ் ภาษาไทย',
  arabic: 'مرحبا שלום',
  tabs: 'a\tb\t\tc\nnew line\r\nother\rthird',
  long: 'x'.repeat(400),
};

async function countedBytes(terminal, act, isDone) {
  await untilQuiet(terminal);
  const mark = terminal.mark();
  await act();
  await until('the picture has changed', isDone, 60_000);
  await untilQuiet(terminal);
  return terminal.bytesSince(mark);
}

for (const [columns, rows] of [[81, 24], [20, 5], [1, 1], [2, 30], [300, 1], [300, 80]])
  test(`everything can be opened at ${columns}x${rows}`, async (t) => {
    const place = openPlace(t);
    await makeBoard(place);
    const terminal = await openBoard(place, { columns: 80, rows: 24 });
    await terminal.waitFor('#3');
    const board = terminal.screen();
    for (const [what, keys, shows] of kDialogs.slice(1)) {
      const mark = await resize(terminal, columns, rows);
      for (const key of keys) terminal.press(key);
      await untilQuiet(terminal, 50);
      assert.deepEqual(placesBeyond(terminal.bytesSince(mark), columns, rows), [], what);
      // Whether it is open, and closed again, can be seen on a screen of the usual size only.
      await resize(terminal, 80, 24);
      await terminal.waitFor(shows);
      terminal.press('escape');
      await untilScreen(terminal, board);
    }
    terminal.press('q');
    assert.deepEqual(await terminal.exit(), { code: 0, mode: 'cooked' });
  });

test('the window may change its size while anything is open', async (t) => {
  const place = openPlace(t);
  await makeBoard(place);
  const terminal = await openBoard(place);
  await terminal.waitFor('#3');
  const board = terminal.screen();
  for (const [what, keys, shows] of kDialogs) {
    for (const key of keys) terminal.press(key);
    await terminal.waitFor(shows);
    await untilQuiet(terminal);
    const before = terminal.screen();
    for (const [columns, rows] of [[1, 1], [5, 3], [300, 80], [79, 2], [20, 5]])
      assert.deepEqual(placesBeyond(terminal.bytesSince(await resize(terminal, columns, rows)), 300, 80), [], what);
    await resize(terminal, 80, 24);
    if (what !== 'the debug page') await untilScreen(terminal, before);
    if (keys.length > 0) terminal.press('escape');
    await untilScreen(terminal, board);
  }
});

test('many changes of the size end in the last one', async (t) => {
  const place = openPlace(t);
  await makeBoard(place);
  const terminal = await openBoard(place);
  await terminal.waitFor('#3');
  const board = terminal.screen();
  for (let i = 0; i < 200; i++) terminal.resize(1 + ((i * 37) % 299), 1 + ((i * 13) % 79));
  await resize(terminal, 80, 24);
  await untilScreen(terminal, board);
});

test('a terminal that lies about its size is served all the same', async (t) => {
  const place = openPlace(t);
  await makeBoard(place);
  const terminal = await openBoard(place);
  await terminal.waitFor('#3');
  const board = terminal.screen();
  for (const lie of ['65535x65535', '65535x1', '0x7', '0x0']) {
    const mark = terminal.mark();
    terminal.child.stdio[3].write(`${lie}\n`);
    await until(`a picture is drawn at ${lie}`, () => terminal.bytesSince(mark).includes('\x1b[2J'), 60_000);
  }
  await untilScreen(terminal, board); // 80x24, as for a terminal that says nothing
});

test('what people write reaches the terminal as text', async (t) => {
  const place = openPlace(t);
  await makeBoard(place, 0);
  const kinds = Object.entries(kHostile);
  kinds.forEach(([kind, text], i) => {
    const quoted = JSON.stringify(text);
    const extra = `tags:\n  - ${quoted}\n  - ok\nassignee: ${quoted}\nclaimed_by: ${quoted}\nclaimed_at: 2020-01-02T03:04:05Z\nblocked: true\nblock_reason: ${quoted}\nestimate: ${quoted}\n`;
    writeTask(place, i + 1, { title: `${kind} ${text}`, body: `# ${text}\n\n${text}\n`, extra });
  });
  const count = kinds.length;
  const terminal = await openBoard(place, { columns: 300, rows: 80, shows: `${count} cards` });
  const opened = kDialogs.slice(1, 4).map(([, keys]) => keys).concat([['e'], ['e', 'tab'], ['e', 'tab', 'tab', 'tab']]);
  for (const [columns, rows, dialogs] of [[80, 24, opened], [33, 60, [['enter']]], [5, 9, [['e']]], [1, 1, [['enter']]], [300, 80, []]]) {
    await resize(terminal, columns, rows);
    terminal.press('home');
    for (const keys of kinds.flatMap(() => [...dialogs, undefined])) {
      terminal.press(...(keys ?? ['down']));
      await untilQuiet(terminal, 15);
      terminal.screen();
      if (keys) terminal.type(kEscape);
      await untilQuiet(terminal, 30);
    }
  }
  await terminal.waitFor(`${count} cards`);
  terminal.press('q');
  assert.equal((await terminal.exit()).code, 0);
});

test('files that are no text at all are shown, or named as unreadable', async (t) => {
  const place = openPlace(t);
  await makeBoard(place, 1);
  writeTask(place, 2, { title: Buffer.from([0x22, 0x61, 0xff, 0xc0, 0xaf, 0xed, 0xa0, 0x80, 0xf8, 0x80, 0x1b, 0x5b, 0x32, 0x4a, 0x22]) });
  writeTask(place, 3, { title: Buffer.from([0x80, 0x9b, 0x33, 0x31, 0x6d]) });
  writeTask(place, 4, { title: '"never closed\x1b[2J' });
  const terminal = await openBoard(place);
  await terminal.waitFor('#1 Task 1');
  terminal.press('enter');
  await terminal.waitFor('Status:');
  terminal.press('q');
  await terminal.waitUntilGone('Status:');
  terminal.press('q');
  assert.deepEqual(await terminal.exit(), { code: 0, mode: 'cooked' });
});

test('names of columns, of the board and of priorities are text as well', async (t) => {
  const place = openPlace(t);
  await makeBoard(place, 1);
  const name = JSON.stringify('do\x1b[2J\u202e漢\u0301\u200b');
  editConfig(place, '    - name: todo\n', `    - name: ${name}\n`);
  editConfig(place, '    name: Shop', `    name: ${name}`);
  editConfig(place, '    - high\n', `    - ${JSON.stringify('hi\x1b[31m\u009bgh')}\n`);
  const terminal = await openBoard(place, { shows: /./ });
  await untilQuiet(terminal);
  terminal.press('m');
  await untilQuiet(terminal, 50);
  terminal.press('q');
  terminal.screen();
});

test('what is pasted is typed, not obeyed', async (t) => {
  const place = openPlace(t);
  await makeBoard(place, 1);
  const terminal = await openBoard(place);
  const kHostileFields = ['c', '/'];
  const hostile = Object.values(kHostile).join(' ').replaceAll('\x1b[201~', '');
  const fields = [['c'], ['c', 'tab'], ['c', 'tab', 'tab'], ['c', 'tab', 'tab', 'tab'], ['/'], ['m'], ['enter'], ['?']];
  for (const keys of fields) {
    terminal.press(...keys);
    await untilQuiet(terminal, 50);
    terminal.paste(hostile);
    terminal.paste('qqq\x1b[B\x03\x1a');
    await untilQuiet(terminal, 50);
    if (kHostileFields.includes(keys[0])) for (const key of ['left', 'left', 'backspace', 'home', 'delete', 'end']) terminal.press(key);
    await untilQuiet(terminal, 50);
    terminal.screen();
    terminal.type(kEscape);
    await untilQuiet(terminal, 60);
  }
  await terminal.waitFor('1 card');
  terminal.press('c');
  await terminal.waitFor('Step 1/4');
  terminal.paste(`pasted ${kHostile.sequences} ${kHostile.bidi}\nend`);
  terminal.press('enter');
  await terminal.waitFor('2 cards');
  const [, made] = await told(place, ['list', '--json']);
  assert.match(made.title, /^pasted a.*end$/);
  assert.doesNotMatch(made.title, /[\x00-\x1f\x7f-\x9f\u202e]/);
});

test('a very large paste does not stop the board', async (t) => {
  const place = openPlace(t);
  await makeBoard(place, 1);
  const terminal = await openBoard(place);
  terminal.press('c', 'tab');
  await terminal.waitFor('Step 2/4');
  for (let i = 0; i < 4; i++) terminal.paste('paste 漢字\n'.repeat(60_000));
  terminal.press('shift-tab');
  await terminal.waitFor('Step 1/4');
  terminal.press('escape');
  await terminal.waitUntilGone('Step 1/4');
});

const kColours = /\x1b\[[0-9;]*(3[0-8]|4[0-8]|9[0-7]|10[0-7])[;m]/;
for (const [what, env, has, hasNot] of [
  ['no colour with NO_COLOR', { NO_COLOR: '1', COLORTERM: 'truecolor' }, /\x1b\[0;1/, kColours],
  ['no colour on a dumb terminal', { TERM: 'dumb' }, /\x1b\[0;1/, kColours],
  ['no colour where nothing is said of the terminal', { TERM: '' }, /\x1b\[0;1/, kColours],
  ['the palette with 256 colours', { TERM: 'xterm-256color' }, /38;5;\d+m/, /[34]8;2;/],
  ['sixteen colours on a plain terminal', { TERM: 'xterm' }, /\x1b\[0;(1;)?(3[0-7]|9[0-7])/, /[34]8;[25];/],
  ['the palette with true colours too: all colours of a board of files are of the palette', { COLORTERM: 'truecolor' }, /38;5;\d+m/, /[34]8;2;(?!\d+;\d+;\d+m)/],
])
  test(`there is ${what}`, async (t) => {
    const place = openPlace(t);
    await makeBoard(place, 3);
    writeTask(place, 2, { extra: 'blocked: true\nblock_reason: no parts\n' });
    const terminal = await openBoard(place, { env });
    for (const [, keys] of kDialogs.slice(1, 6)) {
      terminal.press(...keys);
      await untilQuiet(terminal, 50);
      terminal.type(kEscape);
      await untilQuiet(terminal, 60);
    }
    const written = terminal.raw().toString('latin1');
    assert.match(written, has);
    assert.doesNotMatch(written, hasNot);
  });

for (const [columns, rows] of [[80, 24], [300, 80]])
  test(`a change takes few bytes at ${columns}x${rows}`, async (t) => {
    const place = openPlace(t);
    await makeBoard(place, 40);
    const terminal = await openBoard(place, { columns, rows, shows: '40 cards' });
    const first = terminal.mark();
    const cursor = await countedBytes(terminal, () => terminal.press('down'), () => terminal.find('▌ #2') ?? terminal.find('▌'));
    const moved = await countedBytes(terminal, () => terminal.press('n'), () => terminal.screen().includes('todo (1)'));
    const typed = await countedBytes(terminal, () => terminal.press('/'), () => terminal.cursor.isVisible);
    const filtered = await countedBytes(terminal, () => terminal.type('Task 33'), () => terminal.screen().includes('Task 33') && terminal.find('/Task 33'));
    t.diagnostic(`${columns}x${rows}: first picture ${first} bytes, cursor key ${cursor.length}, moved card ${moved.length}, filter opened ${typed.length}, typed ${filtered.length}`);
    assert.ok(cursor.length < 1000, `a cursor key takes ${cursor.length} bytes: ${JSON.stringify(cursor.toString())}`);
    assert.ok(moved.length < 6 * columns * rows);
    assert.ok(typed.length < 1000);
  });

test('on a slow line pictures in between are left out', async (t) => {
  const place = openPlace(t);
  await makeBoard(place, 60);
  const terminal = await openBoard(place, { columns: 200, rows: 60, shows: '60 cards' });
  await untilQuiet(terminal);
  terminal.slowDown(2_000);
  const mark = terminal.mark();
  for (let i = 0; i < 120; i++) {
    terminal.press(i % 2 ? 'q' : '?');
    await new Promise((resolve) => setImmediate(resolve));
  }
  terminal.press('end');
  terminal.press('m');
  const begin = performance.now();
  await terminal.waitFor('Move #');
  t.diagnostic(`120 whole pictures were asked for; ${terminal.bytesSince(mark).length} bytes came, after ${Math.round(performance.now() - begin)} ms`);
  terminal.slowDown(-1);
  await untilQuiet(terminal);
  assert.match(terminal.screen(), /Move #1 to/);
});

test('a stopped line does not keep the program from its end', async (t) => {
  const place = openPlace(t);
  await makeBoard(place, 1);
  writeTask(place, 1, { body: '漢'.repeat(20_000) });
  const terminal = await openBoard(place, { columns: 300, rows: 80 });
  await untilQuiet(terminal);
  terminal.slowDown(0);
  terminal.press('enter');
  for (let i = 0; i < 5; i++) terminal.press('down');
  const { pid } = terminal;
  process.kill(pid, 'SIGTERM');
  await until('the process ends', () => !isAlive(pid), 60_000);
});

for (const [flag, config, shows, showsNot] of [
  ['--hide-empty-columns', '', /backlog/, /review/],
  ['--show-empty-columns', 'hide_empty_columns: true', /backlog[^]*review/, /^$/],
  ['--narrow', '', /\[backlog 3\]/, /\(empty\)/],
  ['--mouse', '', /mouse \|/, /^$/],
])
  test(`${flag} is kept`, async (t) => {
    const place = openPlace(t);
    await makeBoard(place);
    if (config) editConfig(place, 'tui:\n', `tui:\n    ${config}\n`);
    const terminal = await openBoard(place, { flags: [flag], shows, columns: 150 });
    await terminal.waitFor('#3');
    assert.doesNotMatch(terminal.screen(), showsNot);
    terminal.click(2, 5);
    terminal.wheel(2, 5);
    terminal.drag([2, 5], [140, 20]);
    terminal.click(149, 23);
    await untilQuiet(terminal, 100);
    terminal.press('q');
    assert.deepEqual(await terminal.exit(), { code: 0, mode: 'cooked' });
    assert.deepEqual([...terminal.emulator.modes].sort(), ['?25', '?7']);
  });
