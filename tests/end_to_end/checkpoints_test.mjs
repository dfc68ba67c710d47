import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { test } from 'node:test';
import { openPlace } from './support/place.mjs';
import { andon, told } from './support/program.mjs';
import { startServer } from './support/server.mjs';
import { until } from './support/until.mjs';

// Enough for a log that the process copies back when it ends.
const kBody = 400_000;
const kWriters = 4;
const kEdits = 8;

test('processes that copy the log of one board back leave its index whole', async (t) => {
  const place = openPlace(t);
  await told(place, ['init', '--name', 'Shop']);
  for (let writer = 1; writer <= kWriters; ++writer) await told(place, ['create', `Task of ${writer}`]);
  const edit = async (writer) => {
    for (let n = 1; n <= kEdits; ++n) {
      const input = `${n} ${'word '.repeat(kBody / 5)}`;
      const { code, err } = await andon(place, ['edit', `${writer}`, '--body', '-'], { input });
      assert.equal(code, 0, err);
    }
  };
  const search = async () => {
    for (let n = 0; n < kEdits; ++n) await told(place, ['list', '--search', 'Task', '--json']);
  };
  await Promise.all([...Array(kWriters).keys()].map((n) => edit(n + 1)).concat(search()));
  const doctor = await andon(place, ['doctor']);
  assert.equal(doctor.code, 0, doctor.out);
  assert.match(doctor.out, /^fact +index: is whole/m);
  for (let writer = 1; writer <= kWriters; ++writer) {
    const task = await told(place, ['show', `${writer}`, '--json']);
    assert.ok(task.body.startsWith(`${kEdits} word`), task.body.slice(0, 20));
  }
});

test('doctor names another program that has the database open', async (t) => {
  const place = openPlace(t);
  await startServer(place);
  const database = place.path('data/andon.db');
  assert.equal((await andon(place, ['doctor', '--dir', place.path('data')])).code, 0);
  const mark = place.path('locked');
  // A read lock of fcntl(2), as SQLite takes one: struct flock of a 64-bit Linux.
  const hold = 'use Fcntl; open my $f, "+<", $ARGV[0] or die; '
    + 'my $lock = pack("s s x4 q q i x4", F_RDLCK, 0, 1, 1, 0); fcntl($f, F_SETLK, $lock) or die; '
    + 'open my $m, ">", $ARGV[1] or die; close $m; sleep 1000';
  const stranger = spawn('perl', ['-e', hold, database, mark], { stdio: 'ignore' });
  place.atEnd(() => stranger.kill('SIGKILL'));
  await until('the file is locked', () => statSync(mark, { throwIfNoEntry: false }));
  const { code, out } = await andon(place, ['doctor', '--dir', place.path('data')]);
  assert.equal(code, 1, out);
  assert.match(out, new RegExp(`^fault +database: process ${stranger.pid} \\(perl .*\\) has it open; end it`, 'm'));
});
