// The permission tool of a run: a person on the board allows what an agent may not do by itself.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { installProfile, moveTo, newTask, readTask, runsOf, waitFor } from './support/agents.mjs';
import { modern, modernHeaders, openStdio, post, postStream } from './support/mcp.mjs';
import { openPlace } from './support/place.mjs';
import { startServer } from './support/server.mjs';
import { until } from './support/until.mjs';

async function openAsking(t, permissions = 'ask') {
  const place = openPlace(t);
  const server = await startServer(place);
  await server.http.post('/boards', { name: 'shop' });
  const [env, go] = [place.path('env'), place.path('go')];
  const script = `cat > /dev/null; env > ${env}.new; mv ${env}.new ${env}; ${waitFor(go)}`;
  installProfile(server.data, 'bot', ['sh', '-c', script], { permissions: { edit: [], ask: [] } });
  await server.http.post('/workers', { name: 'bot', agent: 'bot', permissions });
  const task = await newTask(server, 'Publish it', { assignee: 'bot' });
  await moveTo(server, task, 'todo');
  await until('the agent runs', () => existsSync(env));
  const token = /^ANDON_TOKEN=(.*)$/m.exec(readFileSync(env, 'utf8'))[1];
  const message = (input, meta) => [server.url, token, modern('tools/call', { name: 'approve', arguments: input, _meta: meta }, 5), modernHeaders('tools/call', 'approve')];
  const decided = (body) => JSON.parse(body.result.content[0].text);
  const approve = async (input, meta) => decided((await post(...message(input, meta))).body);
  const asked = (words) => until('it is asked', async () => {
    const { question } = await readTask(server, task);
    return question?.text.includes(words) && question;
  });
  const answer = (text) => server.http.post(`/tasks/${task.id}/answer`, { text });
  return { place, server, task, token, approve, asked, answer, message, decided };
}

test('a person allows or denies what an agent wants to use', async (t) => {
  const { server, task, token, approve, asked, answer } = await openAsking(t);
  const { tools } = (await post(server.url, token, modern('tools/list'), modernHeaders('tools/list'))).body.result;
  assert.ok(tools.some(({ name }) => name === 'approve'));

  const input = { command: 'npm publish --tag <b>latest</b>' };
  const allowed = approve({ tool_name: 'Bash', input, tool_use_id: 't1' });
  const question = await asked('npm publish');
  assert.equal(question.text, 'May it use Bash?\n\nnpm publish --tag <b>latest</b>');
  assert.deepEqual(question.choices, ['Allow', 'Deny']);
  assert.equal((await readTask(server, task)).stage, 'active');
  await answer('Allow');
  assert.deepEqual(await allowed, { behavior: 'allow', updatedInput: input });

  for (const [words, message] of [['Deny', 'a person answered: Deny'], ['only on Friday', 'a person answered: only on Friday'], ['allowed?', 'a person answered: allowed?']]) {
    const denied = approve({ tool_name: 'Bash', input });
    await asked('npm publish');
    await answer(words);
    assert.deepEqual(await denied, { behavior: 'deny', message });
  }
  assert.equal((await runsOf(server, task))[0].state, 'running');
});

test('many questions at the same time each get their own answer', async (t) => {
  const { server, task, approve, answer } = await openAsking(t);
  const names = ['one', 'two', 'three'];
  const decisions = names.map((name) => approve({ tool_name: 'Bash', input: { command: name } }));
  // Answers each question as soon as it stands, so that the next may be asked before the first has looked.
  const answered = new Map();
  await until('all are answered', async () => {
    const { question } = await readTask(server, task);
    const name = question?.text.split('\n').at(-1);
    if (name && !answered.has(name)) {
      answered.set(name, answered.size % 2 ? 'deny' : 'allow');
      await answer(answered.get(name));
    }
    return answered.size === names.length;
  });
  const decided = (await Promise.all(decisions)).map(({ behavior }) => behavior);
  assert.deepEqual(decided, names.map((name) => answered.get(name)));
});

test('a call that is given up takes its question back', async (t) => {
  const { server, task, asked, message } = await openAsking(t);
  const stream = await postStream(...message({ tool_name: 'Bash', input: { command: 'make' } }, { progressToken: 1 }));
  await asked('make');
  await stream.next('it tells that it waits');
  stream.close();
  await until('it is taken back', async () => !(await readTask(server, task)).question);
});

test('a run that ends leaves no question', async (t) => {
  const { server, task, asked, message, decided } = await openAsking(t);
  const stream = post(...message({ tool_name: 'Bash', input: { command: 'make' } }));
  await asked('make');
  await server.http.post(`/tasks/${task.id}/kill`);
  await until('it is gone', async () => !(await readTask(server, task)).question);
  const { status, body } = await stream.catch(() => ({ status: 0 }));
  if (status === 200) assert.equal(decided(body).behavior, 'deny');
});

test('what cannot be shown whole is denied, and what is no question is refused', async (t) => {
  const { server, task, approve, token } = await openAsking(t);
  assert.equal((await approve({ tool_name: 'Bash', input: { command: `true ${'x'.repeat(20_000)}; rm -rf /` } })).behavior, 'deny');
  const wrong = await post(server.url, token, modern('tools/call', { name: 'approve', arguments: {} }), modernHeaders('tools/call', 'approve'));
  assert.equal(wrong.body.error.code, -32602);
  assert.equal((await readTask(server, task)).question, undefined);
});

test('only a run of the level ask has the tool', async (t) => {
  const { place, server, token } = await openAsking(t, 'edit');
  for (const who of [token, server.token]) {
    const refused = await post(server.url, who, modern('tools/call', { name: 'approve', arguments: { tool_name: 'Bash', input: {} } }), modernHeaders('tools/call', 'approve'));
    assert.equal(refused.body.error.code, -32602);
  }
  const { ask } = openStdio(place, ['--server', server.url], { ANDON_TOKEN: server.token });
  assert.ok(!(await ask('tools/list')).result.tools.some(({ name }) => name === 'approve'));
});
