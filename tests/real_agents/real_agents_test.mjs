import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { moveTo, newTask, readTask, runsOf } from '../end_to_end/support/agents.mjs';
import { openPlace } from '../end_to_end/support/place.mjs';
import { startServer } from '../end_to_end/support/server.mjs';
import { until } from '../end_to_end/support/until.mjs';
import { startStandInModel } from '../support/stand_in_model/server.mjs';
import { kNotOffline, kOffline } from './offline.mjs';

const kPrograms = process.env.ANDON_AGENT_PROGRAMS;
const kOnly = (process.env.ANDON_ONLY_AGENTS ?? '').split(' ').filter(Boolean);
const kRunTime = 240_000; // ms; these programs take up to 20 s to start

function reasonToSkip(name) {
  if (kOnly.length > 0 && !kOnly.includes(name)) return 'not asked for';
  const program = join(kPrograms, name, 'node_modules', '.bin', name);
  if (existsSync(program)) return false;
  const log = join(kPrograms, name, 'install.log');
  return `it could not be installed: ${existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').at(-1) : 'npm was not asked'}`;
}

// A server with one worker whose agent is the real program, in front of the stand-in model.
async function openShop(t, name, scenario, template = 'classic') {
  const place = openPlace(t);
  const model = await startStandInModel();
  place.atEnd(() => model.close());
  const home = place.path('home');
  mkdirSync(home);
  const { env, model: wanted } = kOffline[name](model.scenario(scenario), home);
  const data = place.path('data');
  mkdirSync(join(data, 'agents'), { recursive: true, mode: 0o700 });
  const profile = { schema: 1, id: 'offline', extends: name, env };
  writeFileSync(join(data, 'agents', 'offline.json'), JSON.stringify(profile));
  const path = `${join(kPrograms, name, 'node_modules', '.bin')}:${process.env.PATH}`;
  const server = await startServer(place, { data, env: { PATH: path, HOME: home } });
  await server.http.post('/boards', { name: 'shop', repo: home, template });
  await server.http.post('/workers', { name: 'agent', agent: 'offline', model: wanted, permissions: 'full' });
  return { server, model };
}

async function runOf(server) {
  const task = await newTask(server, 'Say hello with your shell', { assignee: 'agent', max_attempts: 1 });
  await moveTo(server, task, 'todo');
  const run = await until('the run ends', async () => (await runsOf(server, task)).find(({ state }) => state === 'ended'), kRunTime);
  const { items } = await server.http.get(`/runs/${run.id}/output`);
  return { run, task: await readTask(server, task), output: items.map(({ stream, text }) => `${stream}|${text}`).join('\n') };
}

for (const name of Object.keys(kOffline)) {
  test(`${name} calls a tool, answers and reports its tokens`, { skip: reasonToSkip(name) }, async (t) => {
    const { server, model } = await openShop(t, name, 'tool');
    const { run, output } = await runOf(server);
    assert.equal(run.outcome, 'succeeded', output);
    assert.equal(run.result, 'All done.', output);
    assert.match(output, /tool\|.*echo hello from the tool/);
    assert.ok(run.session, 'the session is known');
    assert.ok(run.usage.input >= 200 && run.usage.output >= 18, JSON.stringify(run.usage));
    assert.ok(model.requests.length >= 2);
  });

  test(`${name} with a wrong key stops its worker`, { skip: reasonToSkip(name) }, async (t) => {
    const { server } = await openShop(t, name, 'e401');
    const { run, task, output } = await runOf(server);
    assert.equal(run.outcome, 'failed', output);
    assert.equal(task.stage, 'ready', 'the attempt does not count');
    const worker = await server.http.get('/workers/agent');
    assert.match(worker.paused_because ?? '', /not signed in/, output);
  });
}

// A review that sends the work back: the same worker goes on where it was.
for (const name of Object.keys(kOffline))
  test(`${name} goes on with its conversation when the review sends it back`, { skip: reasonToSkip(name) }, async (t) => {
    const { server, model } = await openShop(t, name, 'plain', 'queue');
    await server.http.told('PATCH', '/boards/shop', { review_by: 'person' });
    await server.http.told('PATCH', '/workers/agent', { conversation: 'task' });
    const task = await newTask(server, 'Count the cranes', { assignee: 'agent', review: 'required' });
    const attempt = async (count) => {
      await until(`attempt ${count} is to be reviewed`, async () => (await readTask(server, task)).stage === 'review' && (await runsOf(server, task)).length === count, kRunTime);
      return (await runsOf(server, task)).at(-1);
    };
    await moveTo(server, task, 'ready');
    const first = await attempt(1);
    assert.ok(first.session, 'the session is known');
    const asked = model.requests.length;
    await server.http.post(`/tasks/${task.id}/reject`, { reason: 'You forgot the grey ones.' });
    const second = await attempt(2);
    assert.equal(second.session, first.session);
    const said = JSON.stringify(model.requests.slice(asked).map(({ body }) => body));
    assert.match(said, /You forgot the grey ones/, 'the verdict is told');
    assert.match(said, /All done\./, 'what it answered before is part of the conversation');
    assert.ok(second.usage.input < 2 * first.usage.input + 1, `${JSON.stringify(second.usage)} is of the second run alone`);
  });

for (const [name, reason] of Object.entries(kNotOffline)) test(`${name} offline`, { skip: reason }, () => {});
