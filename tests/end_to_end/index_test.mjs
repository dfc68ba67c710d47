import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { Faults } from './support/faults.mjs';
import { openPlace } from './support/place.mjs';
import { andon, told } from './support/program.mjs';
import { until } from './support/until.mjs';

async function openBoard(t) {
  const place = openPlace(t);
  await told(place, ['init', '--name', 'Shop', '--json']);
  await told(place, ['create', 'First']);
  return place;
}

test('a command that is stopped while it holds a board is named by those that wait for it', async (t) => {
  const place = await openBoard(t);
  const holder = spawn('flock', [place.path('kanban/.lock'), 'sh', '-c', `echo held > ${place.path('held')}; exec sleep 1000`], { detached: true });
  place.atEnd(() => process.kill(-holder.pid, 'SIGKILL'));
  await until('the lock is held', () => readdirSync(place.root).includes('held'));
  process.kill(-holder.pid, 'SIGSTOP');
  const { code, out } = await andon(place, ['create', 'Second', '--json']);
  assert.equal(code, 1, out);
  assert.equal(JSON.parse(out).code, 'BUSY');
  assert.match(JSON.parse(out).error, new RegExp(`held for 10 s by process ${holder.pid} \\(flock .*\\), which is stopped`));
  process.kill(-holder.pid, 'SIGKILL');
  await told(place, ['create', 'Second']);
  assert.match(await told(place, ['list', '--oneline']), /^#1 .*First\n#2 .*Second\n$/);
});

test('a board on a network file system is read from its files and takes no writes', async (t) => {
  const place = await openBoard(t);
  const { env } = new Faults(place, place.path('kanban'));
  const onNfs = { env: { ...env, ANDON_FAULTS_NFS: '1' } };
  const file = place.path('kanban/tasks/001-first.md');
  const before = readFileSync(file, 'utf8');
  const { code, out, err } = await andon(place, ['list', '--oneline'], onNfs);
  assert.equal(code, 0, err);
  assert.match(out, /^#1 .*First\n$/);
  assert.match(err, /network file system \(NFS\)/);
  const refused = await andon(place, ['edit', '1', '--title', 'Other', '--json'], onNfs);
  assert.equal(refused.code, 1, refused.out);
  assert.match(JSON.parse(refused.out).error, /nothing was changed: .*network file system \(NFS\)/);
  assert.equal(readFileSync(file, 'utf8'), before);
  const doctor = await andon(place, ['doctor'], onNfs);
  assert.match(doctor.out, /^fault +index: .*network file system \(NFS\)/m);
});
