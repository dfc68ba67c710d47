// Whatever listens at the address of a server: each command ends by itself, with an exit code and without much memory.
// ANDON_STRANGE_ROUNDS tries more random answers.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { Chance } from './support/chance.mjs';
import { openPlace } from './support/place.mjs';
import { cleanEnvironment, kProgram } from './support/program.mjs';
import { kShapes, randomShape, startStrangeServer } from './support/strange_server.mjs';

const kRounds = Number(process.env.ANDON_STRANGE_ROUNDS ?? 2);
const kSeed = Number(process.env.ANDON_STRANGE_SEED ?? 20_260);
const kLongest = 60; // s of one command
const kMostMemory = 1_000_000; // KiB of addresses
const kHours = 3_600_000 * 4; // ms

// Every command that asks a server, with what it needs to ask.
const kCommands = `
list|list --json|list --group-by status|create x|create x --json|show 1|show 1 --children|edit 1 --title y|delete 1 --yes|move 1 done|move 1 --next|archive 1|pick|pick --claim a
claim 1|release 1|start 1|heartbeat 1 --epoch 1|note 1 hello|submit 1|done 1|fail 1 --reason no|handoff 1|block 1 --reason no|unblock 1|answer 1 yes
accept 1|reject 1 --reason no|approve 1|retry 1|kill 1 --yes|search x|why 1|deps|deps --json|diff 1|prompt 1
boards list|boards create b|boards show b|boards edit b --title y|boards archive b --yes|boards detach b --yes|board|board --group-by status|context|config|config get name
workers list|workers add w --agent claude|workers show w|workers edit w --title y|workers remove w --yes|workers pause w|workers resume w
dispatch status|dispatch limit 1|freeze|thaw|accounts list|accounts resume a|dispatch pause|dispatch resume
automations list|automations add a --title x --every 1h|automations show 1|automations edit 1 --title y|automations remove 1 --yes|automations run 1|export
metrics|forecast|runs|log|log --json|log 1|log --action move|token list|token revoke 1 --yes|work list|work clean --yes|work limit 1GiB
memory list|memory show t|memory add t fact|store retention|store keep --events 30d|store trim|logs 1|token create ann|import -|apply -
show 1,2,3|move 1,2 done
`.trim().split(/[|\n]/);
const kInputs = { 'import -': '[{"title":"x"}]', 'apply -': 'boards:\n  - name: b\n' };

// Runs one command with little memory; what it ended with.
function run(place, url, words, input = '') {
  const script = `ulimit -v ${kMostMemory}; exec timeout -s KILL ${kLongest} "$@"`;
  return new Promise((resolve, reject) => {
    const child = spawn('bash', ['-c', script, 'bash', kProgram, '--server', url, ...words], { cwd: place.root, env: cleanEnvironment(place) });
    const ended = { out: '', err: '' };
    for (const [stream, key] of [[child.stdout, 'out'], [child.stderr, 'err']])
      stream.setEncoding('utf8').on('data', (text) => (ended[key] = (ended[key] + text).slice(0, 4_000)));
    child.stdin.on('error', () => {}).end(input);
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ ...ended, code, signal }));
  });
}

async function tryCommand(place, strange, name, command) {
  const { code, signal, out, err } = await run(place, strange.url, command.split(' '), kInputs[command]);
  const told = `${command} against ${name}: code ${code}, signal ${signal}\n${out}${err}`;
  assert.equal(signal, null, told);
  assert.ok([0, 1, 2].includes(code), told);
  assert.doesNotMatch(err, /not enough memory|terminate called/, told);
  if (code !== 0) assert.notEqual(out + err, '', told);
  return { code, told };
}

// These are no answers at all: no command may take them for success.
const kNever = ['an empty list', 'a null', 'a number', 'a text', 'no JSON', 'bytes that are no text', 'a page of HTML', 'an empty answer', 'deep nesting', 'no HTTP', 'no answer', 'an error of somebody else', 'a redirect'];
// Tried with some commands only: each takes long.
const kLong = ['a body without an end', 'a list without an end', 'a header without an end', 'pages without an end', 'a page that names itself'];
const kPaged = ['list', 'list --json', 'log', 'show 1', 'logs 1', 'store trim'];

for (const [name, shape] of Object.entries(kShapes))
  test(`Every command ends against ${name}`, { timeout: kHours }, async (t) => {
    const place = openPlace(t);
    const strange = await startStrangeServer(place);
    strange.shape = shape;
    for (const command of kLong.includes(name) && kRounds < 10 ? kPaged : kCommands) {
      const { code, told } = await tryCommand(place, strange, name, command);
      if (kNever.includes(name)) assert.notEqual(code, 0, told);
    }
  });

test('No write is acknowledged by an object of somebody else', async (t) => {
  const place = openPlace(t);
  const strange = await startStrangeServer(place);
  strange.shape = kShapes['an object of somebody else'];
  for (const command of ['create x', 'move 1 done', 'claim 1', 'done 1', 'delete 1 --yes', 'boards create b'])
    assert.notEqual((await run(place, strange.url, command.split(' '))).code, 0, command);
});

test('Every command ends against random answers', { timeout: kHours }, async (t) => {
  const place = openPlace(t);
  const strange = await startStrangeServer(place);
  for (let round = 0; round < kRounds; round++)
    for (const command of kCommands) {
      strange.shape = randomShape(new Chance(kSeed + round));
      await tryCommand(place, strange, `random answer ${kSeed + round}`, command);
    }
});

test('A text from an input without an end is refused', async (t) => {
  const place = openPlace(t);
  const script = `ulimit -v ${kMostMemory}; timeout -s KILL ${kLongest} "$0" "$@" < /dev/zero`;
  for (const words of [['done', '1', '--result', '-'], ['import', '-'], ['apply', '-']]) {
    const child = spawn('bash', ['-c', script, kProgram, '--server', 'http://127.0.0.1:9', ...words], { cwd: place.root, env: cleanEnvironment(place) });
    let err = '';
    child.stderr.setEncoding('utf8').on('data', (text) => (err += text));
    const code = await new Promise((done) => child.on('close', done));
    assert.equal(code, 1, `${words} ${err}`);
    assert.match(err, /standard input holds more than/, words.join(' '));
  }
});
