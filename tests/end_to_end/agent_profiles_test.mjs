import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { installProfile } from './support/agents.mjs';
import { openPlace } from './support/place.mjs';
import { andon, told } from './support/program.mjs';
import { startServer } from './support/server.mjs';
import { until } from './support/until.mjs';

const kBuiltIn = ['aider', 'amp', 'claude', 'codex', 'copilot', 'cursor', 'gemini', 'generic', 'opencode'];

// A data directory and a directory of programs, of which `tool` understands --fast.
async function openShop(t) {
  const place = openPlace(t);
  const data = place.path('data');
  const bin = place.path('bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'tool'), '#!/bin/sh\ncase $1 in --version) echo "tool 2.0";; --help) echo "  --fast  be quick";; esac\n');
  chmodSync(join(bin, 'tool'), 0o755);
  await told(place, ['--dir', data, 'init', '--sqlite']);
  mkdirSync(join(data, 'agents'), { recursive: true });
  const env = { PATH: `${bin}:${process.env.PATH}` };
  return {
    place, data, env,
    write: (file, profile) => writeFileSync(join(data, 'agents', file), JSON.stringify(profile)),
    agents: (...args) => andon(place, ['--dir', data, 'agents', ...args], { env }),
  };
}

const kTool = { schema: 1, id: 'tool', title: 'A tool', argv: ['tool', '--fast'], detect: { version_argv: ['--version'], version_regex: 'tool ([0-9.]+)' } };

test('every built-in profile is listed and shown', async (t) => {
  const { agents } = await openShop(t);
  const listed = JSON.parse((await agents('list', '--json')).out);
  assert.deepEqual(listed.map(({ id }) => id), kBuiltIn);
  const shown = JSON.parse((await agents('show', 'codex', '--json')).out);
  assert.equal(shown.file, 'agents/codex.json');
  assert.equal(shown.argv[0], 'codex');
  assert.match((await agents('show', 'codex')).out, /starts +codex exec --json/);
});

test('a program that is there and understands its flags is ready', async (t) => {
  const { agents, write } = await openShop(t);
  write('tool.json', kTool);
  const { code, out } = await agents('test', 'tool');
  assert.equal(code, 0, out);
  assert.match(out, /version +2\.0/);
  assert.match(out, /flags +1 of 1 understood/);
  assert.match(out, /✓ ready/);
});

test('what is missing is said in a sentence', async (t) => {
  const { agents, write } = await openShop(t);
  write('tool.json', { ...kTool, argv: ['tool', '--fast', '--new'], detect: { ...kTool.detect, sign_in: { env: ['TOOL_KEY'], how: 'set TOOL_KEY' } } });
  const { code, out } = await agents('test', 'tool', '--json');
  const found = JSON.parse(out);
  assert.equal(code, 1);
  assert.equal(found.ready, false);
  assert.equal(found.signed_in, false);
  assert.deepEqual(found.unknown_flags, ['--new']);
  assert.deepEqual(found.problems, ['nobody has signed in to it: set TOOL_KEY', 'its help does not tell of --new: the profile is for another version of it']);
  assert.match((await agents('test', 'amp')).out, /✗ the program "amp" is not on the PATH; get it with: npm install/);
});

test('a file that cannot be used is named with the place and the reason', async (t) => {
  const { agents, write, data } = await openShop(t);
  write('mine.json', { schema: 1, id: 'mine', argv: ['x', '{modle}'] });
  const { code, err } = await agents('test', 'mine');
  assert.equal(code, 1);
  assert.ok(err.includes(`${join(data, 'agents', 'mine.json')} at /argv/1: there is no variable "modle"`), err);
  assert.match((await agents('test', 'nobody')).err, /there is no usable agent profile "nobody"; there are: aider, amp/);
});

test('a worker cannot be given a profile that is not there', async (t) => {
  const server = await startServer(openPlace(t));
  const refusal = async (method, path, asked) => {
    const { status, body } = await server.http.ask(method, path, asked);
    assert.equal(status, 422, JSON.stringify(body));
    return body;
  };
  const added = await refusal('POST', '/workers', { name: 'coder', agent: 'cluade' });
  assert.equal(added.field, 'agent');
  assert.match(added.error, /there is no usable agent profile "cluade"; there are: aider, amp, claude/);

  await server.http.post('/workers', { name: 'coder', agent: 'claude' });
  assert.equal((await refusal('PATCH', '/workers/coder', { agent: 'cluade' })).field, 'agent');
  assert.equal((await server.http.get('/workers/coder')).agent, 'claude');

  const team = { workers: [{ name: 'coder', agent: 'claude' }, { name: 'tester', agent: 'cluade' }] };
  assert.equal((await refusal('POST', '/team', team)).field, 'workers/1/agent');
  assert.equal((await refusal('POST', '/team', { ...team, dry_run: true })).field, 'workers/1/agent');

  installProfile(server.data, 'broken', ['x', '{modle}']);
  const broken = await refusal('POST', '/workers', { name: 'tester', agent: 'broken' });
  assert.ok(broken.error.includes(`${join(server.data, 'agents', 'broken.json')} at /argv/1: there is no variable "modle"`), broken.error);
});

test('a worker whose profile goes away says so at once and picks again when it is back', async (t) => {
  const server = await startServer(openPlace(t));
  installProfile(server.data, 'mine', ['/bin/true']);
  await server.http.post('/workers', { name: 'coder', agent: 'mine' });
  const worker = (state) => until(`the worker is ${state}`, async () => {
    const now = await server.http.get('/workers/coder');
    return now.state === state && now;
  });
  rmSync(join(server.data, 'agents', 'mine.json'));
  assert.match((await worker('paused')).paused_because, /there is no usable agent profile "mine"; there are: aider, amp/);
  await server.http.told('PATCH', '/workers/coder', { title: 'Coder', agent: 'mine' });
  installProfile(server.data, 'mine', ['/bin/true']);
  await worker('idle');
});
