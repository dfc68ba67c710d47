// Clients of the board that speak MCP, without a library.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { cleanEnvironment, kProgram } from './program.mjs';
import { until } from './until.mjs';

export const kModern = '2026-07-28';
export const kMeta = { 'io.modelcontextprotocol/protocolVersion': kModern, 'io.modelcontextprotocol/clientCapabilities': {} };
export const kHello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
export const kSubscription = 'io.modelcontextprotocol/subscriptionId';

// `andon mcp` as a client starts it: requests go in, answers come by their id, and `told` collects the notifications.
export function openStdio(place, args, env = {}) {
  const child = spawn(kProgram, ['mcp', ...args], { cwd: place.root, env: cleanEnvironment(place, env), stdio: ['pipe', 'pipe', 'inherit'] });
  place.atEnd(() => child.kill('SIGKILL'));
  const waiting = new Map();
  const told = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line);
    if (message.method) told.push(message);
    else waiting.get(message.id)?.(message);
  });
  let last = 0;
  const say = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const ask = (method, params) =>
    new Promise((resolve) => {
      const id = ++last;
      waiting.set(id, resolve);
      say({ id, method, params });
    });
  return { child, ask, say, told, call: async (name, args = {}) => (await ask('tools/call', { name, arguments: args })).result };
}

function send(url, token, message, headers, signal) {
  return fetch(`${url}/mcp`, {
    method: 'POST',
    signal,
    headers: {
      'Content-Type': 'application/json', Accept: 'application/json, text/event-stream',
      ...(token && { Authorization: `Bearer ${token}` }), ...headers,
    },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  });
}

// One message to /mcp, with the headers that its form wants.
export async function post(url, token, message, headers = {}) {
  const response = await send(url, token, message, headers);
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : undefined };
}

export const legacy = (method, params, id = 1) => ({ jsonrpc: '2.0', id, method, params });
export const modern = (method, params = {}, id = 1) => ({ jsonrpc: '2.0', id, method, params: { ...params, _meta: { ...kMeta, ...params._meta } } });
export const modernHeaders = (method, name) => ({ 'MCP-Protocol-Version': kModern, 'Mcp-Method': method, ...(name && { 'Mcp-Name': name }) });

// Reads the messages of an answer that is a stream. `ids` are those of the events; `close` hangs up.
async function readStream(asked, abort) {
  const response = await asked;
  const out = { status: response.status, type: response.headers.get('content-type'), messages: [], ids: [], ended: false, close: () => abort.abort() };
  if (out.type !== 'text/event-stream') return { ...out, body: await response.text() };
  const take = (block) => {
    const field = (name) => block.split('\n').find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
    if (!field('data')) return;
    out.messages.push(JSON.parse(field('data')));
    out.ids.push(field('id'));
  };
  void (async () => {
    let text = '';
    const decoder = new TextDecoder();
    try {
      for await (const bytes of response.body) {
        text += decoder.decode(bytes, { stream: true });
        for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
          take(text.slice(0, end));
          text = text.slice(end + 2);
        }
      }
    } catch {
      // The test hung up, or the server was killed.
    }
    out.ended = true;
  })();
  out.next = (what, accept = () => true) => until(what, () => out.messages.find(accept));
  return out;
}

export function postStream(url, token, message, headers = {}) {
  const abort = new AbortController();
  return readStream(send(url, token, message, headers, abort.signal), abort);
}

export function getStream(url, token, headers = {}) {
  const abort = new AbortController();
  const all = { Accept: 'text/event-stream', Authorization: `Bearer ${token}`, ...headers };
  return readStream(fetch(`${url}/mcp`, { headers: all, signal: abort.signal }), abort);
}

// The headers of a session of the older form, after its handshake.
export async function openSession(url, token, capabilities = {}) {
  const hello = await post(url, token, legacy('initialize', { ...kHello, capabilities }));
  return { 'Mcp-Session-Id': hello.headers.get('mcp-session-id'), 'MCP-Protocol-Version': '2025-11-25' };
}
