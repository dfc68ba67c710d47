import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from './until.mjs';

// An agent profile of the administrator that runs a shell script.
export function installAgent(data, id, script) {
  const program = join(data, 'scripts', id);
  mkdirSync(join(data, 'scripts'), { recursive: true });
  writeFileSync(program, `#!/bin/sh\n${script}\n`);
  chmodSync(program, 0o755);
  installProfile(data, id, [program]);
}

export function installProfile(data, id, argv, more = {}) {
  mkdirSync(join(data, 'agents'), { recursive: true });
  writeFileSync(
    join(data, 'agents', `${id}.json`),
    JSON.stringify({ schema: 1, id, argv, prompt: { via: 'stdin' }, output: { kind: 'text' }, ...more }),
    { mode: 0o600 },
  );
}

// A board `shop`, a worker for every name and an agent of the same name.
export async function openShop(server, scripts) {
  await server.http.post('/boards', { name: 'shop' });
  for (const [name, script] of Object.entries(scripts)) {
    installAgent(server.data, name, script);
    await server.http.post('/workers', { name, agent: name });
  }
}

export function newTask(server, title, fields = {}) {
  return server.http.post('/tasks', { board: 'shop', title, ...fields });
}

// A line of a script that goes on when the file is there.
export const waitFor = (file) => `while [ ! -e "${file}" ]; do sleep 0.05; done`;

export const moveTo = (server, task, status) => server.http.post(`/tasks/${task.id}/move`, { status });

export const readTask = (server, task) => server.http.get(`/tasks/${task.id}`);

export const runsOf = async (server, task) => (await server.http.get(`/tasks/${task.id}/runs`)).items;

// Starts the task by putting it where its worker finds it, and gives the run when it has a process.
export async function startRun(server, task) {
  await moveTo(server, task, 'todo');
  return until(`task ${task.id} runs`, async () => (await runsOf(server, task)).find((run) => run.state === 'running' && run.pid));
}

export function ended(server, task) {
  return until(`the run of task ${task.id} ends`, async () => (await runsOf(server, task)).find((run) => run.state === 'ended'));
}

// Lets the tasks go on that wait by the clock alone.
export async function wakeWaiting(http, tasks) {
  for (const task of tasks)
    if (task.stage === 'ready' && task.not_before && Date.parse(task.not_before) > Date.now())
      await http.ask('PATCH', `/tasks/${task.id}`, { not_before: new Date().toISOString() });
}
