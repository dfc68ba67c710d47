import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cleanEnvironment, kProgram } from './program.mjs';
import { ScreenEmulator } from './screen_emulator.mjs';
import { until } from './until.mjs';

const kPty = join(dirname(kProgram), 'tests', 'pty');
const kEndTime = 60_000; // ms
const kKeys = {
  enter: '\r', tab: '\t', 'shift-tab': '\x1b[Z', escape: '\x1b', backspace: '\x7f', delete: '\x1b[3~', space: ' ',
  up: '\x1b[A', down: '\x1b[B', right: '\x1b[C', left: '\x1b[D', home: '\x1b[H', end: '\x1b[F', 'page-up': '\x1b[5~', 'page-down': '\x1b[6~',
};

// A program, `andon` if not told otherwise, on a terminal of its own.
export function openTerminal(place, args, { columns = 80, rows = 24, env = {}, cwd = place.root, program = kProgram } = {}) {
  if (!existsSync(kPty)) throw new Error(`there is no ${kPty}; build the target pty`);
  const child = spawn(kPty, [`${columns}x${rows}`, program, ...args], {
    cwd, env: cleanEnvironment(place, { TERM: 'xterm-256color', ...env }), stdio: ['pipe', 'pipe', 'inherit', 'pipe', 'pipe'],
  });
  const terminal = new Terminal(child, new ScreenEmulator(columns, rows));
  place.atEnd(() => terminal.end());
  return terminal;
}

// What a person sees and does. A method throws when the program wrote what the terminal does not know.
class Terminal {
  #pieces = [];
  #size = 0;
  #reports = '';
  #failure;
  #exit;
  #decoder = new TextDecoder('utf-8', { fatal: true });

  constructor(child, emulator) {
    Object.assign(this, { child, emulator });
    child.stdout.on('data', (bytes) => this.#show(bytes));
    child.stdio[4].setEncoding('utf8').on('data', (text) => (this.#reports += text));
    for (const pipe of [child.stdin, child.stdio[3]]) pipe.on('error', () => {});
    child.on('error', (error) => (this.#failure ??= error));
    child.on('close', (code) => (this.#exit = { code, mode: /^mode (.*)$/m.exec(this.#reports)?.[1] }));
  }

  // A key is a name of the table, `ctrl-c`, `alt-x` or a character. Keys of one call arrive together, so that Escape before another
  // key is Alt.
  press(...keys) {
    this.#send(keys.map(bytesOf).join(''));
  }
  type(text) {
    this.#send(text);
  }
  paste(text) {
    this.#send(`\x1b[200~${text.replaceAll('\n', '\r')}\x1b[201~`);
  }
  // Cells count from 0.
  click(x, y) {
    this.#send(mouse(0, x, y) + mouse(0, x, y, 'm'));
  }
  drag([fromX, fromY], [toX, toY]) {
    this.#send(mouse(0, fromX, fromY) + mouse(32, toX, toY) + mouse(0, toX, toY, 'm'));
  }
  wheel(x, y, direction = 'down') {
    this.#send(mouse(direction === 'up' ? 64 : 65, x, y));
  }
  resize(columns, rows) {
    this.emulator.resize(columns, rows);
    this.#command(`${columns}x${rows}`);
  }
  hangUp() {
    this.#command('hangup');
  }
  // How fast the screen takes bytes; 0 stops it, -1 sets no limit.
  slowDown(bytesPerSecond) {
    this.#command(`bytes-per-second ${bytesPerSecond}`);
  }

  get pid() {
    return Number(/^pid (\d+)$/m.exec(this.#reports)?.[1]);
  }
  get cursor() {
    return { ...this.emulator.cursor, isVisible: this.emulator.isCursorVisible };
  }
  screen() {
    this.#check();
    return this.emulator.lines().join('\n');
  }
  styleAt(x, y) {
    return this.emulator.styleAt(x, y);
  }
  // Where a text stands for the first time: {x, y} of its first cell.
  find(text) {
    const lines = this.screen().split('\n');
    const y = lines.findIndex((line) => line.includes(text));
    if (y < 0) return undefined;
    const before = lines[y].slice(0, lines[y].indexOf(text)).length;
    let x = 0;
    for (let length = 0; length < before; x++) length += this.emulator.cells[y][x].text.length;
    while (this.emulator.cells[y][x].text === '') x++;
    return { x, y };
  }
  raw() {
    return Buffer.concat(this.#pieces);
  }
  // How much was written by now; `bytesSince` gives what was written after it.
  mark() {
    return this.#size;
  }
  bytesSince(mark) {
    return this.raw().subarray(mark);
  }

  // Waits until the screen holds the text, or matches the expression.
  waitFor(text, within) {
    return this.#wait(`the screen shows ${text}`, () => holds(this.screen(), text), within);
  }
  waitUntilGone(text, within) {
    return this.#wait(`the screen does not show ${text}`, () => !holds(this.screen(), text), within);
  }
  // Waits until the program ends: {code, mode}, the latter `cooked` when the terminal was given back.
  async exit(within = kEndTime) {
    await this.#wait('the program ends', () => this.#exit, within);
    this.#check();
    return this.#exit;
  }

  // At the end of a test: a program that still runs gets a hang-up, and is killed if that does not end it.
  async end() {
    if (!this.#exit) this.hangUp();
    const deadline = Date.now() + kEndTime;
    await until('the program on the terminal ends', () => {
      if (this.#exit) return true;
      if (Date.now() > deadline - 45_000 && this.pid) killIfThere(this.pid);
      return false;
    }, kEndTime);
  }

  async #wait(what, probe, within) {
    try {
      await until(what, () => {
        this.#check();
        if (probe()) return true;
        if (this.#exit) throw new Error(`The program ended with ${JSON.stringify(this.#exit)} before ${what}`);
        return false;
      }, within);
    } catch (error) {
      throw new Error(`${error.message}\n${this.#picture()}`, { cause: error });
    }
  }

  #picture() {
    const edge = '-'.repeat(this.emulator.columns);
    return [edge, ...this.emulator.lines(), edge].join('\n');
  }

  #show(bytes) {
    this.#pieces.push(bytes);
    this.#size += bytes.length;
    if (this.#failure) return;
    try {
      this.emulator.write(this.#decoder.decode(bytes, { stream: true }));
    } catch (error) {
      this.#failure = error;
    }
  }

  #check() {
    if (this.#failure) throw this.#failure;
  }
  #send(bytes) {
    this.child.stdin.write(bytes);
  }
  #command(line) {
    this.child.stdio[3].write(`${line}\n`);
  }
}

const holds = (screen, text) => (text instanceof RegExp ? text.test(screen) : screen.includes(text));

function bytesOf(key) {
  if (kKeys[key]) return kKeys[key];
  if (/^ctrl-[a-z]$/.test(key)) return String.fromCharCode(key.charCodeAt(5) - 0x60);
  if (key.startsWith('alt-')) return `\x1b${bytesOf(key.slice(4))}`;
  if ([...key].length !== 1) throw new Error(`There is no key ${key}`);
  return key;
}

function mouse(button, x, y, final = 'M') {
  return `\x1b[<${button};${x + 1};${y + 1}${final}`;
}

function killIfThere(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}
