// The pseudo-terminal and the screen that the tests of the full screen look at, tried with small scripts as the program.
import assert from 'node:assert/strict';
import test from 'node:test';
import { openPlace } from './support/place.mjs';
import { ScreenEmulator } from './support/screen_emulator.mjs';
import { openTerminal } from './support/terminal.mjs';

const runScript = (place, script, options) => openTerminal(place, ['-c', script], { program: '/bin/sh', ...options });
const oneByOne = 'stty -echo -icanon min 1; ';

function emulated(...pieces) {
  const emulator = new ScreenEmulator(10, 3);
  for (const piece of pieces) emulator.write(piece);
  return emulator;
}

test('the screen shows what the program writes, and its end has a status', async (t) => {
  const terminal = runScript(openPlace(t), "stty -echo; printf '\\033[?1049h\\033[2;3Hhello \\033[1;31mred'; read line; printf '\\033[?1049l'; stty echo; exit 7");
  await terminal.waitFor('hello red');
  assert.deepEqual(terminal.find('red'), { x: 8, y: 1 });
  assert.deepEqual(terminal.styleAt(8, 1), { bold: true, text: '31' });
  assert.deepEqual(terminal.cursor, { x: 11, y: 1, isVisible: true });
  const mark = terminal.mark();
  terminal.press('enter');
  assert.deepEqual(await terminal.exit(), { code: 7, mode: 'cooked' });
  assert.equal(terminal.bytesSince(mark).toString(), '\x1b[?1049l');
  assert.equal(terminal.screen().trim(), '');
});

test('keys, pastes and the mouse reach the program as a terminal sends them', async (t) => {
  const terminal = runScript(openPlace(t), `${oneByOne} printf ready; dd bs=1 count=88 2>/dev/null | od -An -v -c -w88 | tr -d ' '`, { columns: 200 });
  await terminal.waitFor('ready');
  terminal.press('up', 'ctrl-d', 'alt-x', 'escape');
  terminal.paste('two\nlines');
  terminal.click(4, 2);
  terminal.drag([0, 0], [9, 9]);
  terminal.wheel(1, 1);
  await terminal.waitFor('033[A004033x033033[200~two');
  assert.ok(terminal.screen().includes('033[<0;5;3M033[<0;5;3m033[<0;1;1M'));
  assert.equal((await terminal.exit()).mode, 'raw');
});

test('the window has the size that the person gives it', async (t) => {
  const terminal = runScript(openPlace(t), "trap 'stty size; exit 0' WINCH; stty size; while :; do read line; done", { columns: 60, rows: 10 });
  await terminal.waitFor('10 60');
  terminal.resize(100, 30);
  await terminal.waitFor('30 100');
  assert.equal((await terminal.exit()).code, 0);
});

test('a hang-up ends the program by its signal', async (t) => {
  const terminal = runScript(openPlace(t), 'echo ready; exec sleep 600');
  await terminal.waitFor('ready');
  terminal.hangUp();
  assert.equal((await terminal.exit()).code, 129);
});

test('a slow screen takes its bytes slowly', async (t) => {
  const terminal = runScript(openPlace(t), 'read line; head -c 20000 /dev/zero | tr "\\0" x; echo; echo done; read line');
  terminal.slowDown(50_000);
  const begin = performance.now();
  terminal.press('enter');
  await terminal.waitFor('done');
  assert.ok(performance.now() - begin > 300);
});

test('waiting in vain fails with a picture of the screen', async (t) => {
  const terminal = runScript(openPlace(t), 'echo here I am; read line');
  await terminal.waitFor('here I am');
  await assert.rejects(terminal.waitFor('elsewhere', 50), /in vain[^]*here I am/);
});

test('a program that ended is not waited for', async (t) => {
  const terminal = runScript(openPlace(t), 'exit 3');
  await assert.rejects(terminal.waitFor('more'), /"code":3/);
});

test('a sequence that the terminal does not know fails the test', async (t) => {
  const terminal = runScript(openPlace(t), "printf '\\033]0;title\\007'; read line");
  await assert.rejects(terminal.waitFor('title'), /does not know/);
  for (const bytes of ['\x1b[5n', '\x1b[?1000h', '\x1b[3J', '\x1b[5m', '\x1b[38;9;1m', '\x1b7', '\x9b', '\x7f', '\u202e', '\x07'])
    assert.throws(() => emulated(bytes), /does not know/, JSON.stringify(bytes));
  assert.throws(() => emulated('\x1b[?1049h', 'a\n'), /control character/);
});

test('sequences and characters may be split anywhere', () => {
  const text = '\x1b[?1049h\x1b[2;2He\u0301👩\u200d💻\x1b[1;38;5;9mz\x1b[0m\x1b[K';
  assert.deepEqual(emulated(...text).cells, emulated(text).cells);
  assert.deepEqual(emulated(text).lines(), ['', ' e\u0301👩\u200d💻z', '']);
});

test('wide characters take two cells, and half of one cannot stay', () => {
  const emulator = emulated('你好', '\x1b[1;2Hx');
  assert.deepEqual(emulator.lines(), [' x好', '', '']);
});

test('lines wrap and scroll before the whole screen is taken', () => {
  assert.deepEqual(emulated('0123456789ab\r\n2\r\n3').lines(), ['ab', '2', '3']);
  assert.throws(() => emulated('\x1b[?1049h\x1b[3;1H0123456789ab'), /scroll/);
  assert.deepEqual(emulated('\x1b[?1049h\x1b[?7l\x1b[3;1H0123456789ab').lines()[2], '012345678b');
});

test('the screen from before comes back', () => {
  assert.deepEqual(emulated('shell', '\x1b[?1049h', '\x1b[2J\x1b[Hboard', '\x1b[?1049l', '!').lines(), ['shell!', '', '']);
});
