import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { ended, moveTo, newTask, openShop, readTask, runsOf, startRun, waitFor } from './support/agents.mjs';
import { openPlace } from './support/place.mjs';
import { startServer } from './support/server.mjs';
import { until } from './support/until.mjs';
import { WallClock } from './support/wall_clock.mjs';

// The real server with a real agent while somebody sets the clock of the machine: no agent is ended, no dead holder is
// kept, nobody is taken over early.

const kLease = 60_000; // ms
const kSlack = 6_000; // less than that the clocks may differ
const kTwoBeats = 120_000; // ms, for the slowest machine

const kSettings = [
  { name: 'set forward by 61 s', change: (clock) => clock.stepBy(61) },
  { name: 'set forward by an hour', change: (clock) => clock.stepBy(3600) },
  { name: 'set back by an hour', change: (clock) => clock.stepBy(-3600) },
  { name: 'that stands still', change: (clock) => clock.goAt(0) },
  { name: 'at half its speed', change: (clock) => clock.goAt(0.5) },
];

async function runUnder(t) {
  const place = openPlace(t);
  const clock = new WallClock(place);
  const server = await startServer(place, { env: clock.env });
  const gate = place.path('go');
  await openShop(server, { bot: `echo hello; ${waitFor(gate)}; andon note "still mine" && andon done --result made` });
  const task = await newTask(server, 'Long work', { assignee: 'bot' });
  const run = await startRun(server, task);
  return { place, clock, server, gate, task, run };
}

const leaseLeft = (clock, task) => Date.parse(task.claim_expires) - clock.now;
const isLease = (left) => left > 0 && left < kLease + kSlack;

// Side by side, for each waits for renewals.
describe('ends no agent:', { concurrency: true }, () => {
  for (const { name, change } of kSettings) test(`a clock ${name}`, async (t) => {
    const { clock, server, gate, task, run } = await runUnder(t);
    change(clock);
    await until('the lease follows the clock', async () => isLease(leaseLeft(clock, await readTask(server, task))), kTwoBeats);
    for (let beats = 0; beats < 2; ++beats) {
      const before = (await readTask(server, task)).claim_expires;
      const after = await until('the lease is renewed', async () => {
        const now = await readTask(server, task);
        assert.equal(now.claimed_by, 'bot');
        const left = leaseLeft(clock, now);
        assert.ok(isLease(left), `${left} ms of the lease are left`);
        return now.claim_expires !== before && left > kLease - 5_000 - kSlack ? now : undefined;
      }, kTwoBeats);
      assert.equal(after.epoch, run.epoch);
    }
    writeFileSync(gate, '');
    const over = await ended(server, task);
    assert.deepEqual([over.id, over.outcome], [run.id, 'succeeded']);
    assert.equal((await runsOf(server, task)).length, 1);
  });
});

for (const seconds of [3600, -3600]) {
  test(`a holder that died is not kept by a clock set by ${seconds} s`, async (t) => {
    const place = openPlace(t);
    const clock = new WallClock(place);
    const server = await startServer(place, { env: clock.env });
    await server.http.post('/boards', { name: 'shop', claim_timeout: '10s' });
    const task = await newTask(server, 'Work', { status: 'todo' });
    await server.http.post(`/tasks/${task.id}/claim`, { by: 'eve' });
    const claimed = Date.now();
    clock.stepBy(seconds);
    assert.equal((await readTask(server, task)).claimed_by, 'eve', 'it is not taken over early');
    await until('the claim is over', async () => !(await readTask(server, task)).claimed_by);
    assert.ok(Date.now() - claimed > 9_000, 'it lasted as long as it should');
    await moveTo(server, task, 'in_progress');
  });
}

test('leases follow a step that nobody was there to see', async (t) => {
  const place = openPlace(t);
  const clock = new WallClock(place);
  const first = await startServer(place, { env: clock.env });
  await first.http.post('/boards', { name: 'shop', claim_timeout: '1h' });
  const task = await newTask(first, 'Work', { status: 'todo' });
  await first.http.post(`/tasks/${task.id}/claim`, { by: 'eve' });
  await first.end();
  clock.stepBy(-7200);
  const second = await startServer(place, { env: clock.env });
  const left = leaseLeft(clock, await readTask(second, task));
  assert.ok(Math.abs(left - 3_600_000) < 60_000, `${left} ms of the lease are left`);
});
