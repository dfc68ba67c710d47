// The measures of bench/web: one server, one browser, and boards of several sizes one after the other.
import { rmSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { installAgent } from '../tests/end_to_end/support/agents.mjs';
import { missing, openTab } from '../tests/end_to_end/support/browser.mjs';
import { openPlace } from '../tests/end_to_end/support/place.mjs';
import { startServer } from '../tests/end_to_end/support/server.mjs';
import { until } from '../tests/end_to_end/support/until.mjs';
import { kFirstPicture, kFrames, median, share, Tab } from './web_tab.mjs';
import { Updates } from './web_updates.mjs';

const setting = (name, usual) => Number(process.env[name] ?? usual);
const kSizes = (process.env.SIZES ?? '300 2000 10000').split(' ').map(Number);
const kParts = (process.env.PARTS ?? 'opening live').split(' ');
const kOpenings = setting('OPENINGS', 7);
const kRounds = setting('ROUNDS', 3);
const kSeconds = setting('SECONDS_EACH', 8);
const kUpdates = setting('UPDATES', 100); // per second
const kWorkers = 7;
const kRunsOfWorker = 5;
const kPlain = '/healthz'; // a page of three bytes

const load = () => loadavg()[0].toFixed(1);
const show = (number) => number.toFixed(0);
const row = (...cells) => console.log(`| ${cells.join(' | ')} |`);
function head(...cells) {
  console.log(`\n| ${cells.join(' | ')} |\n|${' --- |'.repeat(cells.length)}`);
}

const boardOf = (size) => `cards-${size}`;
const pathOf = (size) => `/b/${boardOf(size)}`;

// A tenth of the cards is done, the others wait in two columns. No worker takes them.
async function fill(server, size) {
  const board = boardOf(size);
  await server.http.post('/boards', { name: board, title: `${size} cards` });
  const columns = [...Array.from({ length: 9 }, (_, i) => (i % 2 ? 'todo' : 'backlog')), 'done'];
  for (let made = 0; made < size; made += 500) {
    const tasks = Array.from({ length: Math.min(500, size - made) }, (_, i) => ({
      board, title: `Task number ${made + i} of a board with many, ${i % 3 ? 'short' : 'whose title takes two lines on its card'}`,
      status: columns[i % columns.length], priority: ['low', 'medium', 'high'][i % 3], tags: ['api', `area-${i % 7}`],
      body: 'What it is about, in a few lines of text that somebody wrote.',
    }));
    await server.http.post('/tasks', tasks);
  }
}

// Agents that print two lines a second until the file is there.
async function hireTalkers(place, server) {
  installAgent(server.data, 'talker', `cat > /dev/null; exec perl -e '$| = 1; until (-e "${place.path('enough')}") { printf "Step %d of the build, compiling another file\\n", ++$n; select(undef, undef, undef, 0.5) }'`);
  for (let worker = 0; worker < kWorkers; worker++)
    await server.http.post('/workers', { name: `talker${worker}`, agent: 'talker', capacity: kRunsOfWorker });
}

const liveRuns = async (server) => (await server.http.get('/runs?live=true')).items;

async function startTalkers(server, size) {
  const wanted = kWorkers * kRunsOfWorker;
  const tasks = Array.from({ length: wanted }, (_, n) => ({ board: boardOf(size), title: `Talk ${n}`, status: 'todo', assignee: `talker${n % kWorkers}` }));
  await server.http.post('/tasks', tasks);
  await until('all agents run', async () => (await liveRuns(server)).length === wanted, 120_000);
}

async function stopTalkers(place, server) {
  writeFileSync(place.path('enough'), '');
  await until('no agent runs', async () => (await liveRuns(server)).length === 0, 120_000);
  rmSync(place.path('enough'));
}

async function measureOpening(tab, size) {
  const openings = [];
  const plain = [];
  for (let i = 0; i < kOpenings + 1; i++) {
    plain.push(await tab.opening(kPlain));
    openings.push(await tab.opening(pathOf(size)));
  }
  // The first one of each warms the server.
  const of = (list, name) => median(list.slice(1).map((one) => one[name]));
  const base = of(plain, 'picture');
  row(size, `${show(of(openings, 'picture'))} ms`, `${show(base)} ms`, (of(openings, 'picture') / base).toFixed(1), ...['page', 'script', 'asked', 'snapshot'].map((name) => show(of(openings, name))), show(of(openings, 'busy')), show(of(openings, 'kilobytes')), of(openings, 'shift').toFixed(3), load());
}

async function measureLive(tab, server, size) {
  const updates = new Updates(server, boardOf(size), kUpdates);
  await updates.prepare();
  const rounds = [];
  const frames = { plain: [], board: [] };
  const running = updates.run();
  for (let round = 0; round < kRounds; round++) {
    await tab.open(kPlain);
    frames.plain.push(...(await tab.frames(kSeconds / 2)));
    await tab.open(pathOf(size));
    await pause(2000);
    rounds.push(await tab.busy(kSeconds, () => updates.done));
    frames.board.push(...(await tab.frames(kSeconds)));
  }
  updates.stop();
  await running;
  const of = (name) => median(rounds.map((one) => one[name]));
  const at = (name, part) => share(frames[name], part);
  row(size, ...['main', 'script', 'style', 'layout', 'other', 'renderer', 'gpu'].map((name) => `${show(of(name))} %`), show(of('updates')), `${at('board', 0.5).toFixed(1)} / ${at('board', 0.95).toFixed(1)} ms`, `${at('plain', 0.5).toFixed(1)} / ${at('plain', 0.95).toFixed(1)} ms`, (at('board', 0.95) / at('plain', 0.95)).toFixed(2), rounds.reduce((sum, one) => sum + one.long, 0), Math.max(...rounds.map((one) => one.shift)).toFixed(3), load());
}

const endings = [];
const place = openPlace({ after: (end) => endings.push(end) });
try {
  if (missing()) throw new Error(missing());
  const server = await startServer(place, { flags: ['--print-link'], log: 'ignore' });
  for (const size of kSizes) await fill(server, size);
  await hireTalkers(place, server);
  const { page } = await openTab(place);
  const link = await until('the link is printed', () => /^open (\S+)$/m.exec(server.printed)?.[1]);
  await page.addInitScript(kFirstPicture);
  await page.addInitScript(kFrames);
  await page.goto(link);
  await page.locator('#board').waitFor();
  const tab = await Tab.of(page, server.url);

  if (kParts.includes('opening')) {
    console.log(`First picture with a card, median of ${kOpenings}, nothing kept by the browser; ms since the start of the navigation`);
    head('cards', 'first picture', 'plain page', 'ratio', 'page there', 'script there', 'snapshot asked', 'snapshot there', 'main thread ms', 'kB', 'shift', 'load');
    for (const size of kSizes) await measureOpening(tab, size);
  }
  if (kParts.includes('live')) {
    console.log(`\n${kWorkers * kRunsOfWorker} agents that print two lines a second and ${kUpdates} changes a second, ${kRounds} rounds of ${kSeconds} s; percent of a core`);
    head('cards', 'main thread', 'script', 'style', 'layout', 'paint and other', 'renderer', 'GPU process', 'updates/s', 'frame p50 / p95', 'plain page', 'ratio of p95', 'tasks > 50 ms', 'shift', 'load');
    for (const size of kSizes) {
      await startTalkers(server, size);
      await measureLive(tab, server, size);
      await stopTalkers(place, server);
    }
  }
} finally {
  for (const end of endings) await end();
}
