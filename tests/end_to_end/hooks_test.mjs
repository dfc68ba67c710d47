// The hooks of Claude Code as it runs them: their settings by its documented form, their commands by a shell.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { newTask, readTask } from './support/agents.mjs';
import { openPlace } from './support/place.mjs';
import { cleanEnvironment, kProgram, told } from './support/program.mjs';
import { makeRepository } from './support/repository.mjs';
import { startServer } from './support/server.mjs';

const kEvents = ['PreToolUse', 'PostToolUse', 'Notification', 'UserPromptSubmit', 'Stop', 'SubagentStop', 'PreCompact', 'SessionStart', 'SessionEnd'];
const kToolEvents = ['PreToolUse', 'PostToolUse'];

// Settings of hooks are objects of events; each has entries with commands. Any other key or kind is a mistake.
function checkHooks(settings) {
  for (const [event, entries] of Object.entries(settings.hooks)) {
    assert.ok(kEvents.includes(event), event);
    assert.ok(Array.isArray(entries) && entries.length > 0, event);
    for (const entry of entries) {
      const { matcher, hooks, ...more } = entry;
      assert.deepEqual(more, {});
      if (kToolEvents.includes(event)) assert.doesNotThrow(() => matcher === '*' || new RegExp(matcher));
      else assert.equal(matcher, undefined, event);
      assert.ok(Array.isArray(hooks) && hooks.length > 0);
      for (const { type, command, timeout, ...rest } of hooks) {
        assert.deepEqual([type, rest], ['command', {}]);
        assert.ok(typeof command === 'string' && command.length > 0 && !command.includes('\n'));
        assert.ok(Number.isInteger(timeout) && timeout > 0 && timeout <= 60);
      }
    }
  }
}

// A project with a board, and `andon` on the PATH.
async function openProject(t) {
  const place = openPlace(t);
  mkdirSync(place.path('bin'));
  symlinkSync(kProgram, place.path('bin/andon'));
  mkdirSync(place.path('.git'));
  await told(place, ['init', '--name', 'Shop']);
  return place;
}

const commandOf = (settings, event) => settings.hooks[event][0].hooks[0].command;

// What Claude Code does with a hook: {code, out, err, ms}.
function runHook(place, command, input, { env = {}, cwd = place.root, path = `${place.path('bin')}:${process.env.PATH}`, keepOpen = false } = {}) {
  return new Promise((resolve, reject) => {
    const begin = performance.now();
    const child = spawn('/bin/sh', ['-c', command], { cwd, env: { ...cleanEnvironment(place, env), PATH: path } });
    const result = { out: '', err: '' };
    child.stdout.setEncoding('utf8').on('data', (text) => (result.out += text));
    child.stderr.setEncoding('utf8').on('data', (text) => (result.err += text));
    child.stdin.on('error', () => {});
    if (keepOpen) child.stdin.write(input);
    else child.stdin.end(input);
    child.on('error', reject);
    child.on('close', (code) => resolve({ ...result, code, ms: performance.now() - begin }));
  });
}

const input = (event, more = {}) =>
  JSON.stringify({ session_id: 's1', transcript_path: '/tmp/t.jsonl', cwd: '/tmp', permission_mode: 'default', hook_event_name: event, ...more });
const kSilent = { code: 0, out: '', err: '' };
const silent = ({ code, out, err }) => assert.deepEqual({ code, out, err }, kSilent);
const expires = async (place, id) => Date.parse((await told(place, ['show', String(id), '--json'])).claim_expires);

test('the hooks have the documented form, and the rest of the settings stays', async (t) => {
  const place = await openProject(t);
  const file = place.path('.claude/settings.local.json');
  const own = '{\n    "permissions": {"allow": ["Bash(ls:*)"]},\n    "hooks": {\n        "Stop": [{"hooks": [{"type": "command", "command": "say", "timeout": 3}]}]\n    },\n    "model": "opus"\n}';
  mkdirSync(place.path('.claude'));
  writeFileSync(file, own);
  await told(place, ['hooks', 'install']);
  const text = readFileSync(file, 'utf8');
  const settings = JSON.parse(text);
  checkHooks(settings);
  checkHooks(JSON.parse(await told(place, ['hooks', 'show'])));
  assert.deepEqual(Object.keys(settings), ['permissions', 'hooks', 'model']);
  assert.deepEqual(Object.keys(settings.hooks).sort(), ['PostToolUse', 'SessionEnd', 'Stop']);
  assert.equal(settings.hooks.Stop[0].hooks[0].command, 'say');
  await told(place, ['hooks', 'install']);
  assert.equal(readFileSync(file, 'utf8'), text);
  await told(place, ['hooks', 'remove']);
  assert.equal(readFileSync(file, 'utf8'), own);
  assert.deepEqual(readdirSync(place.path('.claude')), ['settings.local.json']);
});

test('a session that claims by name keeps its claim and is reminded once', async (t) => {
  const place = await openProject(t);
  const settings = JSON.parse(await told(place, ['hooks', 'show']));
  await told(place, ['create', 'Task', '--status', 'todo']);
  await told(place, ['pick', '--claim', 'calm-otter', '--status', 'todo', '--move', 'in-progress']);
  const before = await expires(place, 1);
  const command = 'andon pick --claim calm-otter --status todo --move in-progress';
  const used = input('PostToolUse', { tool_name: 'Bash', tool_input: { command }, tool_response: { stdout: '' } });
  silent(await runHook(place, commandOf(settings, 'PostToolUse'), used));
  const renewed = await expires(place, 1);
  assert.ok(renewed > before);
  silent(await runHook(place, commandOf(settings, 'PostToolUse'), used));
  assert.equal(await expires(place, 1), renewed);
  const stop = await runHook(place, commandOf(settings, 'Stop'), input('Stop', { stop_hook_active: false }));
  const { decision, reason, ...more } = JSON.parse(stop.out);
  assert.deepEqual([decision, more, stop.code], ['block', {}, 0]);
  assert.match(reason, /#1/);
  assert.doesNotMatch(reason, /otter|s1/);
  silent(await runHook(place, commandOf(settings, 'Stop'), input('Stop', { stop_hook_active: false })));
  silent(await runHook(place, commandOf(settings, 'SessionEnd'), input('SessionEnd', { reason: 'exit' })));
  assert.deepEqual(readdirSync(place.path('.local/state/andon/hooks')), []);
});

test('in a linked work tree the board of the main checkout counts', async (t) => {
  const place = openPlace(t);
  mkdirSync(place.path('bin'));
  symlinkSync(kProgram, place.path('bin/andon'));
  const repository = makeRepository(place, 'main');
  const main = { ...place, root: repository.directory };
  await told(main, ['init', '--name', 'Shop']);
  await told(main, ['create', 'Task', '--status', 'todo']);
  await told(main, ['move', '1', 'in-progress', '--claim', 'calm-otter']);
  repository.sh('rm -f .gitignore; git add -A; git commit -q -m Board; git worktree add -q ../tree -b tree');
  const before = await expires(main, 1);
  const settings = JSON.parse(await told(main, ['hooks', 'show', '--claim', 'calm-otter']));
  silent(await runHook(place, commandOf(settings, 'PostToolUse'), input('PostToolUse'), { cwd: place.path('tree') }));
  assert.ok((await expires(main, 1)) > before);
  const renewed = await expires(main, 1);
  const env = { CLAUDE_PROJECT_DIR: main.root };
  silent(await runHook(place, commandOf(settings, 'PostToolUse'), input('PostToolUse', { session_id: 's2' }), { cwd: '/', env }));
  assert.ok((await expires(main, 1)) > renewed);
  assert.equal(repository.sh('git -C ../tree status --porcelain'), '');
});

test('a run of a server renews its own task', async (t) => {
  const place = await openProject(t);
  const server = await startServer(place, { flags: ['--no-runner'] });
  await server.http.post('/boards', { name: 'web', template: 'flow' });
  const task = await newTask(server, 'Work', { board: 'web', status: 'todo' });
  const { epoch } = await server.http.post(`/tasks/${task.id}/claim`, { by: 'developer' });
  const before = (await readTask(server, task)).claim_expires;
  const token = readFileSync(`${server.data}/token`, 'utf8').trim();
  const env = { ANDON_URL: server.url, ANDON_TOKEN: token, ANDON_TASK: String(task.id), ANDON_RUN: '1', ANDON_EPOCH: String(epoch) };
  silent(await runHook(place, 'andon hooks run post-tool-use --claim other --dir /nowhere', input('PostToolUse'), { env }));
  assert.ok((await readTask(server, task)).claim_expires > before);
  const stop = await runHook(place, 'andon hooks run stop', input('Stop', { session_id: 's2' }), { env });
  assert.match(JSON.parse(stop.out).reason, new RegExp(`^Task #${task.id} is not reported`));
});

test('a server that does not answer costs two seconds once', async (t) => {
  const place = await openProject(t);
  const asked = [];
  const silentServer = createServer((socket) => asked.push(socket)).listen(0, '127.0.0.1');
  place.atEnd(() => silentServer.close());
  await new Promise((resolve) => silentServer.once('listening', resolve));
  const url = `http://127.0.0.1:${silentServer.address().port}`;
  for (const env of [{ ANDON_URL: url }, { ANDON_URL: url, ANDON_TASK: '1', ANDON_EPOCH: '1' }]) {
    const session_id = JSON.stringify(env);
    const first = await runHook(place, 'andon hooks run post-tool-use --claim a', input('PostToolUse', { session_id }), { env });
    silent(first);
    assert.ok(first.ms > 1_000 && first.ms < 30_000, `${first.ms} ms`);
    const before = asked.length;
    assert.ok(before > 0);
    for (const event of ['post-tool-use', 'stop']) {
      const next = await runHook(place, `andon hooks run ${event} --claim a`, input('Stop', { session_id }), { env });
      silent(next);
    }
    assert.equal(asked.length, before, 'it is not asked again');
  }
});

test('nothing disturbs the agent', async (t) => {
  const place = await openProject(t);
  const settings = JSON.parse(await told(place, ['hooks', 'show', '--claim', 'a']));
  const stop = commandOf(settings, 'Stop');
  for (const bytes of ['', 'no JSON', '[]', '{"session_id":7}', Buffer.from([0xff, 0xfe, 0]), Buffer.alloc(8 << 20, 'x')])
    silent(await runHook(place, stop, bytes));
  assert.equal((await runHook(place, stop, input('Stop'), { path: '/nowhere' })).code, 0);
  silent(await runHook(place, stop, input('Stop'), { cwd: '/', env: { HOME: '/nowhere' } }));
  silent(await runHook(place, stop, input('Stop'), { env: { ANDON_URL: 'no address' } }));
  silent(await runHook(place, stop, input('Stop'), { env: { ANDON_URL: 'http://127.0.0.1:1' } }));
  writeFileSync(place.path('kanban/config.yml'), 'statuses: [');
  const broken = await runHook(place, stop, input('Stop', { session_id: 's3' }));
  assert.deepEqual([broken.code, broken.out], [0, '']);
  const open = await runHook(place, stop, '{"session_id":', { keepOpen: true });
  silent(open);
  assert.ok(open.ms < 30_000, `${open.ms} ms`);
});
