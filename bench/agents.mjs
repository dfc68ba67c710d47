// The scenes of bench/agents. Each prints one line, with the load of the machine.
import { readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { ended, newTask, openShop, startRun } from '../tests/end_to_end/support/agents.mjs';
import { openPlace } from '../tests/end_to_end/support/place.mjs';
import { isAlive } from '../tests/end_to_end/support/processes.mjs';
import { startServer } from '../tests/end_to_end/support/server.mjs';
import { until } from '../tests/end_to_end/support/until.mjs';

const kRounds = Number(process.env.ROUNDS ?? 30);
const kTalkers = 100;
const kListenSeconds = 10;
const kLinesPerSecond = 10; // of each talker, 1 KiB a line: 1 MiB/s in all
const kTicksPerSecond = 100;
const kEnding = Array.from({ length: 1024 }, (_, n) => `${String(n + 1).padStart(63, '0')}\n`).join(''); // 64 KiB, printed at once before the exit

const at = (values, share) => values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))];
const load = () => loadavg()[0].toFixed(1);
const print = (name, facts) => console.log(`${name} ${Object.entries(facts).map(([key, value]) => `${key}=${value}`).join(' ')} load=${load()}`);
const clock = () => Number(process.hrtime.bigint() / 1000n) / 1000; // ms since the boot, as /proc/uptime
const pidsIn = (file) => readFileSync(file, { encoding: 'utf8', flag: 'a+' }).trim().split('\n').filter(Boolean).map(Number);

function cpuSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').replace(/.*\) /, '').split(' ');
  return (Number(fields[11]) + Number(fields[12])) / kTicksPerSecond;
}

function privateDirtyKiB(pid) {
  return Number(/^Private_Dirty: +(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1'))[1]);
}

// From the request that makes a task ready to the agent's first step.
async function dispatch(place, server) {
  const times = [];
  for (let round = 0; round < kRounds; round++) {
    const task = await newTask(server, `Quick ${round}`, { assignee: 'quick' });
    const begun = Date.now();
    await server.http.post(`/tasks/${task.id}/move`, { status: 'todo' });
    await ended(server, task);
    times.push(Number(readFileSync(place.path('stamp'), 'utf8')) - begun);
    await until('the worker is free', async () => (await server.http.get('/workers/quick')).state === 'idle');
  }
  print('ready_to_exec', { p50_ms: at(times, 0.5), p99_ms: at(times, 0.99), n: times.length });
}

// From the kill to the moment when none of four deaf processes is left; a grace of 1 s is part of it.
async function kill(place, server) {
  const times = [];
  const memory = [];
  for (let round = 0; round < kRounds / 3; round++) {
    const before = pidsIn(place.path('pids')).length;
    const task = await newTask(server, `Deaf ${round}`, { assignee: 'deaf' });
    const run = await startRun(server, task);
    await until('the family is there', () => pidsIn(place.path('pids')).length === before + 4);
    memory.push(privateDirtyKiB(run.pid));
    const begun = clock();
    await server.http.post(`/tasks/${task.id}/kill`);
    const family = pidsIn(place.path('pids')).slice(before);
    while (family.some(isAlive)) await pause(2);
    times.push(clock() - begun);
    await ended(server, task);
  }
  print('kill_to_empty', { p50_ms: at(times, 0.5).toFixed(0), max_ms: at(times, 1).toFixed(0), n: times.length });
  return memory;
}

// What a hundred agents cost while all of them talk, and what becomes of the last 64 KiB of each.
async function talk(place, server) {
  const tasks = [];
  for (let n = 0; n < kTalkers; n++) tasks.push(await newTask(server, `Talk ${n}`, { assignee: `talker${n}`, status: 'todo' }));
  await until('all talk', () => pidsIn(place.path('talking')).length === kTalkers, 120_000);
  const runs = (await server.http.get('/runs?live=true')).items;
  const spent = () => [cpuSeconds(server.pid), runs.reduce((sum, { pid }) => sum + cpuSeconds(pid), 0)];
  const before = spent();
  const begun = clock();
  await pause(kListenSeconds * 1000);
  const seconds = (clock() - begun) / 1000;
  const [own, supervisors] = spent().map((after, i) => (((after - before[i]) / seconds) * 100).toFixed(0));
  const memory = runs.map(({ pid }) => privateDirtyKiB(pid));
  writeFileSync(place.path('enough'), '');
  let lost = 0;
  for (const task of tasks) {
    const run = await ended(server, task);
    if (!(await lastOutput(server, run.id)).endsWith(kEnding)) lost++;
  }
  print('talkers', { agents: runs.length, server_percent_of_core: own, supervisors_percent_of_core: supervisors, lost_ends: lost });
  return memory;
}

async function lastOutput(server, run) {
  let text = '';
  for (let since = ''; ; ) {
    const { items, next } = await server.http.get(`/runs/${run}/output${since && `?since=${since}`}`);
    if (items.length === 0) return text;
    text = (text + items.filter(({ stream }) => stream === 'text' || stream === 'stdout').map((item) => `${item.text}\n`).join('')).slice(-2 * kEnding.length);
    since = next;
  }
}

const endings = [];
const place = openPlace({ after: (end) => endings.push(end) });
try {
  const server = await startServer(place);
  const line = 'x'.repeat(1000);
  const talker = `cat > /dev/null; exec perl -e '$| = 1; open(F, ">>", "${place.path('talking')}"); syswrite(F, "$$\\n"); until (-e "${place.path('enough')}") { print "${line}\\n"; select(undef, undef, undef, ${1 / kLinesPerSecond}) } print join("", map { sprintf("%063d\\n", $_) } 1 .. 1024)'`;
  await openShop(server, {
    quick: `date +%s%3N > ${place.path('stamp')}; cat > /dev/null; echo done`,
    deaf: `cat > /dev/null; trap '' TERM; for i in 1 2 3; do setsid sh -c 'trap "" TERM; echo $$ >> ${place.path('pids')}; while :; do sleep 600; done' & done; echo $$ >> ${place.path('pids')}; while :; do wait; done`,
    ...Object.fromEntries(Array.from({ length: kTalkers }, (_, n) => [`talker${n}`, talker])),
  });
  await dispatch(place, server);
  const memory = await kill(place, server);
  memory.push(...(await talk(place, server)));
  print('supervisor_private_dirty', { p50_kib: at(memory, 0.5), max_kib: at(memory, 1), n: memory.length });
} finally {
  for (const end of endings) await end();
}
