import { createServer } from 'node:http';

// A stand-in for the server of Telegram's Bot API (https://core.telegram.org/bots/api), as far as the bridge uses it. Tests put words
// into the mouth of people, read what the bot sent, and order faults. It checks what the real server checks of a message.

const kLongest = 4096; // UTF-16 units, after tags and escapes are read
const kLongestData = 64; // bytes of callback_data
const kTags = new Set(['b', 'i', 'code', 'pre', 'blockquote']);
const kEscapes = { '&lt;': '<', '&gt;': '>', '&amp;': '&', '&quot;': '"' };

class Refusal extends Error {
  constructor(code, description, parameters) {
    super(description);
    Object.assign(this, { code, parameters });
  }
}
const bad = (description) => new Refusal(400, `Bad Request: ${description}`);

// The text without its markup. Refuses tags that are unknown or not closed in order, and characters that are not escaped.
export function plainText(html) {
  const open = [];
  const text = html.replace(/<(\/?)([a-z]*)>|<|>|&[a-z]+;|&/g, (found, end, tag) => {
    if (kEscapes[found]) return kEscapes[found];
    if (!kTags.has(tag)) throw bad(`can't parse entities: unsupported "${found}"`);
    if (!end) open.push(tag);
    else if (open.pop() !== tag) throw bad(`can't parse entities: unexpected end tag "${tag}"`);
    return '';
  });
  if (open.length > 0) throw bad(`can't parse entities: can't find the end tag of "${open.at(-1)}"`);
  return text;
}

function checkedText({ text = '', parse_mode: mode }) {
  const plain = mode === 'HTML' ? plainText(text) : text;
  if (plain.trim() === '') throw bad('message text is empty');
  if (plain.length > kLongest) throw bad('message is too long');
  return plain.replaceAll('\u2060', ''); // as a reader sees it
}

function checkedButtons(markup) {
  const rows = markup?.inline_keyboard ?? [];
  for (const button of rows.flat()) {
    if (!button.text) throw bad('text buttons are unallowed in the inline keyboard');
    const size = Buffer.byteLength(button.callback_data ?? '');
    if (size < 1 || size > kLongestData) throw bad('BUTTON_DATA_INVALID');
  }
  return rows;
}

// Starts the server at a free port of loopback. `stop` ends it.
export async function startBotApi({ token = '123456:StandInTokenOfTheBotApi-01', name = 'stand_in_bot' } = {}) {
  const bot = { id: Number(token.split(':')[0]), is_bot: true, first_name: 'Stand-in', username: name };
  const chats = new Map(); // id: messages in order
  const moved = new Map(); // old id: new id
  const presses = new Map(); // id of a press: its answer, null while there is none
  const faults = [];
  const calls = [];
  let updates = [];
  const again = []; // updates that come once more, whatever the offset says
  let nextUpdate = 1000;
  let nextMessage = 1;
  let waiting; // the long poll that is held
  let hasWebhook = false;
  let isReordered = false;
  let commands = [];

  const messagesOf = (chat) => {
    if (!chats.has(chat)) chats.set(chat, []);
    return chats.get(chat);
  };
  const find = (chat, id) => messagesOf(chat).find((message) => message.message_id === id);
  const chatOf = (id) => ({ id, type: id < 0 ? 'supergroup' : 'private' });

  function push(update) {
    const whole = { update_id: nextUpdate++, ...update };
    updates.push(whole);
    waiting?.give();
    return whole;
  }

  function say(words, { chat = 42, user = chat, thread, replyTo, ...rest } = {}) {
    const message = {
      message_id: nextMessage++, from: { id: user, is_bot: false }, chat: chatOf(chat), date: Math.floor(Date.now() / 1000),
      ...(words === undefined ? {} : { text: words }), ...(thread ? { message_thread_id: thread, is_topic_message: true } : {}),
      ...(replyTo ? { reply_to_message: { message_id: replyTo.message_id, chat: chatOf(chat) } } : {}), ...rest,
    };
    messagesOf(chat).push({ ...message, fromBot: false });
    return push({ message });
  }

  function press(message, label, { user = 42, chat = message.chat } = {}) {
    const button = message.buttons.flat().find((one) => one.text === label) ?? { callback_data: label };
    const id = `press-${nextUpdate}`;
    presses.set(id, null);
    push({
      callback_query: {
        id, from: { id: user, is_bot: false }, data: button.callback_data, chat_instance: '1',
        message: {
          message_id: message.message_id, chat: chatOf(chat), from: bot, date: 1,
          ...(message.thread ? { message_thread_id: message.thread, is_topic_message: true } : {}),
        },
      },
    });
    return id;
  }

  function checkChat(chat) {
    if (moved.has(chat)) throw new Refusal(400, 'Bad Request: group chat was upgraded to a supergroup chat', { migrate_to_chat_id: moved.get(chat) });
    if (!Number.isInteger(chat)) throw bad('chat not found');
  }

  function edited({ chat_id: chat, message_id: id }, change) {
    checkChat(chat);
    const message = find(chat, id);
    if (!message?.fromBot) throw bad('message to edit not found');
    const next = { ...message, ...change };
    if (JSON.stringify(next) === JSON.stringify(message))
      throw bad('message is not modified: specified new message content and reply markup are exactly the same');
    Object.assign(message, next, { edits: message.edits + 1 });
    return { message_id: id };
  }

  function takeUpdates({ offset = 0, limit = 100 }) {
    // An offset beyond the last update counts for none, because ids may begin anew.
    if (offset <= nextUpdate) updates = updates.filter((update) => update.update_id >= offset);
    const batch = [...again.splice(0), ...updates].slice(0, limit);
    if (isReordered && batch.length > 1) {
      isReordered = false;
      batch.reverse();
    }
    return batch;
  }

  function longPoll(parameters, request) {
    if (hasWebhook) throw new Refusal(409, "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first");
    waiting?.end(new Refusal(409, 'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running'));
    const batch = takeUpdates(parameters);
    if (batch.length > 0 || !parameters.timeout) return batch;
    return new Promise((resolve, reject) => {
      const poll = {};
      const over = (then) => {
        clearTimeout(timer);
        if (waiting === poll) waiting = undefined;
        then();
      };
      const timer = setTimeout(() => over(() => resolve([])), parameters.timeout * 1000);
      poll.give = () => over(() => resolve(takeUpdates(parameters)));
      poll.end = (error) => over(() => reject(error));
      request.socket.once('close', () => over(() => resolve([])));
      waiting = poll;
    });
  }

  const methods = {
    getMe: () => bot,
    getUpdates: longPoll,
    deleteWebhook: () => {
      hasWebhook = false;
      return true;
    },
    setMyCommands: (parameters) => {
      commands = parameters.commands;
      return true;
    },
    sendChatAction: () => true,
    sendMessage: (parameters) => {
      checkChat(parameters.chat_id);
      const message = {
        message_id: nextMessage++, fromBot: true, chat: parameters.chat_id, thread: parameters.message_thread_id ?? 0,
        text: checkedText(parameters), html: parameters.text, buttons: checkedButtons(parameters.reply_markup),
        asks: parameters.reply_markup?.force_reply === true, isSilent: parameters.disable_notification === true, edits: 0,
      };
      messagesOf(message.chat).push(message);
      return { message_id: message.message_id, chat: chatOf(message.chat), date: 1, text: message.text };
    },
    editMessageText: (parameters) =>
      edited(parameters, { text: checkedText(parameters), html: parameters.text, buttons: checkedButtons(parameters.reply_markup) }),
    editMessageReplyMarkup: (parameters) => edited(parameters, { buttons: checkedButtons(parameters.reply_markup) }),
    answerCallbackQuery: ({ callback_query_id: id, text = '' }) => {
      if (presses.get(id) !== null) throw bad('query is too old and response timeout expired or query ID is invalid');
      presses.set(id, { text });
      return true;
    },
  };

  function answer(response, code, body) {
    if (response.destroyed) return;
    response.writeHead(code, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  }

  async function run(method, parameters, request, response) {
    try {
      if (!methods[method]) throw new Refusal(404, 'Not Found: method not found');
      answer(response, 200, { ok: true, result: await methods[method](parameters, request) });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      answer(response, error.code, { ok: false, error_code: error.code, description: error.message, ...(error.parameters ? { parameters: error.parameters } : {}) });
    }
  }

  // What happens to a call instead of its answer.
  const kinds = {
    tooMany: async (fault, _call, response) =>
      answer(response, 429, { ok: false, error_code: 429, description: `Too Many Requests: retry after ${fault.seconds}`, parameters: { retry_after: fault.seconds } }),
    conflict: async (_fault, _call, response) =>
      answer(response, 409, { ok: false, error_code: 409, description: 'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running' }),
    refused: async (fault, _call, response) => answer(response, fault.code ?? 400, { ok: false, error_code: fault.code ?? 400, description: fault.description ?? 'Bad Request' }),
    badGateway: async (_fault, _call, response) => response.writeHead(502, { 'Content-Type': 'text/html' }).end('<html>502 Bad Gateway</html>'),
    slow: async (fault, call, response) => {
      await new Promise((resolve) => setTimeout(resolve, fault.milliseconds));
      await run(call.method, call.parameters, call.request, response);
    },
    cutBefore: async (_fault, call) => call.request.socket.destroy(),
    cutAfter: async (_fault, call) => {
      const sink = { destroyed: true };
      await run(call.method, call.parameters, call.request, sink);
      call.request.socket.destroy();
    },
  };

  async function handle(request, response) {
    let text = '';
    for await (const bytes of request) text += bytes;
    const [, given, method] = /^\/bot([^/]*)\/([A-Za-z]+)$/.exec(request.url) ?? [];
    if (given !== token) return answer(response, given ? 401 : 404, { ok: false, error_code: given ? 401 : 404, description: given ? 'Unauthorized' : 'Not Found' });
    let parameters;
    try {
      parameters = text ? JSON.parse(text) : {};
    } catch {
      return answer(response, 400, { ok: false, error_code: 400, description: "Bad Request: can't parse JSON" });
    }
    calls.push({ method, parameters, at: Date.now() });
    const at = faults.findIndex((fault) => fault.method === method);
    if (at < 0) return run(method, parameters, request, response);
    const [fault] = faults.splice(at, 1);
    return kinds[fault.kind](fault, { method, parameters, request }, response);
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error) => {
      if (!request.socket.destroyed) response.writeHead(500).end(String(error));
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    url: `http://127.0.0.1:${server.address().port}`,
    token,
    calls,
    // Somebody writes a text, or an update of any form arrives.
    push: (what, where) => (typeof what === 'string' ? say(what, where) : push(what)),
    // Somebody sends something without a text, such as { voice: {…}, caption: 'Listen' }.
    send: (members, where) => say(undefined, { ...where, ...members }),
    reply: (message, words, where) => say(words, { chat: message.chat, user: 42, thread: message.thread || undefined, ...where, replyTo: message }),
    // Presses the button of a label, or sends any data; gives the id for `pressAnswer`.
    press,
    pressAnswer: (id) => presses.get(id),
    // What the bot wrote there, as it reads now. A message keeps its buttons when the bot removes them later, so a test can press them.
    messages: (chat = 42) => structuredClone(messagesOf(chat).filter((message) => message.fromBot)),
    commands: () => commands,
    // The next `times` calls of a method go wrong: tooMany {seconds}, conflict, refused {code, description}, badGateway, slow
    // {milliseconds}, cutBefore and cutAfter (the effect).
    fail: (method, kind, { times = 1, ...rest } = {}) => {
      if (!kinds[kind]) throw new Error(`there is no fault ${kind}`);
      for (let i = 0; i < times; ++i) faults.push({ method, kind, ...rest });
    },
    faultsLeft: () => faults.length,
    // Delivers an update once more, even if it was confirmed.
    duplicate: (update) => {
      again.push(update);
      waiting?.give();
    },
    reorderNext: () => {
      isReordered = true;
    },
    beginIdsAnew: (id) => {
      nextUpdate = id;
    },
    setWebhook: () => {
      hasWebhook = true;
      waiting?.end(new Refusal(409, "Conflict: can't use getUpdates method while webhook is active"));
    },
    moveChat: (from, to) => {
      moved.set(from, to);
    },
    isPolled: () => waiting !== undefined,
    updatesLeft: () => updates.length,
    stop: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}
