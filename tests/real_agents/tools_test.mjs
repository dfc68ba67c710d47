// Each program that can be told of the run's MCP server: it reports by tool calls, and never needs a shell.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kOffline } from './offline.mjs';
import { openShop, reasonToSkip, runOf } from './shop.mjs';

const kScenarios = [
  ['works and finishes', 'toolsDone', async ({ run, task, output }, { server }) => {
    assert.deepEqual([run.outcome, run.result, task.stage], ['succeeded', 'said hello', 'done'], output);
    const events = await server.http.events();
    assert.ok(events.some(({ kind, data }) => kind === 'task.noted' && JSON.stringify(data).includes('half way')), output);
    const made = (await server.http.get('/tasks?board=shop')).items.find(({ title }) => title === 'Paint the door');
    assert.equal((await server.http.get(`/tasks/${made?.id}`)).body.trimEnd(), 'It is `blue` & old.', output);
  }],
  ['asks a person', 'toolsAsk', ({ run, task, output }) =>
    assert.deepEqual([run.outcome, task.stage, task.question?.text], ['blocked', 'blocked', 'which colour?'], output)],
  ['says that it cannot', 'toolsFail', ({ run, task, output }) =>
    assert.deepEqual([run.outcome, run.reason, task.stage], ['failed', 'there is no shop', 'blocked'], output)],
];

for (const name of Object.keys(kOffline))
  for (const permissions of ['edit', 'full'])
    for (const [title, scenario, check] of kScenarios)
      test(`${name} ${title} by tool calls at the level ${permissions}`, { skip: reasonToSkip(name) }, async (t) => {
        const opened = await openShop(t, name, scenario, { mcp: true, worker: { permissions } });
        await check(await runOf(opened.server), opened);
      });
