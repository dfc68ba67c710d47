// JSON over HTTP, as a program with a token asks.
export class HttpClient {
  constructor(url, token) {
    Object.assign(this, { url, token });
  }

  // {status, headers, body}: the body as a value, undefined when empty.
  async ask(method, path, body, headers = {}) {
    const response = await fetch(`${this.url}/api/v1${path}`, {
      method,
      headers: {
        ...(this.token && { Authorization: `Bearer ${this.token}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : undefined };
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
