// A server with one worker whose agent is a real program, in front of the stand-in model.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { moveTo, newTask, readTask, runsOf } from '../end_to_end/support/agents.mjs';
import { openPlace } from '../end_to_end/support/place.mjs';
import { andon } from '../end_to_end/support/program.mjs';
import { startServer } from '../end_to_end/support/server.mjs';
import { until } from '../end_to_end/support/until.mjs';
import { startStandInModel } from '../support/stand_in_model/server.mjs';
import { kOffline } from './offline.mjs';

const kPrograms = process.env.ANDON_AGENT_PROGRAMS;
const kOnly = (process.env.ANDON_ONLY_AGENTS ?? '').split(' ').filter(Boolean);
export const kRunTime = 240_000; // ms; these programs take up to 20 s to start
const kTitle = 'Say hello';
const kBrief = 'Use your shell, cranberry.';

export function reasonToSkip(name) {
  if (kOnly.length > 0 && !kOnly.includes(name)) return 'not asked for';
  const program = join(kPrograms, name, 'node_modules', '.bin', name);
  if (existsSync(program)) return false;
  const log = join(kPrograms, name, 'install.log');
  return `it could not be installed: ${existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').at(-1) : 'npm was not asked'}`;
}

function makeRepository(directory) {
  const git = (...args) => execFileSync('git', ['-C', directory, ...args], { env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null' } });
  mkdirSync(directory);
  git('init', '-q', '-b', 'main');
  writeFileSync(join(directory, 'README'), 'a shop\n');
  git('add', '.');
  git('-c', 'user.name=A', '-c', 'user.email=a@example.invalid', 'commit', '-qm', 'Begin');
}

export async function openShop(t, name, scenario, { board = {}, worker = {}, without = [], more = {}, timeouts, mcp, repo = false } = {}) {
  const place = openPlace(t);
  const model = await startStandInModel();
  place.atEnd(() => model.close());
  const home = place.path('home');
  mkdirSync(home);
  const { env, model: wanted } = kOffline[name](model.scenario(scenario), home);
  for (const variable of without) delete env[variable];
  Object.assign(env, more);
  const data = place.path('data');
  mkdirSync(join(data, 'agents'), { recursive: true, mode: 0o700 });
  const profile = { schema: 1, id: 'offline', extends: name, env, ...(timeouts && { timeouts }), ...(mcp && { mcp }) };
  writeFileSync(join(data, 'agents', 'offline.json'), JSON.stringify(profile));
  const path = `${join(kPrograms, name, 'node_modules', '.bin')}:${process.env.PATH}`;
  const server = await startServer(place, { data, env: { PATH: path, HOME: home } });
  if (repo) makeRepository(place.path('repo'));
  await server.http.post('/boards', { name: 'shop', template: 'classic', ...(repo && { repo: place.path('repo'), worktree: true }), ...board });
  await server.http.post('/workers', { name: 'agent', agent: 'offline', model: wanted, permissions: 'full', ...worker });
  const isBoxed = !/no sandbox/.test((await andon(place, ['doctor', '--dir', data])).out);
  return { server, model, place, data, isBoxed, env: { PATH: path, HOME: home } };
}

export async function begin(server, more = {}) {
  const task = await newTask(server, kTitle, { body: kBrief, assignee: 'agent', max_attempts: 1, ...more });
  await moveTo(server, task, 'todo');
  return task;
}

export async function endOf(server, task) {
  const run = await until('the run ends', async () => (await runsOf(server, task)).find(({ state }) => state === 'ended'), kRunTime);
  const { items } = await server.http.get(`/runs/${run.id}/output`);
  const output = items.map(({ stream, text }) => `${stream}|${text}`).join('\n');
  const worker = await server.http.get('/workers/agent');
  return { run, task: await readTask(server, task), output, paused: worker.paused_because ?? '' };
}

export const runOf = async (server, more) => endOf(server, await begin(server, more));
