import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ended, moveTo, newTask, openShop, readTask } from './support/agents.mjs';
import { openPlace } from './support/place.mjs';
import { processesNaming } from './support/processes.mjs';
import { startServer } from './support/server.mjs';
import { until } from './support/until.mjs';

// An agent that tells what it spends as aider does, one message at once, and goes on for ever.
function installSpender(data, id, lines) {
  mkdirSync(join(data, 'agents'), { recursive: true });
  const program = join(data, id);
  writeFileSync(program, `#!/bin/sh\ncat > /dev/null\n${lines}\n`);
  chmodSync(program, 0o755);
  writeFileSync(join(data, 'agents', `${id}.json`), JSON.stringify({
    schema: 1, id, argv: [program], prompt: { via: 'stdin' }, usage: { scope: 'step' },
    output: { kind: 'text', rules: [{ regex: '^SPENT (?<input>[0-9]+) (?<cost>[0-9.]+)$', emit: 'usage' }] },
  }));
}

async function shop(t, lines) {
  const place = openPlace(t);
  const server = await startServer(place);
  await openShop(server, {});
  installSpender(server.data, 'spender', lines);
  await server.http.post('/workers', { name: 'spender', agent: 'spender' });
  return { place, server };
}

test('an agent that reaches the budget of its run is stopped, and its task waits for a person', async (t) => {
  const { place, server } = await shop(t, 'echo "SPENT 700 0.4"; echo "SPENT 800 0.7"; while :; do sleep 1; done');
  await server.andon('boards', 'edit', 'shop', '--budget', '{"run":{"usd":1}}');
  const task = await newTask(server, 'Dear', { assignee: 'spender' });
  await moveTo(server, task, 'todo');
  const run = await ended(server, task);
  assert.equal(run.outcome, 'over_budget');
  assert.match(run.reason, /board "shop" sets for a run: \$1\.10 of \$1\.00/);
  assert.equal(run.usage.input, 1500);
  const parked = await readTask(server, task);
  assert.deepEqual([parked.stage, parked.blocked, parked.block_reason, parked.claimed_by], ['blocked', true, run.reason, undefined]);
  const reached = (await server.http.events()).filter((event) => event.kind === 'limit.reached');
  assert.deepEqual(reached.map((event) => [event.task, event.run]), [[task.id, run.id]]);
  await until('nobody is left but the server', () => processesNaming(place.root).every((pid) => pid === server.pid));
});

test('a board whose day is spent starts nothing more and says so', async (t) => {
  const { server } = await shop(t, 'echo "SPENT 1200 0"; echo "made it"');
  await server.andon('boards', 'edit', 'shop', '--budget', '{"day":{"tokens":2000,"usd":5}}');
  for (const outcome of ['succeeded', 'over_budget']) {
    const task = await newTask(server, 'Work', { assignee: 'spender' });
    await moveTo(server, task, 'todo');
    assert.ok([outcome, 'succeeded'].includes((await ended(server, task)).outcome));
  }
  const waiting = await newTask(server, 'Waits', { assignee: 'spender' });
  await server.http.post(`/tasks/${waiting.id}/move`, { status: 'todo' });
  assert.match(await server.andon('why', String(waiting.id)), /board "shop" has spent its budget of the day: 2400 of 2000 tokens/);
  assert.match(await server.andon('dispatch', 'status'), /Budget of board shop for \d{4}-\d\d-\d\d: cost unknown of \$5\.00, 2400 of 2000 tokens, 2400 tokens without a price spent/);
  await server.andon('boards', 'edit', 'shop', '--budget', '{"day":{"tokens":9000}}');
  assert.equal((await ended(server, waiting)).outcome, 'succeeded');
});
