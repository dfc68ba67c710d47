// The board in a chat: the real server before a stand-in of the Bot API, from the set-up to a restart between any two steps.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { installAgent, runsOf, waitFor } from './support/agents.mjs';
import { startBotApi } from './support/bot_api.mjs';
import { openPlace } from './support/place.mjs';
import { andon, cleanEnvironment, kProgram } from './support/program.mjs';
import { startServer } from './support/server.mjs';
import { until } from './support/until.mjs';

const kChat = 42;
const kEverything = ['done', 'failed', 'blocked', 'question', 'killed', 'stale', 'limit', 'review', 'conflict', 'stopped', 'approval'];

async function openBot(t) {
  const bot = await startBotApi();
  const place = openPlace(t);
  place.atEnd(() => bot.stop());
  const data = place.path('data');
  const configure = (chats, more = {}) => {
    mkdirSync(data, { recursive: true, mode: 0o700 });
    writeFileSync(`${data}/telegram.token`, `${bot.token}\n`, { mode: 0o600 });
    writeFileSync(`${data}/telegram.json`, JSON.stringify({ schema: 1, token_file: 'telegram.token', api: bot.url, chats, ...more }), { mode: 0o600 });
  };
  const said = (what, chat = kChat) => until(`the bot says ${what}`, () => bot.messages(chat).find(({ text }) => text.includes(what)));
  return { bot, place, data, configure, said };
}

async function openShop(t, chat = {}, more = {}) {
  const opened = await openBot(t);
  opened.configure([{ chat: kChat, users: [kChat], board: 'shop', notify: kEverything, ...chat }], more);
  const server = await startServer(opened.place);
  await server.http.post('/boards', { name: 'shop', template: 'flow' });
  await until('the bot listens', () => opened.bot.isPolled());
  return { ...opened, server };
}

test('a line becomes a task, which is worked on, reviewed and done from the chat', async (t) => {
  const { bot, server, place, said } = await openShop(t, { worker: 'developer', start: true });
  const go = place.path('go');
  installAgent(server.data, 'developer', `cat > /dev/null; ${waitFor(go)}; "$ANDON" handoff --to-review --note 'It is <b>mended</b> /stop https://evil.example' 2>/dev/null || andon done --result 'It is <b>mended</b> /stop https://evil.example'`);
  await server.http.post('/workers', { name: 'developer', agent: 'developer' });
  bot.push('Mend the <door>\nIt squeaks.');
  await said('Developer has it');
  const [task] = (await server.http.get('/tasks')).items;
  assert.deepEqual([task.title, task.source], ['Mend the <door>', 'telegram']);
  await until('it runs', async () => (await runsOf(server, task))[0]?.state === 'running');
  bot.push('And the window');
  await said('waits');
  writeFileSync(go, '');
  const news = await said('It is <b>mended</b>');
  assert.ok(!/<b>mended/.test(news.html), 'what an agent writes is no markup');
  assert.ok(!/\/stop|evil\.example/.test(news.html), 'and neither a command nor a link');
  assert.deepEqual(bot.commands().map(({ command }) => command).includes('help'), true);
});

test('a question is answered by a reply, and work is reviewed by buttons', async (t) => {
  const { bot, server, said } = await openShop(t);
  const task = await server.http.post('/tasks', { board: 'shop', title: 'Paint it', status: 'todo' });
  await server.http.post(`/tasks/${task.id}/block`, { reason: 'Which colour?', choices: ['red', 'blue'] });
  const question = await said('Which colour?');
  bot.reply(question, 'green, please');
  await until('it is answered', async () => !(await server.http.get(`/tasks/${task.id}`)).blocked);
  assert.ok((await server.http.events()).some(({ kind, data, actor }) => kind === 'task.answered' && data.text === 'green, please' && actor.startsWith('telegram:')));

  await server.http.post(`/tasks/${task.id}/claim`, {});
  await server.http.post(`/tasks/${task.id}/submit`, { result: 'painted' });
  const review = await said('To review');
  const press = bot.press(review, 'Accept');
  await until('it is done', async () => (await server.http.get(`/tasks/${task.id}`)).stage === 'done');
  await until('the press is answered', () => bot.pressAnswer(press));
  const seq = (await server.http.events()).at(-1).seq;
  const again = bot.press(review, 'Accept');
  const reject = bot.press(review, 'Reject');
  await until('late presses are refused', () => bot.pressAnswer(again) && bot.pressAnswer(reject));
  assert.equal((await server.http.events()).at(-1).seq, seq, 'a button works once');
});

test('the output of a run is one message that changes, on request', async (t) => {
  const { bot, server, place, said } = await openShop(t, { worker: 'developer', start: true });
  const go = place.path('go');
  installAgent(server.data, 'developer', `cat > /dev/null; echo 'I begin <i>now</i>'; ${waitFor(go)}; echo 'I am ready'; andon done --result ok`);
  await server.http.post('/workers', { name: 'developer', agent: 'developer' });
  bot.push('Mend the door');
  await said('Developer has it');
  await until('it runs', async () => (await runsOf(server, { id: 1 }))[0]?.state === 'running');
  const before = bot.messages().length;
  bot.push('/output 1');
  const output = await said('I begin <i>now</i>');
  assert.ok(output.buttons.flat().some(({ text }) => text === 'Kill'));
  writeFileSync(go, '');
  const last = await said('It has ended');
  assert.equal(last.message_id, output.message_id, 'the same message');
  assert.ok(last.text.includes('I am ready'));
  assert.ok(bot.messages().length <= before + 3);
  bot.push('/output 1');
  await until('what an ended run printed last is shown once', () => bot.messages().filter(({ text }) => text.includes('It has ended')).length === 2);
  assert.match(bot.messages().findLast(({ text }) => text.includes('It has ended')).text, /^developer on #1 Mend/);
  await server.http.post('/tasks', { board: 'shop', title: 'Not begun', assignee: 'developer' });
  bot.push('/output 2');
  await said('No agent works on');
});

test('strangers, other boards and forged buttons do nothing', async (t) => {
  const { bot, server, said } = await openShop(t);
  await server.http.post('/boards', { name: 'secret' });
  const hidden = await server.http.post('/tasks', { board: 'secret', title: 'Not for the chat' });
  const seq = (await server.http.events()).at(-1).seq;
  bot.push('Let me in', { chat: 666 });
  bot.push('Let me in', { chat: kChat, user: 666 });
  bot.push({ edited_message: { message_id: 1, from: { id: kChat }, chat: { id: kChat }, text: 'again' } });
  bot.push({ something_new: { a: [1, 2, { b: null }] } });
  bot.push(`/kill ${hidden.id}`);
  bot.push(`/task ${hidden.id}`);
  const forged = bot.press({ message_id: 1, chat: kChat, buttons: [] }, `kill ${hidden.id}`);
  await until('the forged press is refused', () => bot.pressAnswer(forged));
  bot.push('/help');
  await said('/tasks');
  assert.equal((await server.http.events()).at(-1).seq, seq);
  assert.deepEqual(bot.messages(666), []);
  assert.ok(!bot.messages().some(({ text }) => text.includes('Not for the chat')));
});

test('nothing is lost or doubled when the server is killed again and again', async (t) => {
  const { bot, place, server, said } = await openShop(t);
  let running = server;
  const kTexts = 24;
  for (let i = 0; i < kTexts; ++i) {
    const update = bot.push(`Task number ${i}.`);
    if (i % 5 === 0) bot.duplicate(update);
    if (i % 7 === 0) bot.fail('getUpdates', ['cutAfter', 'badGateway', 'cutBefore'][i % 3]);
    if (i % 6 === 5) {
      const [calls, moment] = [bot.calls.length, i % 4];
      await until('it is in the middle of its work', () => bot.calls.length > calls + moment || bot.messages().length > i);
      await running.end('SIGKILL');
      running = await startServer(place);
    }
  }
  await until('all is said', () => bot.messages().some(({ text }) => text.includes(`Task number ${kTexts - 1}.`)), 300_000);
  const titles = (await running.http.get('/tasks?limit=200')).items.map(({ title }) => title).sort();
  assert.deepEqual(titles, Array.from({ length: kTexts }, (_, i) => `Task number ${i}.`).sort());
  for (let i = 0; i < kTexts; ++i) {
    const answers = bot.messages().filter(({ text }) => text.includes(`Task number ${i}.`));
    const unmarked = answers.filter(({ text }) => !text.includes('perhaps sent twice'));
    assert.ok(answers.length >= 1 && unmarked.length <= 1, `${i}: ${JSON.stringify(answers.map(({ text }) => text))}`);
  }
});

test('a message that is too large does not hold those behind it', async (t) => {
  const { bot, server, said } = await openShop(t);
  bot.push('x'.repeat(9 << 20));
  bot.push('Mend the door');
  await said('Added #1 Mend the door');
  assert.match(server.log, /warning telegram: one message is dropped, because it is too large/);
});

test('the board waits for no messenger, and an outage is caught up in one summary', async (t) => {
  const { bot, server, said } = await openShop(t);
  bot.fail('sendMessage', 'badGateway', { times: 3 });
  const tasks = await server.http.post('/tasks', Array.from({ length: 40 }, (_, n) => ({ board: 'shop', title: `T${n}`, status: 'todo' })));
  const begun = Date.now();
  for (const { id } of tasks.items ?? tasks) await server.http.post(`/tasks/${id}/move`, { status: 'done', force: true });
  assert.ok(Date.now() - begun < 60_000);
  await said('While you were away');
  await until('all is said', async () => JSON.parse((await andon(t.place ?? server.place, ['telegram', 'status', '--dir', server.data, '--json'])).out).waiting === undefined);
  assert.ok(bot.messages().length < 25, `${bot.messages().length} messages for 40 tasks`);
});

test('the state is told, and secrets are not', async (t) => {
  const { bot, place, server, data } = await openShop(t);
  await until('it has met the bot', async () => (await server.http.get('/telegram')).bot === 'stand_in_bot');
  await until('commands know it', async () => (await andon(place, ['telegram', 'status', '--dir', data])).out.includes('@stand_in_bot'));
  assert.match((await andon(place, ['doctor', '--dir', data])).out, /telegram.*@stand_in_bot/);
  bot.fail('getUpdates', 'refused', { code: 401, description: 'Unauthorized' });
  bot.push('hello');
  await until('it is said', async () => (await server.http.get('/telegram')).wrong?.length > 0);
  await server.end();
  for (const text of [server.log, JSON.stringify(await andon(place, ['doctor', '--dir', data])), readFileSync(`${data}/telegram.state`, 'utf8')])
    assert.ok(!text.includes(bot.token.split(':')[1]));
  assert.equal(statSync(`${data}/telegram.state`).mode & 0o777, 0o600);
});

test('wrong settings stop the start, with the field and the remedy', async (t) => {
  const { bot, place, data, configure } = await openBot(t);
  const chat = { chat: kChat, users: [kChat] };
  const rows = [
    [() => configure([]), /chats/], [() => configure([{ ...chat, users: [] }]), /users/], [() => configure([{ ...chat, chat: '@me' }]), /chat/],
    [() => configure([{ ...chat, users: ['@me'] }]), /users/], [() => configure([chat], { api: 'http://example.org' }), /api/],
    [() => configure([{ ...chat, colour: 'red' }]), /colour/], [() => configure([{ ...chat, notify: ['all'] }]), /notify/],
    [() => (configure([chat]), chmodSync(`${data}/telegram.token`, 0o644)), /telegram\.token/],
    [() => (configure([chat]), chmodSync(`${data}/telegram.token`, 0o600), writeFileSync(`${data}/telegram.json`, '{')), /telegram\.json/],
  ];
  for (const [write, field] of rows) {
    write();
    const started = await andon(place, ['serve', '--data', data, '--listen', '127.0.0.1:0']);
    assert.notEqual(started.code, 0);
    assert.match(started.err, field);
    assert.ok(!started.err.includes(bot.token));
  }
});

test('doctor tells of settings that stop the start, and of boards that are not there', async (t) => {
  const { bot, place, server, data, configure } = await openShop(t, { board: 'shoop' });
  const missing = /telegram\.json at chats\/0\/board: there is no board shoop;.*andon boards create shoop/;
  await until('the server says so', async () => missing.test(JSON.stringify((await server.http.get('/telegram')).wrong)));
  assert.match(server.log, missing);
  const doctor = () => andon(place, ['doctor', '--dir', data]);
  const status = () => andon(place, ['telegram', 'status', '--dir', data]);
  for (const told of [await doctor(), await status()]) {
    assert.match(told.out, missing);
    assert.equal(told.code, 1);
  }
  await server.http.post('/boards', { name: 'shoop', template: 'flow' });
  await until('it is there', async () => (await server.http.get('/telegram')).wrong === undefined);
  for (const told of [await doctor(), await status()]) assert.equal(told.code, 0, told.out);
  await server.end();
  const chat = { chat: kChat, users: [kChat] };
  const rows = [
    [() => configure([{ ...chat, users: [] }]), /fault.*telegram\.json at chats\/0\/users.*name the numeric ids/],
    [() => configure([chat], { colour: 'red' }), /fault.*telegram\.json at colour/],
    [() => configure([chat], { token_file: 'none' }), /fault.*telegram\.json at token_file:.*none is missing; write the token/],
    [() => writeFileSync(`${data}/telegram.json`, '{'), /fault.*telegram\.json.*not valid JSON.*setup --force/],
  ];
  for (const [write, said] of rows) {
    write();
    const told = await doctor();
    assert.match(told.out, said);
    assert.equal(told.code, 1);
    assert.ok(!told.out.includes(bot.token));
  }
});

test('setup beside a server that runs says to stop it', async (t) => {
  const { bot, place, data } = await openShop(t);
  await until('contact is told before a message comes', async () => /last contact +2/.test((await andon(place, ['telegram', 'status', '--dir', data])).out));
  writeFileSync(place.path('token'), `${bot.token}\n`);
  const setup = await andon(place, ['telegram', 'setup', '--force', '--dir', data, '--api', bot.url, '--token-file', place.path('token')]);
  assert.notEqual(setup.code, 0);
  assert.match(setup.err, /stop the server first/);
  assert.ok(bot.isPolled(), 'the server goes on');
  assert.match((await andon(place, ['telegram', 'setup', '--help'])).out, /Base URL of the Bot API,/);
});

test('setup sends no token over plain http to another machine', async (t) => {
  const { bot, place, data } = await openBot(t);
  writeFileSync(place.path('token'), `${bot.token}\n`);
  // 0.0.0.0 reaches the stand-in, and is no address of loopback.
  const setup = await andon(place, ['telegram', 'setup', '--dir', data, '--api', bot.url.replace('127.0.0.1', '0.0.0.0'), '--token-file', place.path('token')]);
  assert.notEqual(setup.code, 0);
  assert.match(setup.err, /plain http.*use https/);
  assert.deepEqual(bot.calls, []);
});

test('setup pairs a chat, and test proves that it works', async (t) => {
  const { bot, place, data } = await openBot(t);
  const begin = (args, input) => {
    const child = spawn(kProgram, args, { cwd: place.root, env: cleanEnvironment(place, {}) });
    const run = { child, text: '', code: undefined };
    for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on('line', (line) => (run.text += `${line}\n`));
    child.on('close', (code) => (run.code = code));
    child.stdin.end(input);
    place.atEnd(() => child.kill('SIGKILL'));
    return run;
  };
  const setup = begin(['telegram', 'setup', '--dir', data, '--api', bot.url, '--board', 'shop'], `${bot.token}\n`);
  const code = (await until('it shows a code on a line of its own', () => /^ *\/pair ([0-9a-f]+)$/m.exec(setup.text)))[1];
  bot.push(`/pair ${code.replace(/./, 'x')}`, { chat: 666 });
  bot.push(`/pair ${code}`);
  await until('it ends', () => setup.code !== undefined);
  assert.equal(setup.code, 0, setup.text);
  const { chats } = JSON.parse(readFileSync(`${data}/telegram.json`, 'utf8'));
  assert.deepEqual([chats.length, chats[0].chat, chats[0].users, chats[0].board], [1, kChat, [kChat], 'shop']);
  for (const name of ['telegram.json', 'telegram.token']) assert.equal(statSync(`${data}/${name}`).mode & 0o777, 0o600);
  assert.ok(bot.messages().some(({ text }) => text.startsWith('Paired')));

  const tried = begin(['telegram', 'test', '--dir', data], '');
  await until('it asks', () => bot.messages().some(({ text }) => text.includes('A test of Andon')));
  bot.push('yes', { chat: 666 });
  bot.push('/help');
  await until('it ends', () => tried.code !== undefined);
  assert.equal(tried.code, 0, tried.text);
  assert.equal(bot.updatesLeft(), 2, 'the server gets every message later');
});
