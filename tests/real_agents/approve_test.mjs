// Claude Code at the level `ask`: what it may not do by itself, a person allows on the board.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTask } from '../end_to_end/support/agents.mjs';
import { until } from '../end_to_end/support/until.mjs';
import { begin, endOf, kRunTime, openShop, reasonToSkip } from './shop.mjs';

for (const [answer, said] of [['Allow', /^tool\|\s+it is out$/m], ['Deny', /^tool\|\s+a person answered: Deny$/m]])
  test(`claude waits for a person, who says ${answer}`, { skip: reasonToSkip('claude') }, async (t) => {
    const { server } = await openShop(t, 'claude', 'permits', { worker: { permissions: 'ask' } });
    const task = await begin(server);
    const asking = await until('it asks', async () => {
      const now = await readTask(server, task);
      return (now.question || now.stage === 'blocked') && now;
    }, kRunTime);
    assert.equal(asking.stage, 'active', asking.block_reason);
    assert.match(asking.question.text, /^May it use Bash\?\n\nperl -e /);
    await server.http.post(`/tasks/${task.id}/answer`, { text: answer });
    const { run, output } = await endOf(server, task);
    assert.deepEqual([run.outcome, run.result], ['succeeded', 'said hello'], output);
    assert.match(output, said);
  });
