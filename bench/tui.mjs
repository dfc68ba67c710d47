// The measures of bench/tui. The terminal is a pseudo-terminal that takes everything at once; times include its process.
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openPlace } from '../tests/end_to_end/support/place.mjs';
import { cleanEnvironment, kProgram, told } from '../tests/end_to_end/support/program.mjs';
import { startServer } from '../tests/end_to_end/support/server.mjs';
import { ticksOf } from '../tests/end_to_end/support/tui_board.mjs';

const kTasks = Number(process.env.TASKS ?? 10_000);
const kStarts = Number(process.env.STARTS ?? 15);
const kKeys = Number(process.env.KEYS ?? 100);
const kQuiet = 60; // ms without a byte, after which a picture is complete
const kIdle = 3_000; // ms
const kColumns = ['backlog', 'todo', 'in-progress', 'review', 'done'];
const kPriorities = ['low', 'medium', 'high', 'critical'];
const median = (numbers) => numbers.sort((a, b) => a - b)[numbers.length >> 1];

const endings = [];
const place = openPlace({ after: (end) => endings.push(end) });

async function fillFiles() {
  await told(place, ['init', '--name', 'bench']);
  for (let id = 1; id < kTasks; id++)
    writeFileSync(place.path('kanban', 'tasks', `${String(id).padStart(3, '0')}-task-number-${id}.md`), `---
id: ${id}
title: Task number ${id} of a board with many
status: ${kColumns[id % 5]}
priority: ${kPriorities[id % 4]}
created: 2026-11-01T08:00:00.123Z
updated: 2026-11-02T09:30:00.5Z
tags:
    - api
    - area-${id % 7}
class: standard
---

What task ${id} is about, in a few lines of text that somebody wrote.

- first this
- then that
`);
  const config = place.path('kanban', 'config.yml');
  writeFileSync(config, readFileSync(config, 'utf8').replace(/^next_id: .*$/m, `next_id: ${kTasks}`));
  await pause(3_000); // so that no file is as young as its index
  await told(place, ['create', 'The last task']); // the index is there, as on a board that is used
}

async function fillServer() {
  const server = await startServer(place, { flags: ['--no-runner'], log: 'ignore' });
  await server.andon('boards', 'create', 'bench');
  const columns = (await server.andon('boards', 'show', 'bench', '--json').catch(() => undefined))?.columns?.map((one) => one.name) ?? ['todo'];
  const open = columns.filter((name) => /backlog|todo/i.test(name));
  for (let made = 0; made < kTasks; made += 500) {
    const tasks = Array.from({ length: Math.min(500, kTasks - made) }, (_, i) => ({
      title: `Task number ${made + i} of a board with many`, board: 'bench', status: open[i % open.length], tags: ['api', `area-${i % 7}`],
      body: 'What it is about, in a few lines of text that somebody wrote.',
    }));
    const response = await fetch(`${server.url}/api/v1/tasks`, {
      method: 'POST', body: JSON.stringify(tasks), headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${server.token}` },
    });
    if (!response.ok) throw new Error(await response.text());
  }
  return server;
}

// A board on a terminal: when its bytes came, and which process draws.
class Screen {
  text = '';
  last = 0;
  reports = '';

  constructor(flags, size = '120x40') {
    this.begun = performance.now();
    this.child = spawn(join(dirname(kProgram), 'tests', 'pty'), [size, kProgram, 'tui', ...flags], {
      cwd: place.root, env: cleanEnvironment(place, { TERM: 'xterm-256color' }), stdio: ['pipe', 'pipe', 'inherit', 'pipe', 'pipe'],
    });
    this.child.stdout.setEncoding('utf8').on('data', (text) => {
      this.last = performance.now();
      this.text += text;
      if (!this.first && this.text.includes('Task')) this.first = this.last - this.begun;
    });
    this.child.stdio[4].setEncoding('utf8').on('data', (text) => (this.reports += text));
    this.ended = new Promise((resolve) => this.child.on('close', resolve));
  }
  get pid() {
    return Number(/pid (\d+)/.exec(this.reports)[1]);
  }
  memory(name) {
    return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${this.pid}/status`, 'latin1'))[1]) / 1024;
  }
  async started() {
    while (!this.first) await pause(1);
    return this.first;
  }
  async settled() {
    for (let before = -1, now = ticksOf(this.pid); before !== now; now = ticksOf(this.pid)) {
      before = now;
      await pause(500);
    }
  }
  async pressed(key) {
    const begun = performance.now();
    const size = this.text.length;
    this.child.stdin.write(key);
    while (this.text.length === size || performance.now() - this.last < kQuiet) await pause(5);
    return this.last - begun;
  }
  async quit() {
    this.child.stdin.write('q');
    await this.ended;
  }
}

async function measure(flags) {
  const starts = [];
  for (let i = 0; i < kStarts; i++) {
    const screen = new Screen(flags);
    starts.push(await screen.started());
    await screen.quit();
  }
  const screen = new Screen(flags);
  await screen.started();
  await screen.settled();
  if (!screen.text.includes(` ${kTasks} cards`)) throw new Error('not all cards are on the screen');
  const keys = {};
  for (const [name, pair] of Object.entries({ 'cursor key': ['j', 'k'], 'next column': ['l', 'h'], help: ['?', 'q'], 'end of a column': ['G', 'g'] })) {
    const times = [];
    for (let i = 0; i < kKeys / 4; i++) for (const key of pair) times.push(await screen.pressed(key));
    keys[name] = times;
  }
  await screen.settled();
  const ticks = ticksOf(screen.pid);
  await pause(kIdle);
  const idle = ticksOf(screen.pid) - ticks;
  const result = { start: median(starts), slowest: Math.max(...starts), keys, memory: screen.memory('VmHWM'), now: screen.memory('VmRSS'), idle };
  await screen.quit();
  return result;
}

const show = (number) => number.toFixed(1);
try {
  console.log(`${kTasks} tasks, load ${loadavg().map(show).join(' ')}\n`);
  console.log('| board | start, median of ' + kStarts + ' (slowest) | key to screen, median (slowest) | peak memory (now) | ticks in 3 s at rest |\n| --- | --- | --- | --- | --- |');
  await fillFiles();
  const server = await fillServer();
  for (const [name, flags] of [['files', ['--dir', place.path('kanban')]], ['server', ['--dir', server.data]]]) {
    const { start, slowest, keys, memory, now, idle } = await measure(flags);
    const times = Object.entries(keys).map(([key, all]) => `${key} ${show(median(all))} (${show(Math.max(...all))})`).join(', ');
    console.log(`| ${name} | ${show(start)} ms (${show(slowest)}) | ${times} ms | ${show(memory)} MiB (${show(now)}) | ${idle} |`);
  }
} finally {
  for (const end of endings) await end();
}
