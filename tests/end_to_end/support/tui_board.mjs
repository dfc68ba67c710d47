import { readFileSync, writeFileSync } from 'node:fs';
import { told } from './program.mjs';
import { openTerminal } from './terminal.mjs';
import { until } from './until.mjs';

// A task file as a person's editor, or somebody with bad intent, may write it. Its times are long ago, so that its card does not change
// while a test looks at it.
export function writeTask(place, id, { title = `Task ${id}`, status = 'backlog', body = '', extra = '' } = {}) {
  const head = Buffer.from(`---\nid: ${id}\ntitle: `);
  const rest = `\nstatus: ${status}\npriority: medium\ncreated: 2020-01-02T03:04:05Z\nupdated: 2020-01-02T03:04:05Z\n${extra}class: standard\n---\n\n`;
  const quoted = Buffer.isBuffer(title) ? title : Buffer.from(JSON.stringify(title));
  writeFileSync(place.path('kanban', 'tasks', `${String(id).padStart(3, '0')}-task.md`), Buffer.concat([head, quoted, Buffer.from(rest + body)]));
}

// A board of files of so many tasks.
export async function makeBoard(place, count = 3, name = 'Shop') {
  await told(place, ['init', '--name', name]);
  for (let id = 1; id <= count; id++) writeTask(place, id);
  editConfig(place, /^next_id: .*$/m, `next_id: ${count + 1}`);
}

export function editConfig(place, from, to) {
  const file = place.path('kanban', 'config.yml');
  writeFileSync(file, readFileSync(file, 'utf8').replace(from, to));
}

export function openBoard(place, { flags = [], shows = /\d+ cards?/, ...options } = {}) {
  const terminal = openTerminal(place, ['tui', ...flags], options);
  return terminal.waitFor(shows).then(() => terminal);
}

// Gives the window another size, and returns when the whole picture was drawn in it.
export async function resize(terminal, columns, rows) {
  const mark = terminal.mark();
  terminal.resize(columns, rows);
  await until(`the picture is drawn at ${columns}x${rows}`, () => terminal.bytesSince(mark).includes('\x1b[2J'), 60_000);
  return mark;
}

// What was written since then moved the cursor to places of the screen only.
export function placesBeyond(bytes, columns, rows) {
  return [...bytes.toString('latin1').matchAll(/\x1b\[(\d+);(\d+)H/g)].filter(([, y, x]) => y > rows || x > columns).map(([all]) => all);
}

// Waits until the screen looks like this again.
export function untilScreen(terminal, picture) {
  return until('the screen is as before', () => terminal.screen() === picture || undefined).catch((error) => {
    throw new Error(`${error.message}\n${terminal.screen()}\n--- instead of ---\n${picture}`);
  });
}

// The time that a process has computed by now, in ticks of 10 ms.
export function ticksOf(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

// Waits until the program has written nothing for some time, so that a measure begins at rest.
export async function untilQuiet(terminal, milliseconds = 300) {
  let size = terminal.mark();
  let since = performance.now();
  await until('the program writes no more', () => {
    if (terminal.mark() !== size) since = performance.now();
    size = terminal.mark();
    return performance.now() - since > milliseconds;
  });
}
