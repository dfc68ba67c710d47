import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scenarioNames } from './scenarios.mjs';
import { startStandInModel } from './server.mjs';

const kSchema = { type: 'object', properties: { command: { type: 'string' } } };
const ask = { role: 'user', content: 'Do it.' };

// How each protocol asks, answers a tool call, and what its stream says in plain words.
const kDialects = {
  anthropic: {
    path: '/v1/messages',
    first: { model: 'm', stream: true, messages: [ask], tools: [{ name: 'Bash', input_schema: kSchema }] },
    second: { model: 'm', stream: true, messages: [ask, { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'hello' }] }] },
    text: (events) => events.map(({ delta }) => delta?.text ?? '').join(''),
    call: (events) => events.find(({ content_block: block }) => block?.type === 'tool_use')?.content_block.name,
  },
  responses: {
    path: '/v1/responses',
    first: { model: 'm', stream: true, input: [ask], tools: [{ type: 'function', name: 'shell', parameters: kSchema }] },
    second: { model: 'm', stream: true, input: [ask, { type: 'function_call_output', call_id: 'c', output: 'hello' }] },
    text: (events) => events.filter(({ type }) => type === 'response.output_text.delta').map(({ delta }) => delta).join(''),
    call: (events) => events.find(({ item, type }) => type === 'response.output_item.done' && item.type === 'function_call')?.item.name,
  },
  chat: {
    path: '/v1/chat/completions',
    first: { model: 'm', stream: true, messages: [ask], tools: [{ type: 'function', function: { name: 'bash', parameters: kSchema } }] },
    second: { model: 'm', stream: true, messages: [ask, { role: 'tool', tool_call_id: 'c', content: 'hello' }] },
    text: (events) => events.map(({ choices }) => choices[0].delta.content ?? '').join(''),
    call: (events) => events.find(({ choices }) => choices[0].delta.tool_calls)?.choices[0].delta.tool_calls[0].function.name,
  },
  gemini: {
    path: '/v1beta/models/m:streamGenerateContent',
    first: { contents: [{ role: 'user', parts: [{ text: 'Do it.' }] }], tools: [{ functionDeclarations: [{ name: 'run_shell_command', parametersJsonSchema: kSchema }] }] },
    second: { contents: [{ role: 'user', parts: [{ functionResponse: { name: 'run_shell_command', response: { output: 'hello' } } }] }] },
    text: (events) => events.flatMap(({ candidates }) => candidates[0].content.parts).map(({ text }) => text ?? '').join(''),
    call: (events) => events.flatMap(({ candidates }) => candidates[0].content.parts).find(({ functionCall }) => functionCall)?.functionCall.name,
  },
};

async function model(t) {
  const started = await startStandInModel();
  t.after(() => started.close());
  return started;
}

async function events(url, body) {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  assert.equal(response.headers.get('content-type'), 'text/event-stream');
  return (await response.text()).split('\n').filter((line) => line.startsWith('data: {')).map((line) => JSON.parse(line.slice(6)));
}

for (const [name, dialect] of Object.entries(kDialects)) {
  test(`${name}: a tool call first, a text when its result is there`, async (t) => {
    const { scenario, requests } = await model(t);
    const first = await events(scenario('tool') + dialect.path, dialect.first);
    assert.equal(dialect.call(first), { anthropic: 'Bash', responses: 'shell', chat: 'bash', gemini: 'run_shell_command' }[name]);
    const second = await events(scenario('tool') + dialect.path, dialect.second);
    assert.equal(dialect.text(second), 'All done.');
    assert.deepEqual(requests.map(({ protocol }) => protocol), [name, name]);
  });

  test(`${name}: refusals have their status and a sentence`, async (t) => {
    const { scenario } = await model(t);
    for (const status of [400, 401, 429, 529]) {
      const response = await fetch(scenario(`e${status}`) + dialect.path, { method: 'POST', body: JSON.stringify(dialect.first) });
      assert.equal(response.status, status);
      assert.match((await response.json()).error.message, /says the stand-in/);
    }
  });

  test(`${name}: a hanging stream brings its beginning and ends with the connection`, async (t) => {
    const { scenario, close } = await model(t);
    const response = await fetch(scenario('hang') + dialect.path, { method: 'POST', body: JSON.stringify(dialect.first) });
    const reader = response.body.getReader();
    assert.match(Buffer.from((await reader.read()).value).toString(), /data: \{/);
    await close();
    await assert.rejects(async () => {
      while (!(await reader.read()).done);
    });
  });
}

test('a slow stream is the same text', async (t) => {
  const { scenario } = await model(t);
  const { path, first, text } = kDialects.anthropic;
  assert.equal(text(await events(scenario('slow') + path, first)), 'One word after the other.');
});

test('an unknown scenario is refused by name', async (t) => {
  const { scenario } = await model(t);
  assert.ok(!scenarioNames.includes('nonsense'));
  const response = await fetch(`${scenario('nonsense')}/v1/messages`, { method: 'POST', body: JSON.stringify(kDialects.anthropic.first) });
  assert.equal(response.status, 404);
});
