import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { plainText, startBotApi } from './support/bot_api.mjs';
import { until } from './support/until.mjs';

// The stand-in of Telegram behaves as the Bot API does. Others build on it.
let api;
beforeEach(async () => {
  await api?.stop();
  api = await startBotApi();
});
after(() => api.stop());

async function call(method, parameters = {}, token = api.token) {
  const response = await fetch(`${api.url}/bot${token}/${method}`, {
    method: 'POST', body: JSON.stringify(parameters), headers: { 'Content-Type': 'application/json' },
  });
  return response.json();
}
const idsOf = (answer) => answer.result.map((update) => update.update_id);
const keyboard = (...labels) => ({ inline_keyboard: [labels.map((label) => ({ text: label, callback_data: `data-${label}` }))] });

test('it knows its token only', async () => {
  assert.equal((await call('getMe')).result.is_bot, true);
  assert.equal((await call('getMe', {}, '1:x')).error_code, 401);
  assert.equal((await call('getNothing')).error_code, 404);
});

test('updates stay until a higher offset confirms them', async () => {
  const first = api.push('one');
  const second = api.push('two');
  assert.deepEqual(idsOf(await call('getUpdates')), [first.update_id, second.update_id]);
  assert.deepEqual(idsOf(await call('getUpdates', { offset: second.update_id })), [second.update_id]);
  assert.deepEqual(idsOf(await call('getUpdates')), [second.update_id]);
  assert.deepEqual(idsOf(await call('getUpdates', { offset: second.update_id + 1 })), []);
  assert.equal(api.updatesLeft(), 0);
});

test('an offset beyond the last update counts for none', async () => {
  api.beginIdsAnew(5);
  api.push('one');
  assert.deepEqual(idsOf(await call('getUpdates', { offset: 1000 })), [5]);
});

test('a poll is held until something comes', async () => {
  const poll = call('getUpdates', { timeout: 30 });
  await until('the poll is held', () => api.isPolled());
  api.push('one', { chat: -100, user: 42, thread: 7 });
  const [update] = (await poll).result;
  assert.equal(update.message.text, 'one');
  assert.deepEqual([update.message.chat.id, update.message.from.id, update.message.message_thread_id], [-100, 42, 7]);
});

test('a second poll ends the first', async () => {
  const first = call('getUpdates', { timeout: 30 });
  await until('the poll is held', () => api.isPolled());
  const second = call('getUpdates', { timeout: 30 });
  assert.equal((await first).error_code, 409);
  api.push('one');
  assert.equal((await second).result.length, 1);
});

test('a webhook keeps polls away until it is deleted', async () => {
  api.setWebhook();
  assert.match((await call('getUpdates')).description, /webhook/);
  await call('deleteWebhook');
  assert.equal((await call('getUpdates')).ok, true);
});

test('messages are kept as people read them', async () => {
  const sent = await call('sendMessage', { chat_id: 42, text: '<b>a &lt; b</b>', parse_mode: 'HTML', reply_markup: keyboard('Yes', 'No') });
  assert.equal(sent.ok, true);
  const [message] = api.messages(42);
  assert.equal(message.text, 'a < b');
  assert.deepEqual(message.buttons[0].map((button) => button.text), ['Yes', 'No']);
  const edit = { chat_id: 42, message_id: message.message_id, text: 'c' };
  assert.equal((await call('editMessageText', edit)).ok, true);
  assert.match((await call('editMessageText', edit)).description, /message is not modified/);
  assert.deepEqual([api.messages(42)[0].text, api.messages(42)[0].buttons.length], ['c', 0]);
  assert.match((await call('editMessageText', { ...edit, message_id: 999 })).description, /not found/);
});

test('a message that the real server would refuse is refused', async () => {
  const refusal = async (parameters) => (await call('sendMessage', { chat_id: 42, parse_mode: 'HTML', ...parameters })).description;
  assert.match(await refusal({ text: '<b>a' }), /can't parse entities/);
  assert.match(await refusal({ text: 'a & b' }), /can't parse entities/);
  assert.match(await refusal({ text: '<b> </b>' }), /empty/);
  assert.match(await refusal({ text: 'x'.repeat(4097) }), /too long/);
  assert.match(await refusal({ text: 'a', reply_markup: { inline_keyboard: [[{ text: 'b', callback_data: 'x'.repeat(65) }]] } }), /BUTTON_DATA_INVALID/);
  assert.equal(await refusal({ text: '&amp;'.repeat(4096) }), undefined);
  assert.equal(plainText('<pre>a</pre>&gt;'), 'a>');
});

test('a press is answered once', async () => {
  await call('sendMessage', { chat_id: 42, text: 'a', reply_markup: keyboard('Yes') });
  const press = api.press(api.messages(42)[0], 'Yes');
  const [update] = (await call('getUpdates')).result;
  assert.equal(update.callback_query.data, 'data-Yes');
  assert.equal(api.pressAnswer(press), null);
  assert.equal((await call('answerCallbackQuery', { callback_query_id: press, text: 'done' })).ok, true);
  assert.equal(api.pressAnswer(press).text, 'done');
  assert.match((await call('answerCallbackQuery', { callback_query_id: press })).description, /too old/);
});

test('replies, files and updates of any kind arrive', async () => {
  await call('sendMessage', { chat_id: 42, text: 'a' });
  const [message] = api.messages(42);
  api.reply(message, 'b');
  api.send({ voice: { file_id: 'x' }, caption: 'c' });
  api.push({ of_next_year: {} });
  const updates = (await call('getUpdates')).result;
  assert.equal(updates[0].message.reply_to_message.message_id, message.message_id);
  assert.equal(updates[1].message.caption, 'c');
  assert.deepEqual(updates[2].of_next_year, {});
});

test('a moved chat names its new id', async () => {
  api.moveChat(-1, -1001);
  assert.equal((await call('sendMessage', { chat_id: -1, text: 'a' })).parameters.migrate_to_chat_id, -1001);
});

test('updates come twice and in another order when told to', async () => {
  const first = api.push('one');
  const second = api.push('two');
  api.reorderNext();
  assert.deepEqual(idsOf(await call('getUpdates')), [second.update_id, first.update_id]);
  await call('getUpdates', { offset: second.update_id + 1 });
  api.duplicate(first);
  assert.deepEqual(idsOf(await call('getUpdates', { offset: second.update_id + 1 })), [first.update_id]);
  assert.deepEqual(idsOf(await call('getUpdates')), []);
});

test('faults happen as often as they were ordered', async () => {
  const send = () => call('sendMessage', { chat_id: 42, text: 'a' });
  api.fail('sendMessage', 'tooMany', { seconds: 3 });
  assert.equal((await send()).parameters.retry_after, 3);
  api.fail('getUpdates', 'conflict', { times: 2 });
  assert.equal((await call('getUpdates')).error_code, 409);
  assert.equal((await call('getUpdates')).error_code, 409);
  assert.equal((await call('getUpdates')).ok, true);
  api.fail('sendMessage', 'badGateway');
  await assert.rejects(send, SyntaxError);
  api.fail('sendMessage', 'refused', { code: 403, description: 'Forbidden: bot was blocked by the user' });
  assert.equal((await send()).error_code, 403);
  assert.equal(api.messages(42).length, 0);
  api.fail('sendMessage', 'cutBefore');
  await assert.rejects(send, TypeError);
  assert.equal(api.messages(42).length, 0);
  api.fail('sendMessage', 'cutAfter');
  await assert.rejects(send, TypeError);
  assert.equal(api.messages(42).length, 1);
  api.fail('sendMessage', 'slow', { milliseconds: 1 });
  assert.equal((await send()).ok, true);
  assert.equal(api.faultsLeft(), 0);
});
