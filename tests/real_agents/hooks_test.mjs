// Claude Code itself reads the skills and runs the hooks that Andon installed, for somebody who starts it in a project with a board.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openPlace } from '../end_to_end/support/place.mjs';
import { cleanEnvironment, kProgram, told } from '../end_to_end/support/program.mjs';
import { startStandInModel } from '../support/stand_in_model/server.mjs';
import { kOffline } from './offline.mjs';
import { kRunTime, reasonToSkip } from './shop.mjs';

// Claude Code passes on the reason of a hook behind these words.
const kReminder = 'Stop hook feedback:\\nYou hold #1 on the board';
const kArguments = ['-p', '--output-format', 'stream-json', '--verbose', '--dangerously-skip-permissions', '--model'];

function runClaude(project, env, model) {
  return new Promise((resolve, reject) => {
    const child = spawn('claude', [...kArguments, model], { cwd: project.root, env, timeout: kRunTime });
    const result = { out: '', err: '' };
    child.stdout.setEncoding('utf8').on('data', (text) => (result.out += text));
    child.stderr.setEncoding('utf8').on('data', (text) => (result.err += text));
    child.stdin.end('Work on the next task.');
    child.on('error', reject);
    child.on('close', (code) => resolve({ ...result, code }));
  });
}

test('Claude Code finds the skills, renews its claim and is reminded once', { skip: reasonToSkip('claude') }, async (t) => {
  const place = openPlace(t);
  const model = await startStandInModel();
  place.atEnd(() => model.close());
  for (const name of ['bin', 'shop', 'shop/.git', 'home']) mkdirSync(place.path(name));
  symlinkSync(kProgram, place.path('bin/andon'));
  const project = { ...place, root: place.path('shop') };
  await told(project, ['init', '--name', 'Shop']);
  await told(project, ['create', 'Task', '--status', 'todo']);
  await told(project, ['hooks', 'install']);
  await told(project, ['skill', 'install', '--agent', 'claude']);
  const offline = kOffline.claude(model.scenario('claims'), place.path('home'));
  const programs = join(process.env.ANDON_AGENT_PROGRAMS, 'claude', 'node_modules', '.bin');
  const env = { ...cleanEnvironment(place, offline.env), PATH: `${place.path('bin')}:${programs}:${process.env.PATH}` };
  const { code, out, err } = await runClaude(project, env, offline.model);
  assert.equal(code, 0, `${out}\n${err}`);
  const { skills } = JSON.parse(out.split('\n').find((line) => line.includes('"subtype":"init"')));
  for (const name of ['kanban-md', 'kanban-based-development']) assert.ok(skills.includes(name), `${skills}`);
  const picked = JSON.parse(readFileSync(place.path('shop/picked.json'), 'utf8'));
  const task = await told(project, ['show', '1', '--json']);
  assert.equal(task.claimed_by, 'calm-otter');
  assert.ok(Date.parse(task.claim_expires) > Date.parse(picked.claim_expires), `${picked.claim_expires}, ${task.claim_expires}`);
  const last = JSON.stringify(model.requests.at(-1).body);
  assert.equal(last.split(kReminder).length, 2, last);
  assert.deepEqual(readdirSync(place.path('.local/state/andon/hooks')), [], 'the end of the session was noted');
});
