// A model for tests: answers Anthropic Messages, OpenAI Responses, OpenAI Chat Completions and Gemini's
// streamGenerateContent on loopback, by a script instead of thought. It holds no key and checks none.
import { createServer } from 'node:http';
import { anthropic } from './anthropic.mjs';
import { gemini } from './gemini.mjs';
import { chat, responses } from './openai.mjs';
import { turnFor } from './scenarios.mjs';

const kProtocols = [anthropic, responses, chat, gemini];

// `requests` holds the body of every model call, oldest first. `close` ends open streams too.
export async function startStandInModel(port = 0) {
  const requests = [];
  const server = createServer((request, response) => serve(request, response, requests).catch(() => response.destroy()));
  await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${server.address().port}`;
  const close = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return { url, scenario: (name) => `${url}/s/${name}`, requests, close };
}

async function serve(request, response, requests) {
  const { scenario, path } = split(request.url);
  const protocol = kProtocols.find((one) => request.method === 'POST' && one.path.test(path));
  if (!protocol) return sendJson(response, request.method === 'POST' ? 404 : 200, { data: [], models: [] });
  const body = JSON.parse(await text(request));
  requests.push({ protocol: protocol.name, scenario, body });
  if (protocol.countsTokens?.test(path)) return sendJson(response, 200, { input_tokens: 100, totalTokens: 100 });
  const turn = turnFor(scenario, protocol.conversation(body));
  if (turn.delay) await pause(turn.delay);
  if (turn.status) return sendJson(response, turn.status, protocol.refusal(turn), { 'retry-after': '1', ...turn.headers });
  const events = protocol.events(turn, body);
  if (!protocol.streams(path, body)) return sendJson(response, 200, protocol.whole(turn, body));
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  for (const event of turn.cut ? events.slice(0, 3) : events) {
    response.write(event);
    if (turn.pause) await pause(turn.pause);
  }
  if (turn.cut) response.destroy();
  else if (!turn.hangs) response.end();
}

// `/s/NAME/v1/messages` is the call `/v1/messages` under the scenario NAME.
function split(url) {
  const path = url.split('?')[0];
  const match = path.match(/^\/s\/([^/]+)(\/.*)$/);
  return match ? { scenario: match[1], path: match[2] } : { scenario: 'plain', path };
}

async function text(request) {
  const parts = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
}

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

function sendJson(response, status, body, headers = {}) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}
