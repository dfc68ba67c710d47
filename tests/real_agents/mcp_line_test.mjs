// The lines of the README that connect Claude Code with a board, for somebody who starts it in a project.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { openPlace } from '../end_to_end/support/place.mjs';
import { cleanEnvironment, kProgram, told } from '../end_to_end/support/program.mjs';
import { startServer } from '../end_to_end/support/server.mjs';
import { startStandInModel } from '../support/stand_in_model/server.mjs';
import { kOffline } from './offline.mjs';
import { kRunTime, reasonToSkip } from './shop.mjs';

const run = promisify(execFile);

// A project with the programs on its PATH; `claude` runs Claude Code in it.
async function openProject(t) {
  const place = openPlace(t);
  const model = await startStandInModel();
  place.atEnd(() => model.close());
  for (const name of ['bin', 'shop', 'home']) mkdirSync(place.path(name));
  symlinkSync(kProgram, place.path('bin/andon'));
  const project = { ...place, root: place.path('shop') };
  const offline = kOffline.claude(model.scenario('toolsPick'), place.path('home'));
  const programs = join(process.env.ANDON_AGENT_PROGRAMS, 'claude', 'node_modules', '.bin');
  // The stand-in model looks for no tool that it is not shown.
  const env = { ...cleanEnvironment(place, offline.env), ENABLE_TOOL_SEARCH: 'false', PATH: `${place.path('bin')}:${programs}:${process.env.PATH}` };
  const claude = (...args) => {
    const running = run('claude', args, { cwd: project.root, env, timeout: kRunTime });
    running.child.stdin.end();
    return running;
  };
  return { place, project, work: () => claude('-p', 'Work on the next task.', '--model', offline.model, '--allowedTools', 'mcp__andon'), claude };
}

test('one line connects Claude Code with a board of files', { skip: reasonToSkip('claude') }, async (t) => {
  const { project, claude, work } = await openProject(t);
  await told(project, ['init', '--name', 'Shop']);
  await told(project, ['create', 'Mend the door', '--status', 'todo']);
  await claude('mcp', 'add', 'andon', '--', 'andon', 'mcp');
  const { stdout } = await work();
  const task = await told(project, ['show', '1', '--json']);
  assert.deepEqual([task.stage, task.result], ['review', 'mended'], stdout);
});

test('one line connects Claude Code with a server', { skip: reasonToSkip('claude') }, async (t) => {
  const { place, claude, work } = await openProject(t);
  const server = await startServer(place);
  await server.http.post('/boards', { name: 'shop' });
  await server.http.post('/tasks', { board: 'shop', title: 'Mend the door', status: 'todo' });
  const { token } = await told(place, ['--dir', server.data, 'token', 'create', 'ann', '--json']);
  await claude('mcp', 'add', '--transport', 'http', 'andon', `${server.url}/mcp`, '--header', `Authorization: Bearer ${token}`);
  const { stdout } = await work();
  const task = await server.http.get('/tasks/1');
  assert.deepEqual([task.stage, task.result], ['done', 'mended'], stdout);
  assert.ok((await server.http.events()).some(({ kind, actor }) => kind === 'task.claimed' && actor === 'user:ann'));
});
