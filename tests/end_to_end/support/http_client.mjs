import { request } from 'node:http';
import { text } from 'node:stream/consumers';

const kOfTheMachine = ['checks', 'sources', 'setup', 'teardown', 'preview', 'env'];

// JSON over HTTP, as a program with a token asks. Commands of boards go through the socket of the machine's user.
export class HttpClient {
  constructor(url, token, socket) {
    Object.assign(this, { url, token, socket });
  }

  // {status, headers, body}: the body as a value, undefined when empty.
  async ask(method, path, body, headers = {}) {
    const given = {
      ...(this.token && { Authorization: `Bearer ${this.token}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    };
    const sent = body === undefined ? undefined : JSON.stringify(body);
    const bringsCommands = path.startsWith('/boards') && body && kOfTheMachine.some((field) => field in body);
    if (this.socket && bringsCommands) return askSocket(this.socket, { method, path: `/api/v1${path}`, headers: given }, sent);
    const response = await fetch(`${this.url}/api/v1${path}`, { method, headers: given, body: sent });
    return answerOf(response.status, response.headers, await response.text());
  }

  // The same for what has to succeed: only the body.
  async told(method, path, body) {
    const answer = await this.ask(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  get(path) {
    return this.told('GET', path);
  }
  post(path, body = {}) {
    return this.told('POST', path, body);
  }

  // The whole history, oldest first.
  async events() {
    const events = [];
    for (let since = 0; ; since = events.at(-1).seq) {
      const { items } = await this.get(`/events?since=${since}`);
      if (items.length === 0) return events;
      events.push(...items);
    }
  }
}

function answerOf(status, headers, body) {
  return { status, headers, body: body ? JSON.parse(body) : undefined };
}

// Asks through the server's socket file.
export function askSocket(socketPath, head, body) {
  return new Promise((done, failed) => {
    const asked = request({ socketPath, ...head }, async (response) =>
      done(answerOf(response.statusCode, new Headers(response.headers), await text(response))));
    asked.on('error', failed);
    asked.end(body);
  });
}
