import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { openPlace } from './support/place.mjs';
import { startServer } from './support/server.mjs';

const kLongestEnd = 30_000; // ms

async function everything(server) {
  const boards = await server.http.get('/boards');
  const tasks = await server.http.get('/tasks?board=shop');
  return { boards, tasks, workers: await server.http.get('/workers'), events: await server.http.events(), token: server.token };
}

for (const signal of ['SIGTERM', 'SIGINT']) {
  test(`${signal} ends the server cleanly and the next finds everything as it was`, async (t) => {
    const place = openPlace(t);
    const first = await startServer(place);
    await first.http.post('/boards', { name: 'shop' });
    await first.http.post('/workers', { name: 'ann', agent: 'generic' });
    await first.http.post('/tasks', [
      { board: 'shop', title: 'One', body: 'Zwölf Boxkämpfer 🥊', tags: ['a', 'b'], priority: 'high' },
      { board: 'shop', title: 'Two', due: '2030-01-31', class: 'fixed-date' },
    ]);
    await first.http.post('/tasks/1/note', { text: 'keep me' });
    await first.http.ask('PUT', '/dispatch', { paused: true });
    const before = await everything(first);
    const stream = await fetch(`${first.url}/api/v1/events?since=0`, {
      headers: { Authorization: `Bearer ${first.token}`, Accept: 'text/event-stream' },
    });
    assert.equal(stream.status, 200);

    const asked = Date.now();
    assert.deepEqual(await first.end(signal), { code: 0, signal: null });
    assert.ok(Date.now() - asked < kLongestEnd, 'an open stream holds nobody up');
    await stream.body.cancel().catch(() => {});
    assert.ok(!existsSync(place.path('data', 'andon.sock')) || (await first.andon('list', '--json')).length === 2);

    const second = await startServer(place);
    assert.deepEqual(await everything(second), before);
    assert.equal((await second.http.get('/dispatch')).paused, true);
  });
}
