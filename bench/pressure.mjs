// Twelve agents that each want 4 GiB, on the machine as it is: how long the server answers meanwhile, when an expedite task
// starts, whether a process that belongs to no run survives, and whether every task ends exactly once.
import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { installAgent, newTask, runsOf } from '../tests/end_to_end/support/agents.mjs';
import { openPlace } from '../tests/end_to_end/support/place.mjs';
import { startServer } from '../tests/end_to_end/support/server.mjs';

const kAgents = Number(process.env.AGENTS ?? 12);
const kGiBs = Number(process.env.GIBS ?? 4);
const kLimits = process.env.LIMITS ? JSON.parse(process.env.LIMITS) : undefined;

const ends = [];
const place = openPlace({ after: (end) => ends.push(end) });
const server = await startServer(place);

// Takes the memory in steps of 128 MiB within about three seconds, holds it for five, and says that it is done.
const taker = `const kept = []; const step = () => { if (kept.length < ${kGiBs * 8}) { kept.push(Buffer.alloc(128 << 20, 1)); setTimeout(step, 90); } else setTimeout(() => console.log("made it"), 5000); }; step();`;
installAgent(server.data, 'taker', `cat > /dev/null; exec "${process.execPath}" -e '${taker}'`);
installAgent(server.data, 'quick', 'cat > /dev/null; echo "made it"');
await server.http.post('/boards', { name: 'shop' });
for (let i = 0; i < kAgents; ++i) await server.http.post('/workers', { name: `taker${i}`, agent: 'taker', ...(kLimits && { limits: kLimits }) });
await server.http.post('/workers', { name: 'quick', agent: 'quick', role: 'quick' });

const canary = spawn(process.execPath, ['-e', 'const kept = Buffer.alloc(256 << 20, 1); setInterval(() => kept[0], 1000)'], { stdio: 'ignore' });
let isCanaryAlive = true;
canary.on('exit', () => (isCanaryAlive = false));

const times = [];
let isOver = false;
const asks = (async () => {
  while (!isOver) {
    const begun = performance.now();
    await server.http.get('/boards/shop/summary');
    times.push(performance.now() - begun);
    await pause(20);
  }
})();

const begun = performance.now();
const tasks = [];
for (let i = 0; i < kAgents; ++i) tasks.push(await newTask(server, `Take memory, part ${i}`, { assignee: `taker${i}`, status: 'todo' }));
await pause(6000);
const waiting = tasks.at(-1);
console.log(`why #${waiting.id} waits: ${(await server.http.get(`/tasks/${waiting.id}/why`)).hindrances.map((one) => one.text).join('; ') || 'it does not'}`);
const asked = performance.now();
const urgent = await newTask(server, 'Put out the fire', { role: 'quick', class: 'expedite', status: 'todo' });
while (!(await runsOf(server, urgent))[0]?.pid) await pause(10);
const expedite = performance.now() - asked;

for (const task of tasks)
  while ((await server.http.get(`/tasks/${task.id}`)).stage !== 'done') {
    if (performance.now() - begun > 300_000) throw new Error(`task ${task.id} is ${(await server.http.get(`/tasks/${task.id}`)).stage} after five minutes`);
    await pause(200);
  }
isOver = true;
await asks;

const outcomes = {};
let isDoubled = false;
for (const task of tasks) {
  const runs = await runsOf(server, task);
  for (const run of runs) outcomes[run.outcome] = (outcomes[run.outcome] ?? 0) + 1;
  isDoubled ||= runs.filter((run) => run.outcome === 'succeeded').length !== 1;
}
times.sort((a, b) => a - b);
const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))].toFixed(1);
console.log(`${kAgents} agents of ${kGiBs} GiB: all done after ${((performance.now() - begun) / 1000).toFixed(0)} s; outcomes ${JSON.stringify(outcomes)}`);
console.log(`answers of the server: ${times.length}, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${times.at(-1).toFixed(1)} ms (bound of p99: 50 ms)`);
console.log(`an expedite task started after ${expedite.toFixed(0)} ms (bound: 5000 ms)`);
console.log(`a process outside of the runs ${isCanaryAlive ? 'lives' : 'WAS KILLED'}; tasks done twice or not at all: ${isDoubled ? 'SOME' : 'none'}`);
canary.kill('SIGKILL');
for (const end of ends.reverse()) await end();
