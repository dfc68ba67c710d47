import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { ended, installProfile, moveTo, newTask, openShop, readTask, runsOf } from './support/agents.mjs';
import { openPlace } from './support/place.mjs';
import { andon, told } from './support/program.mjs';
import { startServer } from './support/server.mjs';

// Lets the agent do the task; gives its run.
async function finish(server, task) {
  await moveTo(server, task, 'todo');
  return ended(server, task);
}

const titles = async (server) => (await server.http.get('/tasks?board=shop')).items.map((task) => task.title);

async function serverWithWork(t) {
  const place = openPlace(t);
  const server = await startServer(place);
  await openShop(server, { bot: 'echo hello; andon done --result made' });
  const task = await newTask(server, 'One', { assignee: 'bot' });
  await finish(server, task);
  return { place, server, task, data: ['--dir', server.data] };
}

test('a backup of a living server brings back what was there, and the token stays', async (t) => {
  const { place, server, data } = await serverWithWork(t);
  const file = place.path('backup');
  assert.match(await told(place, [...data, 'backup', file]), /^Backed up .* \(\d+ MiB\)\n$/);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  const again = await andon(place, [...data, 'backup', file]);
  assert.equal(again.code, 1);
  assert.match(again.err, /exists already/);

  await newTask(server, 'Lost');
  const refused = await andon(place, [...data, 'restore', file, '--yes']);
  assert.equal(refused.code, 1);
  assert.match(refused.err, /is in use by process \d+/);
  const token = server.token;
  await server.end();

  const unsure = await andon(place, [...data, 'restore', file]);
  assert.equal(unsure.code, 1);
  assert.match(unsure.err, /--yes/);
  await told(place, [...data, 'restore', file, '--yes']);
  const second = await startServer(place);
  assert.deepEqual(await titles(second), ['One']);
  assert.equal(second.token, token);
});

test('after a restore pages begin anew and no number of lost work is given again', async (t) => {
  const { place, server, task, data } = await serverWithWork(t);
  const before = await server.http.get('/boards/shop/snapshot');
  const file = place.path('backup');
  await told(place, [...data, 'backup', file]);
  const lost = await newTask(server, 'Lost', { assignee: 'bot' });
  const lostRun = await finish(server, lost);
  await server.end();
  await told(place, [...data, 'restore', file, '--yes']);

  const second = await startServer(place);
  const after = await second.http.get('/boards/shop/snapshot');
  assert.notEqual(after.epoch, before.epoch);
  const stale = await second.http.get(`/events?since=${before.epoch}.${before.seq}`);
  assert.equal(stale.reset, 'epoch');
  const fresh = await newTask(second, 'Fresh', { assignee: 'bot' });
  assert.ok(fresh.id > lost.id, `task ${fresh.id} is not ${lost.id}`);
  const run = await finish(second, fresh);
  assert.ok(run.id > lostRun.id, `run ${run.id} is not ${lostRun.id}`);
  assert.equal(run.outcome, 'succeeded');
  assert.equal((await readTask(second, task)).stage, 'done');
  assert.ok(!(await second.http.get('/workers')).items[0].paused);
});

test('files of runs come with --runs', async (t) => {
  const { place, server, task, data } = await serverWithWork(t);
  const [run] = await runsOf(server, task);
  const file = place.path('backup');
  const said = await told(place, [...data, '--json', 'backup', file, '--runs']);
  assert.ok(said.run_files > 0);
  await server.end();
  const other = place.path('other');
  await told(place, ['--dir', other, 'restore', file, '--yes']);
  assert.ok(existsSync(place.path('other', 'work', 'runs', String(run.id), 'end.json')));
  const second = await startServer(place, { data: other });
  assert.match(await told(place, ['--dir', other, 'logs', String(task.id)]), /hello/);
  await second.end();
});

test('no key of a run is in a backup with the files of runs', async (t) => {
  const place = openPlace(t);
  const key = 'sk-of-the-shop-1234';
  const server = await startServer(place);
  const copies = 'for at in "$ANDON_RUN_DIR"/own "$ANDON_RUN_DIR"/tmp "$ANDON_RUN_DIR"/work "$ANDON_RUN_DIR"; do echo $key > "$at/key" || true; done';
  await openShop(server, { bot: `cat > /dev/null; key=$SHOP_API_KEY; ${copies}; echo "line $key"; andon done --result "made $key"` });
  installProfile(server.data, 'bot', [`${server.data}/scripts/bot`], { env: { SHOP_API_KEY: key } });
  const task = await newTask(server, 'One', { assignee: 'bot' });
  const run = await finish(server, task);
  const directory = place.path('data', 'work', 'runs', String(run.id));
  assert.ok(existsSync(`${directory}/own/key`) && existsSync(`${directory}/tmp/key`), 'the agent kept its key');
  const file = place.path('backup');
  await told(place, ['--dir', server.data, 'backup', file, '--runs']);
  assert.ok(!readFileSync(file).includes(key), 'the backup holds the key');
  assert.ok(readFileSync(file).includes('line [redacted]'), 'the backup holds the log');
});

test('what is no backup replaces nothing', async (t) => {
  const { place, server, data } = await serverWithWork(t);
  await server.end();
  const file = place.path('nonsense');
  writeFileSync(file, 'nonsense'.repeat(1000));
  const refused = await andon(place, [...data, 'restore', file, '--yes']);
  assert.equal(refused.code, 1);
  const second = await startServer(place);
  assert.deepEqual(await titles(second), ['One']);
});

test('store trim says what it removed, and what it would remove', async (t) => {
  const { place, server, data } = await serverWithWork(t);
  assert.match(await told(place, [...data, 'store', 'trim', '--dry-run']), /^Would remove 0 events/);
  assert.match(await told(place, [...data, 'store', 'trim']), /^Removed 0 events, 0 runs, 0 credentials and 0 answers\n$/);
  await told(place, [...data, 'store', 'keep', '--history', '30d']);
  assert.equal((await told(place, [...data, '--json', 'store', 'retention'])).history, '720h');
  const archive = place.path('archive.jsonl');
  await told(place, [...data, 'store', 'trim', '--archive', archive]);
  assert.equal(readFileSync(archive, 'utf8'), '');
  await server.end();
  assert.match(await told(place, [...data, 'store', 'trim']), /^Removed /);
  const { findings } = await told(place, [...data, '--json', 'doctor']);
  const size = findings.find((each) => each.about === 'size');
  assert.match(size.text, /^\d+ MiB, 1 tasks, \d+ events, 1 runs, /);
});

test('store copy makes a new store of the same data, and shows no password', async (t) => {
  const { place, server, data } = await serverWithWork(t);
  const from = `sqlite:${server.data}/andon.db`;
  const to = place.path('copy/andon.db');
  mkdirSync(place.path('copy'));
  assert.match(await told(place, ['store', 'copy', from, `sqlite:${to}`]), /^Copied sqlite:.* \(\d+ tables, \d+ rows, SHA-256 [0-9a-f]{64}\)\n$/);
  assert.match(await told(place, ['--dir', place.path('copy'), 'list']), /One/);
  const again = await andon(place, ['store', 'copy', from, `sqlite:${to}`]);
  assert.equal(again.code, 1);
  assert.match(again.err, /exists already/);
  const unreachable = await andon(place, ['store', 'copy', from, 'postgres://me:s3cret@127.0.0.1:1/a']);
  assert.equal(unreachable.code, 1);
  assert.match(unreachable.err, /cannot connect to postgres:\/\/me@127\.0\.0\.1:1\/a/);
  assert.doesNotMatch(unreachable.err, /s3cret/);
  assert.match(await told(place, [...data, 'list']), /One/);
});
