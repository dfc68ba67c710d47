// An agent that asks a person while it works, and goes on with the answer.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ended, installProfile, newTask, readTask, startRun } from './support/agents.mjs';
import { openPlace } from './support/place.mjs';
import { startServer } from './support/server.mjs';
import { until } from './support/until.mjs';

// Asks, waits until nothing is asked any more, and reports the answer that the history holds.
const kAskingAgent = `
const { ANDON_URL, ANDON_TOKEN, ANDON_TASK } = process.env;
const call = async (method, path, body) => {
  const headers = { Authorization: 'Bearer ' + ANDON_TOKEN, 'Content-Type': 'application/json' };
  const response = await fetch(ANDON_URL + '/api/v1' + path, { method, headers, body: body && JSON.stringify(body) });
  if (!response.ok) throw new Error(await response.text());
  return response.json();
};
const task = '/tasks/' + ANDON_TASK;
await call('POST', task + '/ask', { text: 'May I run make?' });
while ((await call('GET', task)).question) await new Promise((resolve) => setTimeout(resolve, 50));
const { items } = await call('GET', '/events?task=' + ANDON_TASK);
await call('POST', task + '/complete', { result: items.findLast((event) => event.kind === 'task.answered').data.text });
`;

async function openAsking(t) {
  const server = await startServer(openPlace(t));
  await server.http.post('/boards', { name: 'shop' });
  const script = join(server.data, 'ask.mjs');
  writeFileSync(script, kAskingAgent);
  installProfile(server.data, 'developer', [process.execPath, script]);
  await server.http.post('/workers', { name: 'developer', agent: 'developer' });
  const task = await newTask(server, 'Fix the cart', { assignee: 'developer' });
  const run = await startRun(server, task);
  await until('the agent asks', async () => (await readTask(server, task)).question);
  return { server, task, run };
}

test('an agent that waits for a person goes on with the answer', async (t) => {
  const { server, task, run } = await openAsking(t);
  const waiting = await readTask(server, task);
  assert.equal(waiting.stage, 'active');
  assert.equal(waiting.question.run, run.id);
  assert.ok(waiting.can.includes('answer'));
  assert.match(await server.andon('list'), /\(asks\)/);
  assert.match(await server.andon('show', String(task.id)), /Asks: +May I run make\?\n +Choices: +Allow \| Deny/);
  assert.match(await server.andon('why', String(task.id)), /works on it\.\n- its agent waits for your answer: May I run make\?/);

  assert.match(await server.andon('answer', String(task.id), 'allow'), /Answered task #1/);
  assert.equal((await ended(server, task)).outcome, 'succeeded');
  const done = await readTask(server, task);
  assert.equal(done.result, 'allow');
  assert.equal(done.question, undefined);
  assert.equal(done.attempt, 1);
});

test('the question of an agent that is stopped goes with it', async (t) => {
  const { server, task } = await openAsking(t);
  await server.http.post(`/tasks/${task.id}/kill`);
  await ended(server, task);
  const killed = await readTask(server, task);
  assert.equal(killed.question, undefined);
  assert.ok(!killed.can.includes('answer'));
});
