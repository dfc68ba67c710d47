import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { openPlace } from './support/place.mjs';
import { andon, told } from './support/program.mjs';
import { startServer } from './support/server.mjs';

// Every file below a folder with its content, to tell whether anything was changed.
function contents(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((name) => !String(name).endsWith('-shm'))
    .sort()
    .map((name) => {
      const path = `${folder}/${name}`;
      return statSync(path).isFile() ? [name, readFileSync(path, 'hex')] : [name];
    });
}

test('the doctor tells what would be repaired and changes nothing', async (t) => {
  const place = openPlace(t);
  await told(place, ['init', '--name', 'Shop'], { input: 'n\n' });
  await told(place, ['create', 'Fix the cart']);
  assert.match(await told(place, ['doctor']), /^fact +tasks: 1 files, 1 tasks\n[^]*Nothing is wrong\.\n$/);
  writeFileSync(place.path('kanban/tasks/001-twin.md'), '---\nid: 1\ntitle: Twin\nstatus: todo\n---\n');
  writeFileSync(place.path('kanban/tasks/007-bad.md'), '---\nid: 7\ntitle: [\n---\n');
  const before = contents(place.path('kanban'));
  const found = await andon(place, ['doctor', '--json']);
  assert.equal(found.code, 1);
  const { ok, findings } = JSON.parse(found.out);
  assert.equal(ok, false);
  const told_of = (kind) => findings.filter((each) => each.kind === kind).map((each) => `${each.about}: ${each.text}`);
  assert.deepEqual(told_of('repair'), [
    'tasks/001-twin.md: becomes 008-twin.md, for another file has the number 1',
    'config.yml: next_id is 2 and becomes 9',
  ]);
  assert.match(told_of('fault').join('\n'), /tasks\/007-bad\.md:\d+:\d+: /);
  assert.match((await andon(place, ['doctor'])).out, /2 to be repaired by the next command, 1 to be seen to by you\.\n$/);
  assert.deepEqual(contents(place.path('kanban')), before);
  assert.match((await andon(place, ['list'])).err, /001-twin\.md is now 008-twin\.md/);
});

test('the doctor looks a database through', async (t) => {
  const place = openPlace(t);
  await told(place, ['init', '--sqlite', '--name', 'Shop']);
  assert.match(await told(place, ['doctor']), /fact +database: is whole\n[^]*Nothing is wrong\.\n$/);
  writeFileSync(place.path('.andon/andon.db'), 'This is no database, but it is long enough to be taken for a file of one.');
  const found = await andon(place, ['doctor']);
  assert.equal(found.code, 1);
  assert.match(found.out, /^fault +database: /m);
});

test('the doctor says whether the runs of a server get a cgroup, and if not why', async (t) => {
  const place = openPlace(t);
  await told(place, ['init', '--sqlite', '--name', 'Shop']);
  assert.match(await told(place, ['doctor']), /^fact +agents: .* \(as a server started from here could\): \S/m);
  const server = await startServer(place);
  assert.match(await server.andon('doctor'), /^fact +agents: (each run gets a cgroup of its own beneath \/\S+|runs get no cgroup) \(as the server may\): \S/m);
});

test('the doctor names the sockets that stay open to agents, and a server of root', async (t) => {
  const place = openPlace(t);
  await told(place, ['init', '--sqlite', '--name', 'Shop']);
  const runtime = place.path('runtime');
  mkdirSync(runtime);
  const asked = () => told(place, ['doctor'], { env: { XDG_RUNTIME_DIR: runtime } });
  assert.doesNotMatch(await asked(), new RegExp(runtime));
  const bus = createServer().listen(`${runtime}/bus`);
  place.atEnd(() => bus.close());
  await once(bus, 'listening');
  assert.match(await asked(), new RegExp(`^fact +sockets: .*D-Bus \\(${runtime}/bus\\)[^]*Nothing is wrong\\.\\n$`, 'm'));
  const advice = /^fact +root: do not run the server as root/m;
  if (process.getuid() === 0) assert.match(await asked(), advice);
  else assert.doesNotMatch(await asked(), advice);
});
