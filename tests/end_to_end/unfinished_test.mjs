import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { moveTo, newTask, openShop, readTask, runsOf } from './support/agents.mjs';
import { openPlace } from './support/place.mjs';
import { startServer } from './support/server.mjs';
import { until } from './support/until.mjs';

const kGivenUp = new URL('../fixtures/transcripts/claude/background-given-up.jsonl', import.meta.url);

// Claude, as it ended while its tests ran in the background. From its second call on it does what `later` says.
function installClaude(server, place, later) {
  copyFileSync(kGivenUp, place.path('given-up'));
  const script = `#!/bin/sh
cat > "${place.path('prompt')}.$ANDON_RUN"
echo "$1" "$2" >> ${place.path('calls')}
if [ "$1" = new ]; then cat ${place.path('given-up')}; exit 0; fi
${later}
`;
  const program = place.path('scripted');
  writeFileSync(program, script, { mode: 0o755 });
  mkdirSync(join(server.data, 'agents'), { recursive: true });
  writeFileSync(
    join(server.data, 'agents/scripted.json'),
    JSON.stringify({ schema: 1, id: 'scripted', extends: 'claude', sandbox: 'off', argv: [program, 'new'], resume_argv: [program, 'resume', '{session}'] }),
  );
}

async function workOn(t, later) {
  const place = openPlace(t);
  const server = await startServer(place);
  await openShop(server, {});
  installClaude(server, place, later(place));
  await server.http.post('/workers', { name: 'dev', agent: 'scripted' });
  const task = await newTask(server, 'Test the shop', { assignee: 'dev' });
  await moveTo(server, task, 'todo');
  const runs = await until('the second run has ended', async () => {
    const all = await runsOf(server, task);
    return all.length >= 2 && all.every(({ state }) => state === 'ended') && all;
  });
  const calls = readFileSync(place.path('calls'), 'utf8').trim().split('\n');
  assert.deepEqual(calls.map((call) => call.replace(/^new .*/, 'new')), ['new', `resume ${runs[0].session}`]);
  assert.match(readFileSync(place.path(`prompt.${runs[1].id}`), 'utf8'), /Your last words said success, but[^]*in the background: b1/);
  return { runs, task: await readTask(server, task) };
}

test('a run that said success with its tests in the background goes on by its session', async (t) => {
  const { runs, task } = await workOn(t, () => `echo '{"type":"result","subtype":"success","is_error":false,"result":"All tests pass.","session_id":"'$2'"}'`);
  assert.deepEqual(runs.map(({ outcome, attempt, unfinished }) => [outcome, attempt, unfinished ?? 0]), [['failed', 1, 1], ['succeeded', 1, 0]]);
  assert.equal(task.attempt, 1);
});

test('a run that leaves its work open again has failed', async (t) => {
  const { runs, task } = await workOn(t, (place) => `cat ${place.path('given-up')}`);
  assert.deepEqual(runs.map(({ outcome, attempt, unfinished }) => [outcome, attempt, unfinished]), [['failed', 1, 1], ['failed', 1, 2]]);
  assert.match(runs[1].reason, /before 1 task in the background: b1/);
  assert.equal(task.attempt, 1);
  assert.ok(Date.parse(task.not_before) > Date.now());
});
